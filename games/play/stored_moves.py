"""The moves of a game, wherever they are stored: in rows of their own, or packed when the game has long been over.

Whoever reads a log reads it here, and cannot tell which. While a worker packs a log, a reader may hold a game that was
read before: what is no longer in the one place is in the other.

A magic game of four leaves some 700 moves and as many questions: 400 kB as rows with their indexes, 55 kB packed. It is
packed `PACK_AFTER_DAYS` after the end, when nobody follows a link to a question of the game any more, one game in each
tick. The packed log is unpacked again and compared before a row is deleted.
"""

import logging
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import accumulate, pairwise
from operator import eq, ge, gt, le, lt
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, models, transaction
from django.db.models import Max, Model, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.people.models import User
from games.play.models import Decision, Extension, Move, PackedActor, PackedLog, Snapshot
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled, compiled_rows

# Rows as bytes, column by column, so that what is alike stands together. The moves of a magic game, 230 kB as rows,
# take 38 kB so, 23 of them hashes, which nothing makes smaller. zlib is part of Python: zstd and lzma would take 34 kB,
# but the one is a package more and the other slow to read.

Columns = dict[str, Sequence[Any]]
LEVEL = 9  # written once, read for years
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
HASH = 64  # hexadecimal digits of a SHA-256


def pack_columns(model: type[models.Model], columns: Columns) -> bytes:
    """Packs columns of a model's table.

    Arguments:
        columns: the values of each, by the name of its attribute ("actor_id").
    """
    written = {name: _coder(model, name)[0](values) for name, values in columns.items()}
    return zlib.compress(msgspec.msgpack.encode(written), LEVEL)


def unpack_columns(model: type[models.Model], data: bytes | memoryview) -> Columns:
    """Returns the columns that `pack` was given."""
    written: Columns = msgspec.msgpack.decode(zlib.decompress(data))
    return {name: _coder(model, name)[1](values) for name, values in written.items()}


def columns_of(rows: Iterable[models.Model], names: Sequence[str]) -> Columns:
    """Returns these attributes of rows, column by column."""
    every = list(rows)
    return {name: [getattr(row, name) for row in every] for name in names}


Code = Callable[[Any], Any]


def _coder(model: type[models.Model], name: str) -> tuple[Code, Code]:
    """How a column is written, and read again."""
    field = next(field for field in model._meta.concrete_fields if field.attname == name)
    if isinstance(field, models.DateTimeField):
        return _write_times, _read_times
    if isinstance(field, models.DurationField):
        return _write_durations, _read_durations
    if isinstance(field, models.BigAutoField):
        return _write_steps, _read_steps
    if isinstance(field, models.CharField) and field.max_length == HASH:
        return _write_hashes, _read_hashes
    return list, list


def _write_steps(numbers: Sequence[int | None]) -> list[int | None]:
    """Each number as how far it is from the one before: mostly small, and mostly the same."""
    shown = [number for number in numbers if number is not None]
    steps = iter([*shown[:1], *(after - before for before, after in pairwise(shown))])
    return [None if number is None else next(steps) for number in numbers]


def _read_steps(steps: Sequence[int | None]) -> list[int | None]:
    numbers = accumulate(step for step in steps if step is not None)
    return [None if step is None else next(numbers) for step in steps]


