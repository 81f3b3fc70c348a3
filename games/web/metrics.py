"""Metrics of the service for alarms and for those who run it, as Prometheus reads them; nothing decides by them.

Each number comes from the database, so that every process gives the same. Only web processes, which give them out, load
this module: Prometheus' library is large."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from games.play.models import Decision, Heartbeat, Move
from games.tables.models import ALIVE, Game
from games.web.request_counts import BOUNDS, RequestCount
from notifications import worker_hints
from notifications.delivery import health

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
    telling: health.HealthMetrics


def measure_health(now: datetime) -> ServiceHealth:
    """Counts everything; a constant number of queries."""
    running = Game.objects.filter(status=Game.Status.RUNNING)
    awake = running.filter(quarantined_at__isnull=True)
    return ServiceHealth(
        games=dict(Game.objects.filter(ALIVE).values_list("status").annotate(Count("pk")).order_by("status")),
        quarantined=running.filter(quarantined_at__isnull=False).count(),
        oldest_overdue=_oldest_overdue(now),
        oldest_boundary=_since(awake.filter(advance_at__lte=now).aggregate(at=Min("advance_at"))["at"], now),
        beats=heartbeat_ages(now),
        moves=_latencies(),
        telling=health.measure_health(now),
    )


def heartbeat_ages(now: datetime) -> dict[str, timedelta]:
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
    return sorted((made_at - received).total_seconds() for source, received, made_at in last if source in BY_PEOPLE)


def _since(then: datetime | None, now: datetime) -> timedelta:
    return max(timedelta(0), now - then) if then else timedelta(0)


# The format of Prometheus

PREFIX = "caravanserai"
QUANTILES = (0.5, 0.9, 0.99)


def render_metrics(now: datetime) -> bytes:
    """Renders the metrics of this moment in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_HealthCollector(measure_health(now)))
    registry.register(_Requests(list(RequestCount.objects.order_by("area", "status"))))
    return generate_latest(registry)


class _HealthCollector(Collector):
    def __init__(self, health: ServiceHealth) -> None:
        self.seen = health

    def collect(self) -> Iterator[Metric]:
        """One family for each number. docs/operations.md says at which to wake somebody."""
        health, deliveries = self.seen, self.seen.telling
        yield _by("games", "tables that are open or running", "status", health.games)
        yield _one("games_quarantined", "games whose rules broke", health.quarantined)
        yield _one("overdue_decision_seconds", "age of the oldest deadline not acted on", health.oldest_overdue)
        yield _one("overdue_boundary_seconds", "age of the oldest phase that should have begun", health.oldest_boundary)
        beats = {name: age.total_seconds() for name, age in health.beats.items()}
        yield _by("heartbeat_age_seconds", "since a part of the service last did its work", "part", beats)
        oldest_due = {channel: age.total_seconds() for channel, age in deliveries.oldest_due.items()}
        yield _by("due_notice_seconds", "how long the oldest due delivery waits", "channel", oldest_due)
        yield _by("deliveries_waiting", "deliveries not settled", "channel", deliveries.waiting)
        yield _one("deliveries_quarantined", "deliveries given up", deliveries.quarantined)
        yield _by_two("deliveries_lately", "of the last deliveries written", ("channel", "state"), deliveries.lately)
        yield _by(
            "channel_resting", "1 while a channel rests after failures", "channel", dict.fromkeys(deliveries.resting, 1)
        )
        yield _one("inbound_waiting_seconds", "how long the oldest answer by mail waits", deliveries.oldest_heard)
        yield _one("mailbox_looked_seconds", "since the mailbox for answers was looked at", deliveries.mailbox_looked)
        depths = worker_hints.queue_depths()
        yield _one(
            "broker_up", "1 if the broker answers; without it all goes on, some seconds later", depths is not None
        )
        yield _by("queue_depth", "hints that wait for a worker", "queue", depths or {})
        yield _latency(health.moves)


class _Requests(Collector):
    def __init__(self, counts: list[RequestCount]) -> None:
        self.counts = counts

    def collect(self) -> Iterator[Metric]:
        """Yields the answers of the web processes since the service began, counted."""
        labels = ["area", "status"]
        answered = CounterMetricFamily(f"{PREFIX}_requests", "answers of web processes", labels=labels)
        took = HistogramMetricFamily(f"{PREFIX}_request_seconds", "until an answer was begun", labels=labels)
        for row in self.counts:
            label = [row.area, str(row.status)]
            answered.add_metric(label, row.count)
            bounds = [(str(bound), getattr(row, field)) for field, bound in BOUNDS.items()]
            took.add_metric(label, [*bounds, ("+Inf", row.count)], row.seconds)
        yield answered
        yield took


def _one(name: str, said: str, value: float | timedelta) -> Metric:
    number = value.total_seconds() if isinstance(value, timedelta) else value
    return GaugeMetricFamily(f"{PREFIX}_{name}", said, value=number)


def _by(name: str, said: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"{PREFIX}_{name}", said, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _by_two(name: str, said: str, labels: tuple[str, str], values: Mapping[tuple[str, str], float]) -> Metric:
    family = GaugeMetricFamily(f"{PREFIX}_{name}", said, labels=list(labels))
    for key, value in values.items():
        family.add_metric(list(key), value)
    return family


def _latency(seconds: list[float]) -> Metric:
    """Quantiles of the last moves of people; none if there are no such moves."""
    chosen = {str(share): seconds[int(share * (len(seconds) - 1))] for share in QUANTILES if seconds}
    return _by("move_seconds", "of the last moves, from arrival to stored", "quantile", chosen)
