"""Mail transports of the simulation: emails are composed and delivered by the outbox, or only marked as delivered."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta
from random import Random
from smtplib import SMTPServerDisconnected
from types import SimpleNamespace
from unittest.mock import patch

from games.lab.simulation.scenario import SUBMIT, Faults
from games.lab.simulation.timeline import Timeline
from games.models import Decision, Game
from notifications import composers
from notifications.channels.base import ChannelError
from notifications.channels.mail.channel import MailChannel
from notifications.delivery import sending
from notifications.messages import MailMessage, WebhookMessage
from notifications.models import Delivery, DeliveryState

LATEST = 12.0  # hours a late mail may take
AGAIN = timedelta(minutes=10)  # after which a refused mail is handed over again
Hear = Callable[[str, str], None]  # (address, thread)
ASKING = frozenset({"due", "reminder"})  # kinds that are stale as soon as their question is closed


class MailTransport:
    """Receives every email that the outbox sends, and delivers it to people in virtual time.

    Arguments:
        hear: called for every email that arrives.
    """

    def __init__(self, timeline: Timeline, hear: Hear, faults: Faults, dice: Random) -> None:
        self._timeline, self._hear, self._faults, self._dice = timeline, hear, faults, dice
        self.mails: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.largest = 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Redirects all emails to this transport until the block is left."""
        with ExitStack() as stack:
            stack.enter_context(patch.object(MailChannel, "pack", self._pack))
            stack.enter_context(patch.object(MailChannel, "send", self._take))
            # Real time and real randomness would not be repeatable.
            stack.enter_context(patch("notifications.delivery.sending.time", SimpleNamespace(monotonic=self._seconds)))
            stack.enter_context(patch("notifications.delivery.finish_delivery.random", self._dice))
            yield

    def _seconds(self) -> float:
        return self._timeline.now.timestamp()

    def deliver_one(self, now: datetime) -> bool:
        """Delivers one due delivery; returns whether there was one."""
        return sending.deliver_one(now)

    def _pack(self, delivery: Delivery, message: MailMessage | WebhookMessage) -> MailMessage:
        assert isinstance(message, MailMessage), message
        return message

    def _take(self, delivery: Delivery, message: MailMessage) -> str:
        if self._is_refused():
            raise ChannelError("the mail server hung up") from SMTPServerDisconnected()
        self.largest = max(self.largest, len(message.html.encode()) + len(message.text.encode()))
        self._deliver(delivery)
        return ""

    def _is_refused(self) -> bool:
        return self._dice.random() < self._faults.refused

    def _deliver(self, delivery: Delivery) -> None:
        address, thread = delivery.notice.recipient.address, delivery.notice.thread
        self.mails[address] += 1
        self.kinds[delivery.notice.kind] += 1
        late = self._dice.uniform(0, LATEST) if self._dice.random() < self._faults.late else 0.0
        times = 2 if self._dice.random() < self._faults.repeated else 1
        for _ in range(times):
            self._timeline.at(self._timeline.now + timedelta(hours=late), lambda: self._hear(address, thread))


class FastMailTransport(MailTransport):
    """Delivers all due emails at once, uncomposed: no lease, no attempt, but the same notices to the same people.

    Ten times faster than the outbox, which runs in the games with DOORS.
    """

    def deliver_one(self, now: datetime) -> bool:
        """Delivers everything due, batched by person; returns whether there was anything."""
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
                self._deliver(mail[0])
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


def transport_for(door: str) -> type[MailTransport]:
    """The transport for a scenario's door."""
    return FastMailTransport if door == SUBMIT else MailTransport
