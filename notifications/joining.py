"""What goes out with a delivery that was claimed: in the same mail, or in the same call to the same address."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from datetime import datetime

from django.db import connection
from django.db.models import Q

from notifications import composers
from notifications.models import Channel, Delivery, DeliveryState

MOST = 40  # deliveries in one mail, beside the one that leads
RELATED = ("notice__recipient", "endpoint__recipient")  # what sending reads


def kinds() -> tuple[str, ...]:
    """The kinds of notices that share a mail with others; () if nothing makes one mail of several."""
    return tuple(composers.kinds_to_merge()) if composers.merger() is not None else ()


def followers(leaders: Sequence[Delivery], now: datetime) -> dict[int, tuple[Delivery, ...]]:
    """Return by the leaders' primary keys what goes out with each, oldest first.

    At its first try a leader is joined by all that waits for the same recipient; later it keeps those it has.
    """
    found: dict[int, list[Delivery]] = {leader.pk: [] for leader in leaders}
    is_first = all(leader.tries == 1 for leader in leaders)
    if is_first and not _join(leaders, now):
        return dict.fromkeys(found, ())
    joined = Delivery.objects.filter(leader__in=list(found), state=DeliveryState.JOINED).select_related(*RELATED)
    for delivery in joined.order_by("pk"):
        assert delivery.leader_id is not None
        found[delivery.leader_id].append(delivery)
    return {leader: tuple(deliveries) for leader, deliveries in found.items()}


def _join(leaders: Sequence[Delivery], now: datetime) -> bool:
    """Join what may go out with each, at its first try; returns whether there was anything."""
    by_key = {key: leader for leader in leaders if (key := _key(leader)) is not None}
    chosen: dict[int, list[int]] = defaultdict(list)
    for delivery in _waiting(by_key.values(), now):
        leader = by_key.get(_key(delivery))
        if leader is not None and len(chosen[leader.pk]) < MOST:
            chosen[leader.pk].append(delivery.pk)
    for leader_pk, keys in chosen.items():
        Delivery.objects.filter(pk__in=keys, state=DeliveryState.WAITING).update(
            state=DeliveryState.JOINED, leader=leader_pk, attempt_after=None, reason=""
        )
    return bool(chosen)


def _waiting(leaders: Collection[Delivery], now: datetime) -> Iterable[Delivery]:
    """What waits and might go out with one of them, oldest first."""
    by_mail = [leader.recipient_id for leader in leaders if leader.channel == Channel.MAIL]
    hooks = [leader for leader in leaders if leader.channel == Channel.WEBHOOK]
    alike = Q(channel=Channel.MAIL, recipient__in=by_mail) if by_mail else Q()
    if hooks:
        moments = {leader.notice.created_at for leader in hooks}
        targets = [leader.target for leader in hooks]
        alike |= Q(channel=Channel.WEBHOOK, target__in=targets, notice__created_at__in=moments)
    if not alike:
        return ()
    waiting = Delivery.objects.filter(alike, state=DeliveryState.WAITING, attempt_after__lte=now, tries=0)
    if connection.features.has_select_for_update_skip_locked:
        waiting = waiting.select_for_update(skip_locked=True, of=("self",))
    return waiting.select_related("notice").order_by("pk")[: MOST * len(leaders)]


def _key(delivery: Delivery) -> Hashable:
    """The same for all that go out together; None for what goes out alone."""
    notice = delivery.notice
    if delivery.channel == Channel.MAIL:
        is_alone = delivery.recipient_id is None or notice.kind not in kinds()
        return None if is_alone else delivery.recipient_id
    # What the same address is to be told of the same moment, on behalf of others or of another seat.
    is_alone = not notice.thread or delivery.is_by_hand
    return None if is_alone else (delivery.target, notice.kind, notice.thread, notice.created_at)
