"""Decisions as everybody may know them: of a sealed one nobody sees who has answered, or when, until it is closed.

The columns of the table know more: `status`, `closed_at`, `due_at`, `is_automatic` and `kept_answer` of a sealed
decision change with its seat's answer. The admin reads decisions through this module only.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Concat, Substr

from games.play.models import SUBJECT, Decision
from games.play.notify import THREAD
from games.tables.models import Game

Named = TypeVar("Named", Decision, Game)


def asked(decisions: QuerySet[Decision]) -> QuerySet[Decision]:
    """The decisions with `is_asked` and `public_due_at`: the same for all seats that were asked a sealed question."""
    same = Decision.objects.filter(game=OuterRef("game"), code=OuterRef("code"))
    open_ones = same.filter(status=Decision.Status.OPEN)
    return decisions.annotate(
        is_asked=Exists(open_ones.filter(Q(seat=OuterRef("seat")) | Q(is_sealed=True))),
        public_due_at=Subquery(same.filter(due_at__isnull=False).order_by("-due_at").values("due_at")[:1]),
    )


def running_subjects(subject: OuterRef) -> QuerySet[Decision]:
    """The question of a running game that notices or answers by mail with this subject are about."""
    return _named(Decision.objects.filter(game__status=Game.Status.RUNNING), SUBJECT, subject)


def sealed_subjects(subject: OuterRef) -> QuerySet[Decision]:
    """The same, if it is sealed: who was reminded or excused had not answered.

    That it has been closed since changes nothing: how soon somebody knew what to answer, and whether he was there to
    answer, is his own affair as long as he plays.
    """
    return running_subjects(subject).filter(is_sealed=True)


def running_threads(thread: OuterRef) -> QuerySet[Game]:
    """The running game of a thread."""
    return _named(Game.objects.filter(status=Game.Status.RUNNING), THREAD, thread)


def _named(rows: QuerySet[Named], before: str, name: OuterRef) -> QuerySet[Named]:
    """Those with the reference that stands behind these letters in a name; they are found by it, not compared all."""
    rows = rows.annotate(called=Concat(Value(before), F("ref"))).filter(Q(("called", name)))
    return rows.filter(ref=Substr(name, len(before) + 1))


def with_asked(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games, each with `asked_now`: what it waits for."""
    rows = asked(Decision.objects.all()).filter(Q(("is_asked", True))).select_related("seat").order_by("seat__number")
    return games.prefetch_related("seats", Prefetch("decisions", rows, to_attr="asked_now"))


def asked_now(game: Game) -> list[Decision]:
    """What a game that came from `with_asked` waits for."""
    rows: list[Decision] = getattr(game, "asked_now", [])
    return rows


def due_of(row: Decision) -> datetime | None:
    """When an asked decision is due."""
    due: datetime | None = getattr(row, "public_due_at", None)
    return due


def is_asked(row: Decision) -> bool:
    """True while the game waits for it, as far as anybody may know."""
    return bool(getattr(row, "is_asked", False))


def since(rows: Iterable[Decision]) -> datetime | None:
    """How long a game has been waiting."""
    return min((row.opened_at for row in rows), default=None)


def next_due(rows: Iterable[Decision]) -> datetime | None:
    """The next deadline of these."""
    return min((due for row in rows if (due := due_of(row))), default=None)
