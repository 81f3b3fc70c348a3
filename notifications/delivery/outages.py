"""Whose fault it is that somebody was not told: our mail server's, our provider's, or his address's alone."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from notifications.channels.mail import suppressions
from notifications.models import (
    IS_OPEN,
    TO_EVERYBODY,
    Bounce,
    Channel,
    ChannelHealth,
    Delivery,
    DeliveryState,
)

FEWEST = 3  # addresses that fail together, and nobody's mail arrives: then it is not the addresses
WINDOW = timedelta(hours=1)  # in which they do
SETTLED = timedelta(minutes=5)  # a mail that was taken and has not come back by then has arrived
LOOKED_AT = 500  # of the newest mails, to see whether any arrived: there is no index on that
FAULTS = (Bounce.Kind.BOUNCED, Bounce.Kind.MISTRUSTED, Bounce.Kind.OURS)


def is_our_fault(dedupe_key: str, now: datetime) -> bool:
    """Whether a notice that no channel has taken over was kept back by us, and not by its recipient's address.

    What he holds back himself (quiet hours, a daily mail) is not our fault, nor is a mailbox that is full.
    """
    rows = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).select_related("leader")
    return any(_is_kept_back(row.leader if row.state == DeliveryState.JOINED else row, now) for row in rows)


def send_again(dedupe_key: str, now: datetime) -> None:
    """Owe the mail of a notice once more that came back, or was refused, by our fault."""
    mails = Delivery.objects.filter(notice__dedupe_key=dedupe_key, channel=Channel.MAIL, attempt_after=None)
    for mail in mails.exclude(state=DeliveryState.JOINED).select_related("notice__recipient"):
        if not _is_from_mass_failure(mail):
            continue
        Bounce.objects.filter(_of(mail), kind=Bounce.Kind.OURS).delete()  # if it comes back again, that is news
        mails.filter(pk=mail.pk).update(
            state=DeliveryState.WAITING, attempt_after=now, tries=0, accepted_at=None, leader=None, reason=""
        )


def excuse_addresses(now: datetime) -> bool:
    """Ends the suppression of all addresses that failed together with others while nobody's mail arrived.

    Returns whether mails fail in this way now.
    """
    failed = Bounce.objects.filter(
        kind__in=FAULTS, created_at__gt=max(now - WINDOW, _last_arrival(now) or now - WINDOW)
    )
    hashes = set(failed.values_list("address_hash", flat=True))
    if len(hashes) < FEWEST or _on_their_way(now) >= len(hashes):
        return False
    failed.update(kind=Bounce.Kind.OURS)
    for address_hash in hashes:
        suppressions.lift_hash(address_hash, suppressions.BOUNCED)
    return True


def _is_kept_back(delivery: Delivery | None, now: datetime) -> bool:
    if delivery is None:
        return False
    if delivery.attempt_after is None:
        return delivery.channel == Channel.MAIL and _is_from_mass_failure(delivery)
    is_late = delivery.state == DeliveryState.SENDING or delivery.attempt_after <= now
    if delivery.channel == Channel.WEBHOOK:  # one that waits behind another to the same address waits for its owner's
        return is_late and not delivery.tries and not _is_begun(delivery)
    return is_late or (delivery.tries > 0 and _is_mail_failing())


def _is_begun(delivery: Delivery) -> bool:
    return Delivery.objects.filter(IS_OPEN, target=delivery.target, tries__gt=0).exists()


def _is_mail_failing() -> bool:
    """Whether the last that the mail server did was to take nothing, for whomever it was."""
    return ChannelHealth.objects.filter(channel=Channel.MAIL, failures__gt=0).exists()


def _is_from_mass_failure(mail: Delivery) -> bool:
    """Whether the last that was heard of its address is that it failed together with others."""
    last = Bounce.objects.filter(_of(mail), kind__in=FAULTS, created_at__gte=mail.notice.created_at).order_by("-pk")
    return last.values_list("kind", flat=True).first() == Bounce.Kind.OURS


def _of(mail: Delivery) -> Q:
    return Q(address_hash=suppressions.hash_address(mail.notice.recipient.address))


def _last_arrival(now: datetime) -> datetime | None:
    return max((at for at in _taken() if at <= now - SETTLED), default=None)


def _on_their_way(now: datetime) -> int:
    return sum(at > now - SETTLED for at in _taken())


def _taken() -> list[datetime]:
    """When each of the newest mails was taken that have not come back."""
    mails: QuerySet[Delivery, Any] = Delivery.objects.filter(channel=Channel.MAIL).order_by("-pk")
    newest = mails.values_list("state", "accepted_at")[:LOOKED_AT]
    return [at for state, at in newest if state == DeliveryState.ACCEPTED and at is not None]
