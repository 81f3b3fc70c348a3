"""How the service fares, in numbers: for alarms and for whoever asks whether it does its work, never for decisions."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min

from games.play.models import Decision, Heartbeat, Move
from games.tables.models import ALIVE, Game
from notifications.delivery import health_metrics

LATE = timedelta(seconds=90)  # a worker that has not ticked for so long is not at work
LAST_MOVES = 500  # among which those of people are looked for: enough to see slowness, whatever the log's length
BY_PEOPLE = (Move.Source.WEB, Move.Source.LINK, Move.Source.MAIL, Move.Source.API)


@dataclass(frozen=True)
class ServiceHealth:
    """The numbers of one moment.

    Arguments:
        games: how many are open or running, by status; those that are over are not counted, there may be many.
        quarantined: games whose rules broke and which wait for somebody to look.
        oldest_overdue: how long the oldest deadline has passed without anybody acting on it; zero if none has.
        oldest_boundary: how long a game waits to be taken over a phase boundary beyond its time.
        beats: how long ago each part of the service last did its work, by name.
        moves: of the last moves of people, seconds from their arrival to being stored; ascending.
        telling: what waits to be told or heard.
    """

    games: dict[str, int]
    quarantined: int
    oldest_overdue: timedelta
    oldest_boundary: timedelta
    beats: dict[str, timedelta]
    moves: list[float]
    telling: health_metrics.HealthMetrics


def measure(now: datetime) -> ServiceHealth:
    """Counts everything; a constant number of queries."""
    running = Game.objects.filter(status=Game.Status.RUNNING)
    awake = running.filter(quarantined_at__isnull=True)
    return ServiceHealth(
        games=dict(Game.objects.filter(ALIVE).values_list("status").annotate(Count("pk")).order_by("status")),
        quarantined=running.filter(quarantined_at__isnull=False).count(),
        oldest_overdue=_oldest_overdue(now),
        oldest_boundary=_since(awake.filter(advance_at__lte=now).aggregate(at=Min("advance_at"))["at"], now),
        beats=beats(now),
        moves=_latencies(),
        telling=health_metrics.measure(now),
    )


def beats(now: datetime) -> dict[str, timedelta]:
    """How long ago each part of the service last did its work."""
    return {heart.name: _since(heart.beat_at, now) for heart in Heartbeat.objects.order_by("name")}


def _oldest_overdue(now: datetime) -> timedelta:
    due = Decision.objects.filter(
        status=Decision.Status.OPEN,
        is_automatic=False,
        due_at__lte=now,
        game__quarantined_at__isnull=True,
    )
    return _since(due.aggregate(at=Min("due_at"))["at"], now)


def _latencies() -> list[float]:
    last = Move.objects.order_by("-pk").values_list("source", "received_at", "made_at")[:LAST_MOVES]
    return sorted((made - received).total_seconds() for source, received, made in last if source in BY_PEOPLE)


def _since(then: datetime | None, now: datetime) -> timedelta:
    return max(timedelta(0), now - then) if then else timedelta(0)