def _write_times(times: Sequence[datetime | None]) -> list[int | None]:
    return _write_steps([None if at is None else (at - EPOCH) // MICROSECOND for at in times])


def _read_times(steps: Sequence[int | None]) -> list[datetime | None]:
    return [None if at is None else EPOCH + at * MICROSECOND for at in _read_steps(steps)]


def _write_durations(durations: Sequence[timedelta | None]) -> list[int | None]:
    return [None if long is None else long // MICROSECOND for long in durations]


def _read_durations(durations: Sequence[int | None]) -> list[timedelta | None]:
    return [None if long is None else long * MICROSECOND for long in durations]


def _write_hashes(hashes: Sequence[str]) -> bytes | list[str]:
    """The bytes that they are the digits of; as they are if one of them is no hash."""
    try:
        digests = [bytes.fromhex(digest) for digest in hashes]
    except ValueError:
        return list(hashes)
    is_exact = all(
        digest.hex() == expected and len(expected) == HASH for digest, expected in zip(digests, hashes, strict=True)
    )
    return b"".join(digests) if is_exact else list(hashes)


def _read_hashes(written: bytes | list[str]) -> list[str]:
    if isinstance(written, list):
        return written
    size = HASH // 2
    return [written[at : at + size].hex() for at in range(0, len(written), size)]


logger = logging.getLogger(__name__)
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
        places = list(range(len(self.column("seq"))))
        for lookup, wanted in where.items():
            name, _dash, match = lookup.partition("__")
            fits, values = MATCHES[match], self.column(name)
            places = [place for place in places if values[place] is not None and fits(values[place], wanted)]
        return places

    def find(self, game: Game, **where: Any) -> list[Move]:
        """Returns the moves that fit, in order."""
        return [self._move(game, place) for place in self.places(where)]

    def values(self, names: Sequence[str], where: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Returns these attributes of the moves that fit."""
        wanted = [self.column(name) for name in names]
        return [tuple(column[place] for column in wanted) for place in self.places(where)]

    def count_questions(self, seat: Seat) -> int:
        """Returns how many packed questions with a deadline a player of this seat has answered."""
        questions = self.questions
        rows = zip(
            questions["seat_id"], questions["status"], questions["is_automatic"], questions["due_at"], strict=True
        )
        answered = ((key, status, automatic) for key, status, automatic, due_at in rows if due_at is not None)
        return sum(row == (seat.pk, Decision.Status.ANSWERED, False) for row in answered)

    @cached_property
    def questions(self) -> Columns:
        """The packed decisions of the game, column by column."""
        return unpack_columns(Decision, self.log.questions)

    @cached_property
    def _facts(self) -> Columns:
        columns = unpack_columns(Move, self.log.facts)
        actors = _actors(self.log.pk) if self._known_actors is None else self._known_actors
        users = {actor.number: actor.user_id for actor in actors}
        return {**columns, "actor_id": [users.get(number) for number in columns["actor_id"]]}

    @cached_property
    def _texts(self) -> Columns:
        return unpack_columns(Move, self.log.texts)

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


@compiled()
def _ended_at(game: int, seq: int) -> QuerySet[Move]:
    """The move of this number, if it ended what stood in for a player until he answers."""
    return Move.objects.filter(game_id=game, seq=seq, kind=Move.Kind.ORDERS, source=Move.Source.ADVANCE)


@compiled()
def _newest_moves(game: int, begin: int) -> QuerySet[Move]:
    """The moves of a game behind the last one that began with this public event or an earlier one, in order."""
    older = Move.objects.filter(game_id=game, first_public__lte=begin).order_by("-seq").values("seq")[:1]
    return Move.objects.filter(game_id=game, seq__gt=Coalesce(Subquery(older), 0)).order_by("seq")


@compiled()
def _moves_between(game: int, first: int, last: int) -> QuerySet[Move]:
    """The moves of a game from one number to another, both included, in order."""
    return Move.objects.filter(game_id=game, seq__gte=first, seq__lte=last).order_by("seq")


@compiled_rows("seq")
def last_answer_of(game: int, seat: int) -> QuerySet[Move]:
    """The number of the last answer from this seat, if there is one."""
    own = Move.objects.filter(game_id=game, seat=seat, kind=Move.Kind.ANSWER)
    return own.order_by("-seq")[:1]


@compiled_rows("first_public")
def _first_publics(game: int, most: int) -> QuerySet[Move]:
    return Move.objects.filter(game_id=game, first_public__lte=most).order_by("first_public").distinct()


@compiled()
def _moves_with_key(game: int, key: str) -> QuerySet[Move]:
    """The move of a game that was made with an idempotency key."""
    return Move.objects.filter(~Q(idempotency_key=""), game_id=game, idempotency_key=key)


def packed(game: Game) -> PackedMoves | None:
    """Returns the packed log of a game; None if its moves are in rows."""
    if game.packed_moves is None:
        game.packed_moves = next(map(PackedMoves, _logs(game.pk)), None)
    log: PackedMoves | None = game.packed_moves
    return log


def packed_among(games: Collection[int]) -> dict[int, PackedMoves]:
    """Returns those of these games whose logs are packed, with what is short in them, by primary key."""
    rows = PackedLog.objects.filter(pk__in=games).defer("texts", "extensions").prefetch_related("actors")
    return {row.pk: PackedMoves(row, row.actors.all()) for row in rows}


def _look(game: Game, in_rows: Callable[[], list[Found]], in_pack: Callable[[PackedMoves], list[Found]]) -> list[Found]:
    """Returns what is found in the one place or the other."""
    log = packed(game) if game.is_packed else None
    if log is not None:
        return in_pack(log)
    rows = in_rows()
    if not rows and game.is_over:
        log = packed(game)  # packed since the game was read
    return rows if log is None else in_pack(log)


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
    moves = _look(
        game,
        lambda: list(game.moves.filter(**where).order_by("-seq")[:1]),
        lambda log: log.find(game, **where)[-1:],
    )
    return moves[0] if moves else None


def between(game: Game, first: int, last: int) -> list[Move]:
    """Returns the moves from one number to another, both included, in order."""
    return _look(
        game,
        lambda: _moves_between(game.pk, first, last),
        lambda log: log.find(game, seq__gte=first, seq__lte=last),
    )


def newest(game: Game, begin: int) -> list[Move]:
    """Returns the moves behind the last one that began with this public event or an earlier one, in order."""

    def in_pack(log: PackedMoves) -> list[Move]:
        older = log.values(["seq"], {"first_public__lte": begin})
        return log.find(game, seq__gt=older[-1][0] if older else 0)

    return _look(game, lambda: _newest_moves(game.pk, begin), in_pack)


def ended_at(game: Game, seq: int) -> list[Move]:
    """Returns the move of this number, if it ended what stood in for a player until he answers."""
    facts = {"kind": Move.Kind.ORDERS, "source": Move.Source.ADVANCE}
    return _look(game, lambda: _ended_at(game.pk, seq), lambda log: log.find(game, seq=seq, **facts))


def last_answer(game: Game, seat: int) -> int:
    """Returns the number of the last answer from a seat, 0 if there is none."""

    def in_pack(log: PackedMoves) -> list[Sequence[int]]:
        return list(log.values(["seq"], {"seat": seat, "kind": Move.Kind.ANSWER})[-1:])

    rows = _look(game, lambda: list(last_answer_of(game.pk, seat)), in_pack)
    return rows[0][0] if rows else 0


def with_key(game: Game, key: str) -> Move | None:
    """Returns the move that was made with an idempotency key, None if there is none, or no key."""
    if not key:
        return None
    moves = _look(
        game,
        lambda: _moves_with_key(game.pk, key),
        lambda log: log.find(game, idempotency_key=key),
    )
    return moves[0] if moves else None


def first_publics(game: Game) -> list[int]:
    """Returns the number of the first public event of each step, in order; hidden moves share that of the next step."""

    def in_pack(log: PackedMoves) -> list[int]:
        return sorted({first for first in log.column("first_public") if first <= game.public_events})

    return _look(game, lambda: [first for (first,) in _first_publics(game.pk, game.public_events)], in_pack)


def of_spans(game: Game, spans: Iterable[tuple[int, int]]) -> list[Move]:
    """Returns the moves whose numbers are in one of these spans, both ends included, in order."""
    wanted = sorted(spans)
    return [move for first, last in wanted for move in between(game, first, last)]


def begin_behind(game: Game, number: int) -> int:
    """Returns with which move the log behind a public event begins; hidden moves before it go with it."""
    first = game.moves.filter(first_public__lte=number + 1).order_by("-seq").values("first_public")[:1]
    older = game.moves.filter(first_public__lt=first).order_by("-seq").values_list("seq", flat=True)[:1]

    def in_pack(log: PackedMoves) -> list[int]:
        firsts = log.values(["first_public"], {"first_public__lte": number + 1})[-1:]
        return [seq for (seq,) in log.values(["seq"], {"first_public__lt": firsts[0][0]})[-1:]] if firsts else []

    rows = _look(game, lambda: list(older), in_pack)
    return rows[0] + 1 if rows else 1


def packed_moves_by(user: User, names: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Yields what somebody has answered as a person in games whose logs are packed: these columns, and `game__ref`."""
    logs = PackedLog.objects.filter(actors__user=user).select_related("game")
    own = {"actor_id": user.pk, "source__in": Move.PEOPLE}
    logs = logs.defer("game__state", "questions", "extensions").prefetch_related("actors").order_by("pk")
    for log in logs.iterator(chunk_size=50):
        for row in PackedMoves(log, log.actors.all()).values(names, own):
            yield {"game__ref": log.game.ref, **dict(zip(names, row, strict=True))}


# Packing the log of a game that is over

Row = TypeVar("Row", bound=Model)
AT_ONCE = 1  # game that a tick packs: it takes up to 0.15 s, and other work waits meanwhile
AGAIN_AFTER = timedelta(days=1)  # when a log could not be packed


def pack_due(now: datetime) -> None:
    """Packs a few logs that are due. One that cannot be packed is logged, and tried again a day later."""
    for (key,) in _due_for_packing(now):
        try:
            pack_log(key, now)
        except Exception:  # the others must not wait for it; its rows stay as they are
            logger.exception("The log of game %s could not be packed", key)
            Game.objects.filter(pk=key).update(pack_at=now + AGAIN_AFTER)


@compiled_rows("pk")
def _due_for_packing(now: datetime) -> QuerySet[Game]:
    """The keys of the first that are due: ordered, so that none but the index of what is to be packed is read."""
    return Game.objects.filter(pack_at__lte=now).order_by("pack_at")[:AT_ONCE]


def packing_due_at(game: Game, now: datetime) -> datetime | None:
    """Returns when the log of a game that ends now is packed; None for never, as of practice, which is removed."""
    days = settings.PACK_AFTER_DAYS
    return now + timedelta(days=days) if days and not game.is_practice else None


def to_pack(now: datetime) -> QuerySet[Game]:
    """Returns the games whose logs could be packed by their age, whether or not a worker will."""
    ended = now - timedelta(days=settings.PACK_AFTER_DAYS)
    over = Game.objects.filter(status__in=(Game.Status.FINISHED, Game.Status.CLOSED), is_packed=False)
    return over.filter(started_at__isnull=False, finished_at__lte=ended).exclude(PRACTICE)


@transaction.atomic
def pack_log(key: int, now: datetime) -> bool:
    """Packs the log of a game. Returns False, with nothing changed, if it is packed already, not over, for practice,
    or held by somebody else.

    Raises ValueError if what was packed does not read as the rows do.
    """
    game = Game.objects.select_for_update(skip_locked=True).defer("state").filter(pk=key).exclude(PRACTICE).first()
    if game is None or not game.is_over or game.is_packed:
        return False
    rows = list(game.moves.order_by("seq"))
    questions = list(_old_questions(game).order_by("pk"))
    moved = list(Extension.objects.filter(decision__in=questions).order_by("pk"))
    numbers = _write_log(game, rows, questions, moved, now)
    _compare(game, rows, questions, moved, numbers)
    Move.objects.filter(game=game).delete()
    Decision.objects.filter(pk__in=[row.pk for row in questions]).delete()  # what hangs on them goes with them
    Snapshot.objects.filter(game=game).delete()  # made again when somebody steps through the game
    Game.objects.filter(pk=key).update(is_packed=True, pack_at=None)
    return True


def _old_questions(game: Game) -> QuerySet[Decision]:
    """Finds the questions that a seat no longer needs: the newest takes talk by email."""
    newest = Decision.objects.filter(game=game).order_by().values("seat").annotate(key=Max("pk")).values("key")
    return Decision.objects.filter(game=game).exclude(pk__in=newest)


def _write_log(
    game: Game, rows: Sequence[Move], questions: Sequence[Decision], moved: Sequence[Extension], now: datetime
) -> dict[int | None, int | None]:
    """Stores the packed log; returns which number stands for which account."""
    users = dict.fromkeys(row.actor_id for row in rows if row.actor_id is not None)
    numbers: dict[int | None, int | None] = {None: None, **{user: number for number, user in enumerate(users)}}
    log = packed_log(game, rows, questions, moved, numbers, now)
    log.save(force_insert=True)
    PackedActor.objects.bulk_create(
        PackedActor(log=log, number=number, user_id=user) for number, user in enumerate(users)
    )
    return numbers


def packed_log(
    game: Game,
    rows: Sequence[Move],
    questions: Sequence[Decision],
    moved: Sequence[Extension],
    numbers: Mapping[int | None, int | None],
    now: datetime,
) -> PackedLog:
    """Packs the log of a stored game; nothing is stored.

    Arguments:
        numbers: which one stands for which account.
    """
    facts = columns_of(rows, SHORT)
    facts["actor_id"] = [numbers[user] for user in facts["actor_id"]]
    return PackedLog(
        game=game,
        facts=pack_columns(Move, facts),
        texts=pack_columns(Move, columns_of(rows, LONG)),
        questions=pack_columns(Decision, columns_of(questions, _names(Decision, "game_id"))),
        extensions=pack_columns(Extension, columns_of(moved, _names(Extension))),
        packed_at=now,
    )


def _names(model: type[Model], *without: str) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if field.attname not in without]


def _compare(
    game: Game, rows: Iterable[Move], questions: Iterable[Decision], moved: Iterable[Extension], numbers: object
) -> None:
    """Raises ValueError unless the packed log, as the database has it, reads as the rows do."""
    log = PackedLog.objects.get(pk=game.pk)
    for model, before, after in (
        (Move, rows, PackedMoves(log).find(game)),
        (Decision, questions, _questions(log)),
        (Extension, moved, _rows(Extension, log.extensions)),
    ):
        if [_values(model, row) for row in before] != [_values(model, row) for row in after]:
            raise ValueError(f"the {model._meta.verbose_name_plural} of game {game.ref} would change by being packed")


def _values(model: type[Model], row: Model) -> list[object]:
    return [getattr(row, name) for name in _names(model)]


def _rows(model: type[Row], data: bytes | memoryview, **more: object) -> list[Row]:
    """The rows that were packed, with their primary keys, not stored."""
    columns = unpack_columns(model, data)
    lines = zip(*columns.values(), strict=True)
    return [model(**dict(zip(columns, line, strict=True)), **more) for line in lines]


def _questions(log: PackedLog) -> list[Decision]:
    return _rows(Decision, log.questions, game_id=log.pk)
