"""Answers for seats that are not waited for: bots, absent and resigned seats."""

import hashlib
import logging
from datetime import datetime
from random import Random

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.errors import Conflict, Illegal, Quarantined
from games.play import game_moves, locking
from games.play.models import Decision, Move
from games.tables.models import Game, by_known_rules
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled

logger = logging.getLogger(__name__)
SUBSTITUTE = "greedy"  # the bot that stands in for a person
ABSENT_BOTS = {  # that answer for absent players
    Game.AbsentSeats.EASY_BOT: "random",
    Game.AbsentSeats.BOT: SUBSTITUTE,
    Game.AbsentSeats.STRONG_BOT: "sultan",
}
MOST_IN_A_ROW = 20  # answers at one table before others have their turn


class BotTurns:
    """Runs bots in a worker: it stays at one table as long as bots are asked there, and keeps its state."""

    def __init__(self) -> None:
        self._game: int | None = None
        self._made = 0  # answers at this table, without a break

    def answer_one(self, now: datetime) -> bool:
        """Answers one decision, at the table where the last one was if bots are asked there. Returns whether there was
        one."""
        row = self._next_here() or self._first_elsewhere(now)
        if row is None:
            return False
        self._made += 1
        _answer_by_bot(row, now, now + locking.HOLD)
        return True

    def leave(self) -> None:
        """Lets others take what is still held."""
        if self._game is not None:
            locking.release_holds(_asked_in(self._game))
            self._game = None

    def _next_here(self) -> Decision | None:
        if self._game is None or self._made < MOST_IN_A_ROW:
            return None if self._game is None else _first_in(self._game)
        self.leave()
        return None

    def _first_elsewhere(self, now: datetime) -> Decision | None:
        self._game = None
        while row := next(iter(_due(now)), None):
            if locking.take_hold(_asked_in(row.game_id), now):
                self._game, self._made = row.game_id, 0
                return row
        return None


def answer_one(now: datetime) -> bool:
    """Answers the oldest automatic decision, and holds nothing. Returns whether there was one."""
    row = next(iter(_due(now)), None)
    if row is not None:
        _answer_by_bot(row, now)
    return row is not None


def answer_in(game_id: int, now: datetime) -> bool:
    """Answers an automatic decision of one game. Returns whether there was one."""
    row = _first_in(game_id)
    if row is not None:
        _answer_by_bot(row, now)
    return row is not None


def _answer_by_bot(row: Decision, now: datetime, held_until: datetime | None = None) -> None:
    bot = driver(row.seat, row.game)
    try:
        _answer(row, bot_action(row.game, row, bot) if bot else None, bot, now, held_until)
    except Conflict:
        logger.info("Decision %s was answered by another worker", row.ref)
    except Illegal:
        if Game.objects.values_list("seq", flat=True).get(pk=row.game_id) != row.game.seq:
            return  # another answer came while the bot chose: it is asked again
        logger.exception("Bot %s answered decision %s against the rules; the default stands in", bot, row.ref)
        _answer(row, None, "", now, held_until)
    except Quarantined:
        logger.warning("Game %s stands still until it is repaired", row.game.ref)


@compiled("game", "seat")
def _due(now: datetime) -> QuerySet[Decision]:
    rows = Decision.objects.filter(
        by_known_rules("game__"),
        status=Decision.Status.OPEN,
        is_automatic=True,
        opened_at__lte=now,
        game__quarantined_at__isnull=True,
    )
    return rows.filter(locking.is_free(now)).exclude(_is_asleep()).order_by("opened_at", "pk")[:1]


def _first_in(game_id: int) -> Decision | None:
    return next(iter(_in_game(game_id)), None)


@compiled("game", "seat")
def _in_game(game: int) -> QuerySet[Decision]:
    rows = Decision.objects.filter(game_id=game, status=Decision.Status.OPEN, is_automatic=True)
    return rows.filter(game__quarantined_at__isnull=True).exclude(_is_asleep()).order_by("pk")[:1]


def _asked_in(game_id: int) -> Q:
    return Q(game=game_id, is_automatic=True)


def _is_asleep() -> Q:
    """Matches decisions of games whose people are all absent: such a game stops until one comes back."""
    people = Seat.objects.filter(game=OuterRef("game"), user__isnull=False, owner=None)
    is_anybody_there = Exists(people.filter(status=Seat.Status.ACTIVE))
    return Q(Exists(people.filter(status=Seat.Status.ABSENT))) & ~Q(is_anybody_there)


def _answer(row: Decision, action: object | None, bot: str, now: datetime, held_until: datetime | None) -> None:
    game_moves.submit(
        game_id=row.game_id,
        seat=row.seat.number,
        decision=row.code,
        action=action,
        source=Move.Source.BOT if bot else Move.Source.ABSENT,
        received_at=now,
        held_until=held_until,
    )


def driver(seat: Seat, game: Game) -> str:
    """The bot that answers for this seat; "" for the rules' default."""
    if seat.bot or seat.stand_in:
        return seat.bot or seat.stand_in
    bot = ABSENT_BOTS.get(Game.AbsentSeats(game.absent_seats), "")
    return bot if bot in game.rules.bots or not bot else SUBSTITUTE


def bot_action(game: Game, row: Decision, name: str) -> object | None:
    """Returns the bot's answer as JSON data; None (the default) if the bot fails.

    The bot sees the seat's view only. Its choices are drawn from the table's seed, so that a game can be re-run.
    """
    try:
        return _chosen(game, row, name)
    except locking.NOT_ENGINE_FAILURES:
        raise
    except Exception:  # a failing bot must not stop its game, nor others; it is logged
        logger.exception("Bot %s broke on decision %s of game %s", name, row.code, game.ref)
        return None


def _chosen(game: Game, row: Decision, name: str) -> object | None:
    rules = game.rules
    view = rules.view(game.load_state(), row.seat.number)
    questions = {question.decision.id: question for question in rules.questions(view)}
    if row.code not in questions:
        return None
    key = hashlib.sha256(f"bot:{game.server_seed}:{row.code}:{row.seat.number}".encode()).digest()
    dice = Random(key)  # noqa: S311  # a bot's choice need not be unpredictable
    answer: object = msgspec.json.decode(rules.dump_action(rules.bots[name].choose(view, questions[row.code], dice)))
    return answer
