"""What the service sends, and when people get it: composed and handed over like real mail, or handed over empty."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from random import Random
from smtplib import SMTPServerDisconnected
from types import SimpleNamespace
from unittest.mock import patch

from games.lab.simulation.model import DOORS, Faults
from games.lab.simulation.world import SimulatedWorld
from games.models import Decision, Game
from notifications import composers
from notifications.channels.base import ChannelError
from notifications.channels.mail.channel import MailChannel
from notifications.composers import MailMessage, WebhookMessage
from notifications.delivery import sending
from notifications.models import Delivery, DeliveryState

LATEST = 12.0  # hours a late mail may take
AGAIN = timedelta(minutes=10)  # after which a refused mail is handed over again
Hear = Callable[[str, str], None]  # (address, thread)
ASKING = frozenset({"due", "reminder"})  # kinds that are stale as soon as their question is closed


class Postman:
    """Takes over what the outbox hands out, and brings it to people.

    Arguments:
        hear: told of every mail that arrives.
    """

    def __init__(self, world: SimulatedWorld, hear: Hear, faults: Faults, dice: Random) -> None:
        self._world, self._hear, self._faults, self._dice = world, hear, faults, dice
        self.mails: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.largest = 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Until the block is left mails come here, and nowhere else."""
        with ExitStack() as stack:
            stack.enter_context(patch.object(MailChannel, "pack", self._pack))
            stack.enter_context(patch.object(MailChannel, "send", self._take))
            # What takes real time and draws real chances would not be repeatable.
            stack.enter_context(patch("notifications.delivery.sending.time", SimpleNamespace(monotonic=self._seconds)))
            stack.enter_context(patch("notifications.delivery.finish_delivery.random", self._dice))
            yield

    def _seconds(self) -> float:
        return self._world.now.timestamp()

    def deliver_one(self, now: datetime) -> bool:
        """Hands over one due delivery; returns whether there was one."""
        return sending.deliver_one(now)

    def _pack(self, delivery: Delivery, message: MailMessage | WebhookMessage) -> MailMessage:
        assert isinstance(message, MailMessage), message
        return message

    def _take(self, delivery: Delivery, message: MailMessage) -> str:
        if self._is_refused():
            raise ChannelError("the mail server hung up") from SMTPServerDisconnected()
        self.largest = max(self.largest, len(message.html.encode()) + len(message.text.encode()))
        self._bring(delivery)
        return ""

    def _is_refused(self) -> bool:
        return self._dice.random() < self._faults.refused

    def _bring(self, delivery: Delivery) -> None:
        address, thread = delivery.notice.recipient.address, delivery.notice.thread
        self.mails[address] += 1
        self.kinds[delivery.notice.kind] += 1
        late = self._dice.uniform(0, LATEST) if self._dice.random() < self._faults.late else 0.0
        times = 2 if self._dice.random() < self._faults.repeated else 1
        for _ in range(times):
            self._world.at(self._world.now + timedelta(hours=late), lambda: self._hear(address, thread))


class Courier(Postman):
    """Brings empty mails, and all that are due at once: no lease, no attempt, but the same notices to the same people.

    The outbox itself is at work in the games through every door; this is ten times faster.
    """

    def deliver_one(self, now: datetime) -> bool:
        """Hands over all due deliveries, those of one person in one mail; returns whether there was one."""
        rows = Delivery.objects.filter(attempt_after__lte=now, state=DeliveryState.WAITING, channel=MailChannel.kind)
        due = list(rows.select_related("notice__recipient").order_by("attempt_after", "pk"))
        stale = self._stale(due)
        current = [delivery for delivery in due if delivery.pk not in stale]
        _settle(stale, state=DeliveryState.STALE, attempt_after=None)
        for mail in _merged(current):
            keys = [delivery.pk for delivery in mail]
            if self._is_refused():
                _settle(keys, attempt_after=now + AGAIN)
            else:
                _settle(keys, state=DeliveryState.ACCEPTED, attempt_after=None, accepted_at=now)
                self._bring(mail[0])
        return bool(due)

    def _stale(self, due: Iterable[Delivery]) -> set[int]:
        refs = {delivery.pk: delivery.notice.subject for delivery in due if delivery.notice.kind in ASKING}
        asked = Decision.objects.filter(
            status=Decision.Status.OPEN, is_automatic=False, game__status=Game.Status.RUNNING
        )
        is_open = {row.subject for row in asked} if refs else set()
        stale = set()
        for delivery in due:
            composer = composers.composer_for(delivery.notice.kind)
            if delivery.pk not in refs and composer.is_current(delivery.notice):
                stale.add(delivery.pk)
        return stale | {key for key, subject in refs.items() if subject not in is_open}


def _merged(due: Iterable[Delivery]) -> Iterator[list[Delivery]]:
    mergeable, mails = composers.kinds_to_merge(), defaultdict[object, list[Delivery]](list)
    for delivery in due:
        mails[delivery.recipient_id if delivery.notice.kind in mergeable else -delivery.pk].append(delivery)
    yield from mails.values()


def _settle(keys: Iterable[int], **values: object) -> None:
    if keys:
        Delivery.objects.filter(pk__in=keys).update(**values)


def postman_for(door: str) -> type[Postman]:
    """Who brings the mails of a scenario."""
    return Postman if door == DOORS else Courier
