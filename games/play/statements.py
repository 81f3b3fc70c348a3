"""The statements of `games.play.queries` that are asked with every move and every page: their SQL is made once."""

from collections.abc import Callable
from datetime import datetime
from functools import cache

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from games.play.models import Comment, Decision, Extension, Note, Vacation
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled, compiled_rows

ELSEWHERE = 8  # decisions in other games that are read
TALK_LINES = 100  # shown of the talk at a table
IS_ASKED = Q(status=Decision.Status.OPEN) | Q(is_sealed=True)
"""Of the decisions with the code of an open one: those that are open as far as everybody may know."""


@compiled("host")
def game_of(ref: str) -> QuerySet[Game]:
    """The game of this reference, its host, and the earliest of its deadlines."""
    rows = Game.objects.filter(ref=ref)
    return rows.annotate(next_due_at=_earliest(OuterRef("pk")))  # type: ignore[no-redef]  # the model says what it is where it is not read


@compiled("game", without=["game__state"])
def own_seat(ref: str, user: int) -> QuerySet[Seat]:
    """Where a person sits at a table, with the game but not its state, and the earliest of its deadlines."""
    return _own_seats(ref, user)


@compiled("game")
def own_seat_with_state(ref: str, user: int) -> QuerySet[Seat]:
    """The same with the state."""
    return _own_seats(ref, user)


def _own_seats(ref: str, user: int) -> QuerySet[Seat]:
    rows = Seat.objects.filter(game__ref=ref, user_id=user)
    return rows.annotate(next_due_at=_earliest(OuterRef("game")))


def _earliest(game: OuterRef) -> Subquery:
    due = Decision.objects.filter(game=game, status=Decision.Status.OPEN, due_at__isnull=False)
    return Subquery(due.order_by("due_at").values("due_at")[:1])


@compiled()
def open_of(game: int, seat: int) -> QuerySet[Decision]:
    """What one seat of a game is asked."""
    return Decision.objects.filter(game_id=game, seat_id=seat, status=Decision.Status.OPEN)


def asked_rows(game: int) -> QuerySet[Decision]:
    """The decisions a game waits on, as they were asked; of a sealed question the answered ones too: who has answered,
    which the database's own order of rows would tell, is secret."""
    waiting = Decision.objects.filter(game_id=game, status=Decision.Status.OPEN)  # few, however much was asked before
    asked = Decision.objects.filter(IS_ASKED, game_id=game, code__among=waiting.values("code"))
    return asked.select_related("seat").order_by("pk")


asked_of = compiled("seat")(asked_rows)


@cache
def asked_among(games: int) -> Callable[..., list[Decision]]:
    """What asks for the same with the seats, of so many games and then of the codes of what is open in them."""

    @compiled("seat")
    def ask(*values: int | str) -> QuerySet[Decision]:
        rows = Decision.objects.filter(IS_ASKED, game__pk__in=values[:games], code__in=values[games:])
        return rows.order_by("pk")

    return ask


@compiled_rows("game_id", "code")
def open_codes(*games: int) -> QuerySet[Decision]:
    """Game and code of what is open in these games."""
    return Decision.objects.filter(game__pk__in=games, status=Decision.Status.OPEN)


@compiled()
def seats_at(*games: int) -> QuerySet[Seat]:
    """The seats of these games, in order."""
    return Seat.objects.filter(game__pk__in=games).order_by("game", "number")


@compiled("game", "game__host", without=["game__state"])
def seats_of(user: int) -> QuerySet[Seat]:
    """A person's seats with their games and hosts, without the states."""
    return Seat.objects.filter(user_id=user)


@compiled()
def waiting_for(*seats: int) -> QuerySet[Decision]:
    """What waits for the people on these seats."""
    return Decision.objects.filter(seat__pk__in=seats, status=Decision.Status.OPEN, is_automatic=False)


@compiled("game", "seat", without=["game__state"])
def waiting_elsewhere(user: int, game: int) -> QuerySet[Decision]:
    """What waits for a person in other running games than this one, the most urgent first; a few of them."""
    rows = Decision.objects.filter(
        seat__user_id=user, status=Decision.Status.OPEN, is_automatic=False, game__status=Game.Status.RUNNING
    )
    rows = rows.filter(game__is_lesson=False, game__sandbox_of__isnull=True).exclude(game_id=game)
    return rows.order_by(F("due_at").asc(nulls_last=True), "pk")[:ELSEWHERE]


@compiled("decision", "decision__seat")
def extensions_of(game: int) -> QuerySet[Extension]:
    """Why deadlines of what a game waits on moved, newest first, with the seats that are asked."""
    rows = Extension.objects.filter(decision__in=asked_rows(game))
    return rows.order_by("-created_at")


@compiled()
def vacations_at(now: datetime, *users: int) -> QuerySet[Vacation]:
    """The vacations that these people are on."""
    return Vacation.objects.filter(user__pk__in=users, begins_at__lte=now, ends_at__gt=now)


@compiled()
def comments_of(game: int) -> QuerySet[Comment]:
    """The newest lines of the talk at a table, newest first."""
    return Comment.objects.filter(game_id=game).order_by("-pk")[:TALK_LINES]


@compiled()
def note_of(game: int, user: int) -> QuerySet[Note]:
    """What this person has noted for himself about a game."""
    return Note.objects.filter(game_id=game, user_id=user)
