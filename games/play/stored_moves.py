"""The moves of a game, wherever they are stored: in rows of their own, or packed when the game has long been over.

Whoever reads a log reads it here, and cannot tell which. While a worker packs a log, a reader may hold a game that was
read before: what is no longer in the one place is in the other.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from operator import eq, ge, gt, le, lt
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet

from games.people.models import User
from games.play import columns, statements
from games.play.models import Decision, Move, PackedActor, PackedLog
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled

Found = TypeVar("Found")
SHORT = ("id", "seq", "kind", "seat", "first_public", "source", "actor_id", "received_at", "made_at")
LONG = ("decision", "action", "events", "idempotency_key", "chain")
EVERY = {field.attname: field for field in Move._meta.concrete_fields}
MATCHES: dict[str, Callable[[Any, Any], bool]] = {
    "": eq, "lt": lt, "lte": le, "gt": gt, "gte": ge, "in": lambda value, among: value in among,
}  # fmt: skip


class PackedMoves:
    """A packed log. Its parts are unpacked when they are asked for: most readers want a few moves, or short facts.

    Arguments:
        actors: its actors, if the caller has read them; None to read them when they are asked for.
    """

    def __init__(self, log: PackedLog, actors: Iterable[PackedActor] | None = None) -> None:
        self.log = log
        self._known_actors = actors

    def column(self, name: str) -> Sequence[Any]:
        """Returns one attribute of all moves, in order."""
        return (self._texts if name in LONG else self._facts)[name]

    def places(self, where: dict[str, Any]) -> list[int]:
        """Returns which moves fit, counted from 0; `where` as of `find`."""
        found = list(range(len(self.column("seq"))))
        for lookup, wanted in where.items():
            name, _dash, match = lookup.partition("__")
            fits, values = MATCHES[match], self.column(name)
            found = [place for place in found if values[place] is not None and fits(values[place], wanted)]
        return found

    def find(self, game: Game, **where: Any) -> list[Move]:
        """Returns the moves that fit, in order."""
        return [self._move(game, place) for place in self.places(where)]

    def values(self, names: Sequence[str], where: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Returns these attributes of the moves that fit."""
        wanted = [self.column(name) for name in names]
        return [tuple(column[place] for column in wanted) for place in self.places(where)]

    def count_questions(self, seat: Seat) -> int:
        """Returns how many packed questions with a deadline a player of this seat has answered."""
        asked = self.questions
        rows = zip(asked["seat_id"], asked["status"], asked["is_automatic"], asked["due_at"], strict=True)
        answered = ((key, status, automatic) for key, status, automatic, due_at in rows if due_at is not None)
        return sum(one == (seat.pk, Decision.Status.ANSWERED, False) for one in answered)

    @cached_property
    def questions(self) -> columns.Columns:
        """The packed decisions of the game, column by column."""
        return columns.unpack(Decision, self.log.questions)

    @cached_property
    def _facts(self) -> columns.Columns:
        found = columns.unpack(Move, self.log.facts)
        actors = _actors(self.log.pk) if self._known_actors is None else self._known_actors
        users = {actor.number: actor.user_id for actor in actors}
        return {**found, "actor_id": [users.get(number) for number in found["actor_id"]]}

    @cached_property
    def _texts(self) -> columns.Columns:
        return columns.unpack(Move, self.log.texts)

    def _move(self, game: Game, place: int) -> Move:
        stored = {name: self.column(name)[place] for name in (*SHORT, *LONG)} | {"game_id": game.pk}
        values = [stored[name] if name in stored else field.get_default() for name, field in EVERY.items()]
        move = Move.from_db(DEFAULT_DB_ALIAS, list(EVERY), values)
        move.game = game
        return move


@compiled()
def _logs(game: int) -> QuerySet[PackedLog]:
    return PackedLog.objects.filter(game_id=game)


@compiled()
def _actors(log: int) -> QuerySet[PackedActor]:
    return PackedActor.objects.filter(log_id=log)


def packed(game: Game) -> PackedMoves | None:
    """Returns the packed log of a game; None if its moves are in rows."""
    if game.packed_moves is None:
        game.packed_moves = next(map(PackedMoves, _logs(game.pk)), None)
    return game.packed_moves


def packed_among(games: Collection[int]) -> dict[int, PackedMoves]:
    """Returns those of these games whose logs are packed, with what is short in them, by primary key."""
    rows = PackedLog.objects.filter(pk__in=games).defer("texts", "extensions").prefetch_related("actors")
    return {row.pk: PackedMoves(row, row.actors.all()) for row in rows}


def _look(game: Game, in_rows: Callable[[], list[Found]], in_pack: Callable[[PackedMoves], list[Found]]) -> list[Found]:
    """Returns what is found in the one place or the other."""
    log = packed(game) if game.is_packed else None
    if log is not None:
        return in_pack(log)
    found = in_rows()
    if not found and game.is_over:
        log = packed(game)  # packed since the game was read
    return found if log is None else in_pack(log)


