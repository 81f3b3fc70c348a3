"""Whose fault it is that somebody was not told: ours, or the address's alone."""

from datetime import datetime

from notifications.channels.registry import CHANNELS
from notifications.models import TO_EVERYBODY, Delivery, DeliveryState


def is_our_fault(dedupe_key: str, now: datetime) -> bool:
    """Return whether a notice that no channel has taken over was kept back by us, and not by its recipient's address.

    What he holds back himself (quiet hours, a daily mail) is not our fault, nor is a mailbox that is full.
    """
    rows = Delivery.objects.filter(~TO_EVERYBODY, notice__dedupe_key=dedupe_key).select_related("leader")
    sent_as = [row.leader if row.state == DeliveryState.JOINED else row for row in rows]
    return any(row is not None and CHANNELS[row.channel].is_kept_back(row, now) for row in sent_as)


def send_again(dedupe_key: str, now: datetime) -> None:
    """Open the deliveries of a notice again that came back, or were refused, by our fault."""
    rows = Delivery.objects.filter(notice__dedupe_key=dedupe_key, attempt_after=None)
    for row in rows.exclude(state=DeliveryState.JOINED).select_related("notice__recipient"):
        if CHANNELS[row.channel].forgive(row):
            rows.filter(pk=row.pk).update(
                state=DeliveryState.WAITING, attempt_after=now, tries=0, accepted_at=None, leader=None, reason=""
            )
