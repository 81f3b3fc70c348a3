"""The people around every table: Anna hosts, Ben and Carla play, David is an outsider."""

import datetime as dt
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from games import queries
from games.models import Decision, Game, Move, Seat, User
from games.services import automatic, boundaries, play, tables


def make_user(name: str) -> User:
    """An account with the address <name>@example.org."""
    return User.objects.create_user(f"{name.lower()}@example.org", name=name)


@pytest.fixture
def anna(db: None) -> User:
    """The host."""
    return make_user("Anna")


@pytest.fixture
def ben(db: None) -> User:
    """A player."""
    return make_user("Ben")


@pytest.fixture
def carla(db: None) -> User:
    """A player."""
    return make_user("Carla")


@pytest.fixture
def david(db: None) -> User:
    """Somebody who does not sit at the table."""
    return make_user("David")


OpenTable = Callable[..., Game]


def new_table(host: User, now: dt.datetime, **changes: object) -> Game:
    """An open table of three at pace "daily" with the host on it."""
    plan: dict[str, object] = {"title": "Thursday", "rules_name": "aladdins-dragons", "seat_count": 3}
    plan |= {"options": {"version": "basic"}} if "rules_name" not in changes else {}
    plan |= changes
    return tables.open_table(host=host, plan=tables.TablePlan(**plan), now=now)  # type: ignore[arg-type]


@pytest.fixture
def table(anna: User, now: dt.datetime) -> Game:
    """Anna's open table, two seats free."""
    return new_table(anna, now)


@pytest.fixture
def game(anna: User, ben: User, carla: User, now: dt.datetime) -> Game:
    """A running game of Anna, Ben and Carla; the starting treasures are asked."""
    return running(anna, [ben, carla], now)


def running(host: User, guests: list[User], now: dt.datetime, **changes: object) -> Game:
    """A game of these people that has just begun."""
    game = new_table(host, now, **changes)
    for guest in guests:
        tables.join(game_id=game.pk, user=guest, now=now)
    tables.start(game_id=game.pk, host=host, now=now)
    return fresh(game)


def fresh(game: Game) -> Game:
    """The game as it is stored now."""
    return Game.objects.get(pk=game.pk)


def seat_of(game: Game, user: User) -> Seat:
    """The seat of this person."""
    return game.seats.get(user=user)


def open_rows(game: Game) -> list[Decision]:
    """The open decisions, in order of opening."""
    return list(game.decisions.filter(status=Decision.Status.OPEN).select_related("seat__user", "game"))


def some_answer(game: Game, row: Decision, dice: int = 0) -> object:
    """A legal answer to a decision, as JSON data."""
    access = queries.Access(game, row.seat)
    questions = {q.decision.id: q for q in game.rules.questions(queries.view_of(access))}
    answer: object = msgspec.json.decode(game.rules.dump_action(game.rules.sample(questions[row.code], Random(dice))))
    return answer


def answer(game: Game, row: Decision, now: dt.datetime, action: object = None, **changes: object) -> Move:
    """Answers a decision like its player on the web page; `dealt_at` is for one that waited after it had come."""
    game = fresh(game)
    details: dict[str, object] = {"source": Move.Source.WEB, "actor": row.seat.user} | changes
    details["now"] = details.pop("dealt_at", None)
    return play.submit(
        game_id=game.pk,
        seat=row.seat.number,
        decision=row.code,
        action=action or some_answer(game, row),
        received_at=now,
        **details,  # type: ignore[arg-type]
    )


def settle(now: dt.datetime) -> None:
    """Lets the workers do all that waits for nobody."""
    while boundaries.advance_one(now) or automatic.answer_one(now):
        pass


def to_placing(game: Game, now: dt.datetime) -> Game:
    """Everybody takes starting treasures; the first placement is asked."""
    for row in open_rows(game):
        answer(game, row, now)
    settle(now)
    return fresh(game)


def play_to_the_end(game: Game, now: dt.datetime, most: int = 3000) -> Game:
    """Answers for everybody until the game is over."""
    for step in range(most):
        settle(now)
        rows = open_rows(game)
        if not rows:
            return fresh(game)
        answer(game, rows[0], now, some_answer(fresh(game), rows[0], step))
    raise AssertionError("the game does not end")
