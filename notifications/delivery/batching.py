"""What goes out with a delivery that was claimed: in the same mail, or in the same call to the same address."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from notifications import composers
from notifications.channels.registry import CHANNELS, kinds_batched_by_recipient, serial_kinds
from notifications.database.compiled_query import Row, compiled, compiled_rows, pad_to_power_of_two
from notifications.models import Delivery, DeliveryState

MOST = 40  # deliveries in one mail, beside the one that leads
ASKED = ("pk", "channel", "recipient", "target", "is_by_hand", "notice__kind", "notice__thread", "notice__created_at")
RELATED = ("notice", "notice__recipient", "endpoint", "endpoint__recipient")  # what sending reads


def followers(leaders: Sequence[Delivery], now: datetime) -> dict[int, tuple[Delivery, ...]]:
    """Return by the leaders' primary keys what goes out with each, oldest first.

    At its first try a leader is joined by all that waits for the same recipient; later it keeps those it has.
    """
    found: dict[int, list[Delivery]] = {leader.pk: [] for leader in leaders}
    is_first = all(leader.tries == 1 for leader in leaders)
    if is_first and not _join(leaders, now):
        return dict.fromkeys(found, ())
    for delivery in _joined(*pad_to_power_of_two(found)):
        assert delivery.leader_id is not None
        found[delivery.leader_id].append(delivery)
    return {leader: tuple(deliveries) for leader, deliveries in found.items()}


@compiled(*RELATED)
def _joined(*leaders: int) -> QuerySet[Delivery]:
    return Delivery.objects.filter(leader__pk__in=leaders, state=DeliveryState.JOINED).order_by("pk")


def _join(leaders: Sequence[Delivery], now: datetime) -> bool:
    """Join what may go out with each, at its first try; returns whether there was anything."""
    by_key = {key: leader for leader in leaders if (key := _key(*_facts(leader))) is not None}
    chosen: dict[int, list[int]] = defaultdict(list)
    for pk, *facts in _waiting(list(by_key.values()), now):
        leader = by_key.get(_key(*facts))
        if leader is not None and len(chosen[leader.pk]) < MOST:
            chosen[leader.pk].append(pk)
    for leader_pk, keys in chosen.items():
        Delivery.objects.filter(pk__in=keys, state=DeliveryState.WAITING).update(
            state=DeliveryState.JOINED, leader=leader_pk, attempt_after=None, reason=""
        )
    return bool(chosen)


def _waiting(leaders: Sequence[Delivery], now: datetime) -> list[Row]:
    """What waits and might go out with one of them, oldest first: ASKED of each."""
    by_person = [leader for leader in leaders if CHANNELS[leader.channel].is_batched_by_recipient]
    by_target = [leader for leader in leaders if CHANNELS[leader.channel].is_serial]
    if not leaders:
        return []
    recipients = pad_to_power_of_two(leader.recipient_id for leader in by_person)
    moments = pad_to_power_of_two({leader.notice.created_at for leader in by_target})
    targets = pad_to_power_of_two(leader.target for leader in by_target)
    return _waiting_for(len(recipients), len(moments))(now, *recipients, *moments, *targets)


@cache
def _waiting_for(recipients: int, moments: int) -> Callable[..., list[Row]]:
    """What asks, at an instant, for so many recipients, moments, and then targets."""

    @compiled_rows(*ASKED)
    def ask(now: Any, *values: Any) -> QuerySet[Delivery]:
        times, of_person = recipients + moments, {"channel__in": kinds_batched_by_recipient()}
        alike = Q(**of_person, recipient__pk__in=values[:recipients]) if recipients else Q()
        if moments:
            told = {"notice__created_at__in": values[recipients:times], "target__in": values[times:]}
            alike |= Q(channel__in=serial_kinds(), **told)
        waiting = Delivery.objects.filter(alike, state=DeliveryState.WAITING, attempt_after__lte=now, tries=0)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True, of=("self",))
        return waiting.order_by("pk")[: MOST * (len(values) - moments)]

    return ask


def _facts(delivery: Delivery) -> list[Any]:
    """ASKED of a delivery, without its primary key."""
    notice = delivery.notice
    of_notice = [notice.kind, notice.thread, notice.created_at]
    return [delivery.channel, delivery.recipient_id, delivery.target, delivery.is_by_hand, *of_notice]


def _key(
    channel: str, recipient: int | None, target: str | None, is_by_hand: bool, kind: str, thread: str, told_at: datetime
) -> Hashable:
    """The same for all that go out together; None for what goes out alone."""
    if CHANNELS[channel].is_batched_by_recipient:
        return None if recipient is None or not composers.shares_mails(kind) else (channel, recipient)
    # What the same address is to be told of the same moment, on behalf of others or of another seat.
    if not CHANNELS[channel].is_serial or not thread or is_by_hand:
        return None
    at = told_at.astimezone(UTC).replace(tzinfo=None) if told_at.tzinfo else told_at  # SQLite has no zones
    return (channel, target, kind, thread, at)
