"""What the service has to do next, and when: one look at the database for all kinds of work.

Between two events of a simulated game nothing can become due, so most looks find nothing. They are therefore made once
for all kinds together, with statements that are compiled once in a process.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.db import connection

from games.models import Decision, Game, OrderDate
from games.orders import standing_orders
from games.play import automatic_answers, phase_boundaries
from games.tables import lifecycle
from games.timing import deadline_rule, deadlines, pauses
from notifications.delivery import sending
from notifications.models import OPEN_STATES, Delivery

Step = Callable[[datetime], bool]

STEPS: Mapping[str, Step] = {
    "phase": phase_boundaries.advance_one,
    "automatic": automatic_answers.answer_one,
    "deadline": deadlines.expire_one,
    "reminder": deadlines.remind_one,
    "pause": pauses.end_one,
    "order": standing_orders.end_one,
    "table": lifecycle.expire_one,
    "delivery": sending.deliver_one,
}
"""What workers do, in their order; each does one thing, and says whether there was one."""


def _instants() -> Mapping[str, tuple[Any, str]]:
    """By kind of work the rows that will be due, and the field that says when."""
    asked = Decision.objects.filter(status=Decision.Status.OPEN, game__quarantined_at__isnull=True)
    running = Game.objects.filter(status=Game.Status.RUNNING)
    return {
        "phase": (running.filter(advance_at__isnull=False, quarantined_at__isnull=True), "advance_at"),
        "automatic": (asked.filter(is_automatic=True), "opened_at"),
        "deadline": (asked.filter(is_automatic=False, due_at__isnull=False), "due_at"),
        "reminder": (Decision.objects.filter(status="open", remind_at__isnull=False), "remind_at"),
        "pause": (running.filter(pause_ends_at__isnull=False), "pause_ends_at"),
        "order": (OrderDate.objects.all(), "ends_at"),
        "table": (Game.objects.filter(status=Game.Status.OPEN), "expires_at"),
        "delivery": (Delivery.objects.filter(state__in=OPEN_STATES, attempt_after__isnull=False), "attempt_after"),
    }


@cache
def _statement() -> tuple[str, list[Any]]:
    """One statement for the first instant of every kind."""
    parts: list[str] = []
    params: list[Any] = []
    for rows, field in _instants().values():
        sql, values = rows.order_by(field).values_list(field)[:1].query.sql_with_params()
        parts.append(f"({sql})")
        params += values
    return "SELECT " + ", ".join(parts), params


def first_due() -> dict[str, datetime]:
    """By kind of work when there is something to do; kinds that have nothing are left out."""
    sql, params = _statement()
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found = cursor.fetchone()
    delays = {"deadline": deadline_rule.patience()}
    return {
        kind: _instant(value) + delays.get(kind, timedelta())
        for kind, value in zip(STEPS, found, strict=True)
        if value is not None
    }


def _instant(value: datetime | str) -> datetime:
    """SQLite says no zone; there it is UTC."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found if found.tzinfo else found.replace(tzinfo=UTC)
