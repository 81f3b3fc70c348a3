"""Packs the log of a game that is over: its moves and questions become one row, in one transaction.

A magic game of four leaves some 700 moves and as many questions: 400 kB as rows with their indexes, 55 kB packed. It is
done `PACK_AFTER_DAYS` after the end, when nobody follows a link to a question of the game any more, one game in each
tick. What was packed is unpacked again and compared before a row is deleted.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Model, QuerySet

from games.play import columns, stored_moves
from games.play.models import Decision, Extension, Move, PackedActor, PackedLog, Snapshot
from games.tables.models import PRACTICE, Game
from notifications.database.compiled_query import compiled_rows

Row = TypeVar("Row", bound=Model)
logger = logging.getLogger(__name__)
AT_ONCE = 1  # game that a tick packs: it takes up to 0.15 s, and other work waits meanwhile
AGAIN_AFTER = timedelta(days=1)  # when a log could not be packed
IN_ONE_STATEMENT = 500  # rows that are written back


def pack_due(now: datetime) -> None:
    """Packs a few logs that are due. One that cannot be packed is logged, and tried again a day later."""
    for (key,) in _due(now):
        try:
            pack(key, now)
        except Exception:  # the others must not wait for it; its rows stay as they are
            logger.exception("The log of game %s could not be packed", key)
            Game.objects.filter(pk=key).update(pack_at=now + AGAIN_AFTER)


@compiled_rows("pk")
def _due(now: datetime) -> QuerySet[Game]:
    """The keys of the first that are due: ordered, so that none but the index of what is to be packed is read."""
    return Game.objects.filter(pack_at__lte=now).order_by("pack_at")[:AT_ONCE]


def due_at(game: Game, now: datetime) -> datetime | None:
    """Returns when the log of a game that ends now is packed; None for never, as of practice, which is removed."""
    days = settings.PACK_AFTER_DAYS
    return now + timedelta(days=days) if days and not game.is_practice else None


def to_pack(now: datetime) -> QuerySet[Game]:
    """Returns the games whose logs could be packed by their age, whether or not a worker will."""
    ended = now - timedelta(days=settings.PACK_AFTER_DAYS)
    over = Game.objects.filter(status__in=(Game.Status.FINISHED, Game.Status.CLOSED), is_packed=False)
    return over.filter(started_at__isnull=False, finished_at__lte=ended).exclude(PRACTICE)


@transaction.atomic
def pack(key: int, now: datetime) -> bool:
    """Packs the log of a game. Returns False, with nothing changed, if it is packed already, not over, for practice,
    or held by somebody else.

    Raises ValueError if what was packed does not read as the rows do.
    """
    game = Game.objects.select_for_update(skip_locked=True).defer("state").filter(pk=key).exclude(PRACTICE).first()
    if game is None or not game.is_over or game.is_packed:
        return False
    rows = list(game.moves.order_by("seq"))
    asked = list(_old_questions(game).order_by("pk"))
    moved = list(Extension.objects.filter(decision__in=asked).order_by("pk"))
    numbers = _write(game, rows, asked, moved, now)
    _compare(game, rows, asked, moved, numbers)
    Move.objects.filter(game=game).delete()
    Decision.objects.filter(pk__in=[row.pk for row in asked]).delete()  # what hangs on them goes with them
    Snapshot.objects.filter(game=game).delete()  # made again when somebody steps through the game
    Game.objects.filter(pk=key).update(is_packed=True, pack_at=None)
    return True


def _old_questions(game: Game) -> QuerySet[Decision]:
    """All but the newest of each seat, by which talk at the table can still be answered by email."""
    newest = Decision.objects.filter(game=game).order_by().values("seat").annotate(key=Max("pk")).values("key")
    return Decision.objects.filter(game=game).exclude(pk__in=newest)


def _write(
    game: Game, rows: Sequence[Move], asked: Sequence[Decision], moved: Sequence[Extension], now: datetime
) -> dict[int | None, int | None]:
    """Stores the packed log; returns which number stands for which account."""
    users = dict.fromkeys(row.actor_id for row in rows if row.actor_id is not None)
    numbers: dict[int | None, int | None] = {None: None, **{user: number for number, user in enumerate(users)}}
    facts = columns.columns_of(rows, stored_moves.SHORT)
    facts["actor_id"] = [numbers[user] for user in facts["actor_id"]]
    log = PackedLog.objects.create(
        game=game,
        facts=columns.pack(Move, facts),
        texts=columns.pack(Move, columns.columns_of(rows, stored_moves.LONG)),
        questions=columns.pack(Decision, columns.columns_of(asked, _names(Decision, "game_id"))),
        extensions=columns.pack(Extension, columns.columns_of(moved, _names(Extension))),
        packed_at=now,
    )
    PackedActor.objects.bulk_create(
        PackedActor(log=log, number=number, user_id=user) for number, user in enumerate(users)
    )
    return numbers


def _names(model: type[Model], *without: str) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if field.attname not in without]


def _compare(
    game: Game, rows: Iterable[Move], asked: Iterable[Decision], moved: Iterable[Extension], numbers: object
) -> None:
    """Raises ValueError unless the packed log, as the database has it, reads as the rows do."""
    log = PackedLog.objects.get(pk=game.pk)
    for model, before, after in (
        (Move, rows, stored_moves.PackedMoves(log).find(game)),
        (Decision, asked, _questions(log)),
        (Extension, moved, _rows(Extension, log.extensions)),
    ):
        if [_values(model, row) for row in before] != [_values(model, row) for row in after]:
            raise ValueError(f"the {model._meta.verbose_name_plural} of game {game.ref} would change by being packed")


def _values(model: type[Model], row: Model) -> list[object]:
    return [getattr(row, name) for name in _names(model)]


def _rows(model: type[Row], data: bytes | memoryview, **more: object) -> list[Row]:
    """The rows that were packed, with their primary keys, not stored."""
    found = columns.unpack(model, data)
    lines = zip(*found.values(), strict=True)
    return [model(**dict(zip(found, line, strict=True)), **more) for line in lines]


def _questions(log: PackedLog) -> list[Decision]:
    return _rows(Decision, log.questions, game_id=log.pk)


@transaction.atomic
def unpack(key: int) -> bool:
    """Writes the rows of a packed log again, as they were. Returns False if the game's log is not packed.

    No worker packs it again by itself.
    """
    game = Game.objects.select_for_update().defer("state").get(pk=key)
    log = PackedLog.objects.filter(pk=key).first()
    if log is None:
        return False
    rows = stored_moves.PackedMoves(log).find(game)
    Move.objects.bulk_create(rows, IN_ONE_STATEMENT)
    Decision.objects.bulk_create(_questions(log), IN_ONE_STATEMENT)
    Extension.objects.bulk_create(_rows(Extension, log.extensions), IN_ONE_STATEMENT)
    log.delete()
    Game.objects.filter(pk=key).update(is_packed=False, pack_at=None)
    return True
