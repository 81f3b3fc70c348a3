"""What the service sends, and when people get it: composed and handed over like real mail, or handed over empty."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from random import Random
from smtplib import SMTPServerDisconnected
from unittest.mock import patch

from games.simulation.model import DOORS, Faults
from games.simulation.world import World
from notifications import outbox, sending
from notifications.channels import ChannelError
from notifications.channels.mail import MailChannel
from notifications.composers import MailMessage, WebhookMessage
from notifications.models import Delivery

LATEST = 12.0  # hours a late mail may take
Hear = Callable[[str, str], None]  # (address, thread)
EMPTY = MailMessage(subject="", text="", html="")


class Postman:
    """Takes over what the outbox hands out.

    Arguments:
        hear: told of every mail that arrives.
        door: with `DOORS` every mail is composed as it would be sent; else it goes out empty, which is much faster.
    """

    def __init__(self, world: World, hear: Hear, faults: Faults, dice: Random, door: str) -> None:
        self._world, self._hear, self._faults, self._dice = world, hear, faults, dice
        self._is_composed = door == DOORS
        self.mails: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.largest = 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Until the block is left mails come here, and nowhere else."""
        with ExitStack() as stack:
            stack.enter_context(patch.object(MailChannel, "send", self._take))
            if not self._is_composed:
                stack.enter_context(patch.object(sending, "_message", lambda delivery: EMPTY))
                stack.enter_context(patch.object(sending, "_merged", lambda current: EMPTY))
            yield

    def deliver_one(self, now: datetime) -> bool:
        """Hands over one due delivery; returns whether there was one."""
        return outbox.deliver_one(now)

    def _take(self, delivery: Delivery, message: MailMessage | WebhookMessage) -> str:
        if self._dice.random() < self._faults.refused:
            raise ChannelError("the mail server hung up") from SMTPServerDisconnected()
        assert isinstance(message, MailMessage), message
        self.largest = max(self.largest, len(message.html.encode()) + len(message.text.encode()))
        address, thread = delivery.notice.recipient.address, delivery.notice.thread
        self.mails[address] += 1
        self.kinds[delivery.notice.kind] += 1
        late = self._dice.uniform(0, LATEST) if self._dice.random() < self._faults.late else 0.0
        times = 2 if self._dice.random() < self._faults.repeated else 1
        for _ in range(times):
            self._world.at(self._world.now + timedelta(hours=late), lambda: self._hear(address, thread))
        return ""
