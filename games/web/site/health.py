"""Health checks and metrics for programs that watch the service."""

from typing import NamedTuple

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from games.play.deadline_rule import HEART
from games.play.models import Heartbeat
from games.web import metrics
from notifications.channels.base import CHANNELS
from notifications.clock import present
from notifications.delivery.health import failing_channels
from notifications.models import ChannelHealth

OK = "ok"


class Part(NamedTuple):
    """One thing that must be well.

    Arguments:
        name: for people and programs.
        state: "ok", or what is wrong.
    """

    name: str
    state: str


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """This process answers. It asks nobody else: a restart would help against nothing but its own silence."""
    return HttpResponse(f"ok {settings.VERSION}", content_type="text/plain; charset=utf-8")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """The whole service does its work: 200, or 503 with what is wrong, within a minute and a half of a worker's end."""
    parts = _parts()
    is_well = all(part.state == OK for part in parts)
    said = {"status": OK if is_well else "failing", "parts": {part.name: part.state for part in parts}}
    return JsonResponse(said, status=200 if is_well else 503)


def _parts() -> list[Part]:
    try:
        is_complete = _Tables.are_complete()
        age = metrics.heartbeat_ages(present.now()).get(HEART) if is_complete else None
        dead = {row.channel: row for row in failing_channels()} if is_complete else {}
        is_writable = not is_complete or _takes_writes()
    except Error:
        return [Part("database", "cannot be reached")]
    if not is_writable:
        return [Part("database", "is read-only")]
    if not is_complete:
        return [Part("database", OK), Part("tables", "migrations are missing")]
    if age is None:
        worker = "has never been at work"
    else:
        worker = OK if age < metrics.LATE else f"was last at work {age.total_seconds():.0f} s ago"
    channels = [Part(kind, _state(dead.get(kind))) for kind, channel in CHANNELS.items() if channel.has_breaker]
    return [Part("database", OK), Part("tables", OK), Part("worker", worker), *channels]


def _state(failing: ChannelHealth | None) -> str:
    return OK if failing is None else f"{failing.failures} failures in a row: see the worker's log"


def _takes_writes() -> bool:
    """Whether the database lets itself be changed: a statement that would change it, and finds no row to change."""
    try:
        with transaction.atomic():
            Heartbeat.objects.filter(name="").update(beat_at=present.now())
    except Error:
        return False
    return True


class _Tables:
    """Whether the database has every table of this version. Once true it stays so while this process runs."""

    _complete = False

    @classmethod
    def are_complete(cls) -> bool:
        if not cls._complete:
            executor = MigrationExecutor(connection)
            cls._complete = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        return cls._complete


@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """The metrics in Prometheus' text format, for who knows METRICS_TOKEN; without one there is no such address."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    if not token or not constant_time_compare(given, f"Bearer {token}"):
        raise Http404
    return HttpResponse(metrics.render_metrics(present.now()), content_type=CONTENT_TYPE_LATEST)
