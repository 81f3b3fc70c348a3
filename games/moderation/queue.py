"""Everything that needs a moderator now beside reports, in the order in which it should be handled."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.play.models import Decision
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.channels.mail import suppressions
from notifications.delivery import channel_health
from notifications.models import Attempt, AttemptOutcome, ChannelHealth, Delivery, DeliveryState, Suppression
from notifications.privacy import confidential

LATE = timedelta(minutes=5)  # nobody is later than that while the workers are well
ROWS_SHOWN = 50  # of a kind


def quarantined() -> list[Game]:
    """Returns the games on which the rules failed."""
    return list(_running().filter(quarantined_at__isnull=False).order_by("quarantined_at")[:ROWS_SHOWN])


def overdue(now: datetime) -> list[Game]:
    """Returns the games that workers should have advanced by now."""
    since, games = now - LATE, _running().filter(quarantined_at=None)
    late = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__lt=since)
    ways = (games.filter(pk__in=late.values("game")), games.filter(advance_at__lt=since))  # each by an index of its own
    found = {game.pk: game for way in ways for game in way.order_by("pk")[:ROWS_SHOWN]}
    return [found[key] for key in sorted(found)][:ROWS_SHOWN]


def unreachable() -> list[Seat]:
    """Returns the seats of active players whose address is suppressed."""
    hashes = set(Suppression.objects.exclude(reason=suppressions.ASKED).values_list("address_hash", flat=True))
    if not hashes:
        return []
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, status=Seat.Status.ACTIVE, user__isnull=False)
    rows = seats.select_related("user", "game").order_by("pk").iterator(500)
    return [seat for seat in rows if seat.user and suppressions.hash_address(seat.user.email) in hashes][:ROWS_SHOWN]


@dataclass(frozen=True)
class Resting:
    """A channel that rests after failures, and the reason of the last one (a msgid)."""

    channel: ChannelHealth
    reason: str


def resting() -> list[Resting]:
    """Returns the channels that rest after failures: nothing is sent there."""
    return [Resting(channel, _last_fault(channel.channel)) for channel in channel_health.failing_channels()]


def _last_fault(channel: str) -> str:
    tries = Attempt.objects.filter(delivery__channel=channel, outcome=AttemptOutcome.RETRY).order_by("-pk")
    return tries.values_list("detail", flat=True).first() or ""


def given_up() -> list[Delivery]:
    """Returns the quarantined deliveries, without those about sealed questions; newest first."""
    rows = Delivery.objects.filter(state=DeliveryState.QUARANTINED).select_related("notice__recipient").order_by("-pk")
    return list(confidential.without(rows, "notice__")[:ROWS_SHOWN])


def _running() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING).select_related("host").defer("state", "server_seed")