def find(game: Game, **where: Any) -> list[Move]:
    """Returns the moves of a game that fit, in order.

    Arguments:
        where: what they must be, as for `QuerySet.filter`: columns alone, or with lt, lte, gt, gte, in.
    """
    return _look(
        game,
        lambda: list(game.moves.filter(**where).order_by("seq")),
        lambda log: log.find(game, **where),
    )


def values(game: Game, *names: str, **where: Any) -> list[tuple[Any, ...]]:
    """Returns these columns of the moves that fit, in order; `where` as of `find`."""
    return _look(
        game,
        lambda: list(game.moves.filter(**where).order_by("seq").values_list(*names)),
        lambda log: log.values(names, where),
    )


def last(game: Game, **where: Any) -> Move | None:
    """Returns the last of the moves that fit, None if there is none; `where` as of `find`."""
    found = _look(
        game,
        lambda: list(game.moves.filter(**where).order_by("-seq")[:1]),
        lambda log: log.find(game, **where)[-1:],
    )
    return found[0] if found else None


def between(game: Game, first: int, last: int) -> list[Move]:
    """Returns the moves from one number to another, both included, in order."""
    return _look(
        game,
        lambda: statements.moves_between(game.pk, first, last),
        lambda log: log.find(game, seq__gte=first, seq__lte=last),
    )


def newest(game: Game, begin: int) -> list[Move]:
    """Returns the moves behind the last one that began with this public event or an earlier one, in order."""

    def in_pack(log: PackedMoves) -> list[Move]:
        older = log.values(["seq"], {"first_public__lte": begin})
        return log.find(game, seq__gt=older[-1][0] if older else 0)

    return _look(game, lambda: statements.newest_moves(game.pk, begin), in_pack)


def ended_at(game: Game, seq: int) -> list[Move]:
    """Returns the move of this number, if it ended what stood in for a player until he answers."""
    facts = {"kind": Move.Kind.ORDERS, "source": Move.Source.ADVANCE}
    return _look(game, lambda: statements.ended_at(game.pk, seq), lambda log: log.find(game, seq=seq, **facts))


def last_answer(game: Game, seat: int) -> int:
    """Returns the number of the last answer from a seat, 0 if there is none."""

    def in_pack(log: PackedMoves) -> list[Sequence[int]]:
        return list(log.values(["seq"], {"seat": seat, "kind": Move.Kind.ANSWER})[-1:])

    found = _look(game, lambda: list(statements.last_answer_of(game.pk, seat)), in_pack)
    return found[0][0] if found else 0


def with_key(game: Game, key: str) -> Move | None:
    """Returns the move that was made with an idempotency key, None if there is none, or no key."""
    if not key:
        return None
    found = _look(
        game,
        lambda: statements.moves_with_key(game.pk, key),
        lambda log: log.find(game, idempotency_key=key),
    )
    return found[0] if found else None


def first_publics(game: Game) -> list[int]:
    """Returns the number of the first public event of each step, in order; hidden moves share that of the next step."""
    rows = game.moves.filter(first_public__lte=game.public_events).order_by("first_public")

    def in_pack(log: PackedMoves) -> list[int]:
        return sorted({first for first in log.column("first_public") if first <= game.public_events})

    return _look(game, lambda: list(rows.values_list("first_public", flat=True).distinct()), in_pack)


def of_spans(game: Game, spans: Iterable[tuple[int, int]]) -> list[Move]:
    """Returns the moves whose numbers are in one of these spans, both ends included, in order."""
    wanted = sorted(spans)
    return [move for first, last in wanted for move in between(game, first, last)]


def begin_behind(game: Game, number: int) -> int:
    """Returns with which move the log behind a public event begins; hidden moves before it go with it."""
    known = game.moves.filter(first_public__lte=number + 1).order_by("-seq").values("first_public")[:1]
    older = game.moves.filter(first_public__lt=known).order_by("-seq").values_list("seq", flat=True)[:1]

    def in_pack(log: PackedMoves) -> list[int]:
        known = log.values(["first_public"], {"first_public__lte": number + 1})[-1:]
        return [seq for (seq,) in log.values(["seq"], {"first_public__lt": known[0][0]})[-1:]] if known else []

    found = _look(game, lambda: list(older), in_pack)
    return found[0] + 1 if found else 1


def packed_moves_by(user: User, names: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Yields what somebody has answered as a person in games whose logs are packed: these columns, and `game__ref`."""
    logs = PackedLog.objects.filter(actors__user=user).select_related("game")
    own = {"actor_id": user.pk, "source__in": Move.PEOPLE}
    logs = logs.defer("game__state", "questions", "extensions").prefetch_related("actors").order_by("pk")
    for log in logs.iterator(chunk_size=50):
        for found in PackedMoves(log, log.actors.all()).values(names, own):
            yield {"game__ref": log.game.ref, **dict(zip(names, found, strict=True))}
