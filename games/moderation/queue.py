"""Everything that needs a moderator now, in the order in which it should be looked at."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.models import Game, Report, Seat, User
from games.moderation.entries import exclude_own_games
from notifications.channels.mail import suppressions
from notifications.delivery import channel_health
from notifications.models import Attempt, AttemptOutcome, ChannelHealth, Delivery, DeliveryState, Suppression
from notifications.privacy import confidential

LATE = timedelta(minutes=5)  # nobody is later than that while the workers are well
MOST = 50  # rows of a kind


def open_reports(by: User) -> list[Report]:
    """What players have written and nobody has settled, oldest first; of a moderator's own tables others see it."""
    rows = exclude_own_games(Report.objects.filter(settled_at=None), by)
    return list(rows.select_related("game", "reporter").prefetch_related("game__seats").order_by("pk")[:MOST])


def quarantined() -> list[Game]:
    """Games whose rules broke."""
    return list(_running().filter(quarantined_at__isnull=False).order_by("quarantined_at")[:MOST])


def overdue(now: datetime) -> list[Game]:
    """Games that should have gone on by themselves."""
    since, games = now - LATE, _running().filter(quarantined_at=None)
    late = games.filter(decisions__status="open", decisions__is_automatic=False, decisions__due_at__lt=since)
    return list((late | games.filter(advance_at__lt=since)).distinct().order_by("pk")[:MOST])


def unreachable() -> list[Seat]:
    """Players who are waited for and to whom no mail goes."""
    hashes = set(Suppression.objects.exclude(reason=suppressions.ASKED).values_list("address_hash", flat=True))
    if not hashes:
        return []
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, status=Seat.Status.ACTIVE, user__isnull=False)
    rows = seats.select_related("user", "game").order_by("pk").iterator(500)
    return [seat for seat in rows if seat.user and suppressions.hash_address(seat.user.email) in hashes][:MOST]


@dataclass(frozen=True)
class Resting:
    """A channel on which nothing goes out: since how many failures, and what the last of them was (a msgid)."""

    channel: ChannelHealth
    reason: str


def resting() -> list[Resting]:
    """Channels whose other side takes nothing: players are told nothing there."""
    return [Resting(channel, _last_fault(channel.channel)) for channel in channel_health.failing_channels()]


def _last_fault(channel: str) -> str:
    tries = Attempt.objects.filter(delivery__channel=channel, outcome=AttemptOutcome.RETRY).order_by("-pk")
    return tries.values_list("detail", flat=True).first() or ""


def given_up() -> list[Delivery]:
    """Messages that were given up, without those about sealed questions; newest first."""
    rows = Delivery.objects.filter(state=DeliveryState.QUARANTINED).select_related("notice__recipient").order_by("-pk")
    return list(confidential.without(rows, "notice__")[:MOST])


def _running() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING).select_related("host").defer("state", "server_seed")
