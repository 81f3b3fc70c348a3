"""The people around every table: Anna hosts, Ben and Carla play, David is an outsider."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from django.db.models import Model, QuerySet

from games.lobby import lifecycle
from games.models import Decision, Game, Move, Seat, User
from games.play import automatic_answers, deadline_rule, game_moves, proposals, queries
from games.tables.settings import TablePlan
from notifications.delivery.claims import make_deliveries
from notifications.models import Delivery, Notice
from tests.conftest import NOON
from tests.games.kept import Stage, keep

THREE = ("Anna", "Ben", "Carla")
Keep = Callable[..., Stage]


def make_user(name: str) -> User:
    """An account with the address <name>@example.org."""
    return User.objects.create_user(f"{name.lower()}@example.org", name=name)


@pytest.fixture(scope="session")
def kept_here(django_db_setup: None, django_db_blocker: Any) -> Keep:
    """Keeps what a function makes on top of other stages: `kept_here(make, *stages)`."""

    def keep_it(make: Callable[[], Model], *on: Stage) -> Stage:
        def made() -> Model:
            model = make()
            deliveries(NOON)
            return model

        with django_db_blocker.unblock():
            return keep(made, on)

    return keep_it


@pytest.fixture(scope="session")
def kept_people(kept_here: Keep) -> dict[str, Stage]:
    """Everybody, each apart from the others."""
    return {name: kept_here(partial(make_user, name)) for name in ("Anna", "Ben", "Carla", "David")}


@pytest.fixture(scope="session")
def kept_three(kept_people: dict[str, Stage]) -> list[Stage]:
    """Those who sit at most tables."""
    return [kept_people[name] for name in THREE]


@pytest.fixture
def anna(db: None, kept_people: dict[str, Stage]) -> User:
    """The host."""
    return kept_people["Anna"].bring()


@pytest.fixture
def ben(db: None, kept_people: dict[str, Stage]) -> User:
    """A player."""
    return kept_people["Ben"].bring()


@pytest.fixture
def carla(db: None, kept_people: dict[str, Stage]) -> User:
    """A player."""
    return kept_people["Carla"].bring()


@pytest.fixture
def david(db: None, kept_people: dict[str, Stage]) -> User:
    """Somebody who does not sit at the table."""
    return kept_people["David"].bring()


OpenTable = Callable[..., Game]


def new_table(host: User, now: dt.datetime, **changes: object) -> Game:
    """An open table of three at pace "daily" with the host on it; without proposals, unless they are asked for."""
    plan: dict[str, object] = {"title": "Thursday", "rules_name": "aladdins-dragons", "seat_count": 3}
    plan |= {"proposals": "off", "missed": "ask"}
    plan |= {"options": {"version": "basic"}} if "rules_name" not in changes else {}
    plan |= changes
    return lifecycle.open_table(host=host, plan=TablePlan(**plan), now=now)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def kept_table(kept_here: Keep, kept_people: dict[str, Stage]) -> Stage:
    """Anna's open table."""
    return kept_here(lambda: new_table(named("Anna"), NOON), kept_people["Anna"])


@pytest.fixture
def table(anna: User, kept_table: Stage) -> Game:
    """Anna's open table, two seats free."""
    return kept_table.bring()


@pytest.fixture(scope="session")
def kept_game(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game of the three."""
    return kept_here(lambda: of_three(NOON), *kept_three)


@pytest.fixture
def game(anna: User, ben: User, carla: User, kept_game: Stage) -> Game:
    """A running game of Anna, Ben and Carla; the starting treasures are asked."""
    return kept_game.bring()


@pytest.fixture(scope="session")
def kept_placing(kept_here: Keep, kept_three: list[Stage], kept_game: Stage) -> Stage:
    """What the starting treasures change."""
    return kept_here(lambda: to_placing(Game.objects.get(), NOON), *kept_three, kept_game)


@pytest.fixture
def placing(game: Game, kept_placing: Stage) -> Game:
    """The same game when everybody has taken starting treasures; the first placement of the first round is asked."""
    return kept_placing.bring()


@pytest.fixture(scope="session")
def kept_proposing(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """A game with proposals up to its sheets."""
    options = {"version": "magic", "tally": "plan"}
    return kept_here(lambda: to_placing(of_three(NOON, options=options, proposals="on"), NOON), *kept_three)


@pytest.fixture
def proposing(anna: User, ben: User, carla: User, kept_proposing: Stage) -> Game:
    """A magic table with proposals, where the sheets of the first round are asked."""
    game: Game = kept_proposing.bring()
    return game


def named(name: str) -> User:
    """Whoever is called that."""
    return User.objects.get(name=name)


def of_three(now: dt.datetime, **changes: object) -> Game:
    """A game of Anna, Ben and Carla that has just begun."""
    host, *guests = (named(name) for name in THREE)
    return running(host, guests, now, **changes)


def running(host: User, guests: list[User], now: dt.datetime, **changes: object) -> Game:
    """A game of these people that has just begun."""
    game = new_table(host, now, **changes)
    for guest in guests:
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    lifecycle.start(game_id=game.pk, host=host, now=now)
    return fresh(game)


def cave_of_three(now: dt.datetime, **changes: object) -> Game:
    """A game of the three that ends soon: the Cave of Wonders has a ninth of the moves of Aladdin's Dragons."""
    return of_three(now, rules_name="cave-of-wonders", options={}, **changes)


def fresh(game: Game) -> Game:
    """The game as it is stored now."""
    return Game.objects.get(pk=game.pk)


def seat_of(game: Game, user: User) -> Seat:
    """The seat of this person."""
    return game.seats.get(user=user)


def open_rows(game: Game) -> list[Decision]:
    """The open decisions, in order of opening."""
    rows = game.decisions.filter(status=Decision.Status.OPEN).select_related("seat__user", "game")
    return list(rows.order_by("pk"))


def row_of(game: Game, user: User) -> Decision:
    """What this person is asked, read anew."""
    return next(row for row in open_rows(fresh(game)) if row.seat.user == user)


def propose_all(now: dt.datetime) -> None:
    """Lets a worker propose answers to all that waits for one."""
    while proposals.make_one(now):
        pass


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
    return game_moves.submit(
        game_id=game.pk,
        seat=row.seat.number,
        decision=row.code,
        action=action or some_answer(game, row),
        received_at=now,
        **details,  # type: ignore[arg-type]
    )


def deliveries(now: dt.datetime | None = None) -> QuerySet[Delivery]:
    """All deliveries; those of new notices are made first, as by a worker that looks at once."""
    while newest := Notice.objects.filter(pending__isnull=False).order_by("created_at").last():
        make_deliveries(now or newest.created_at)
    return Delivery.objects.all()


def settle(now: dt.datetime) -> None:
    """Lets the workers do all that waits for nobody."""
    while game_moves.advance_one(now) or automatic_answers.answer_one(now):
        pass


def beat(now: dt.datetime) -> None:
    """Deadlines are looked after again; what an outage took is given back."""
    deadline_rule.beat(now)
    while deadline_rule.give_back_one(now):
        pass


def to_placing(game: Game, now: dt.datetime) -> Game:
    """Everybody takes starting treasures; the first placement is asked, or everybody's first sheet."""
    for row in open_rows(game):
        if row.kind != "sheet":
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


@pytest.fixture(scope="session")
def kept_strict(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game of `strict`."""
    return kept_here(lambda: to_placing(of_three(NOON, is_first_miss_excused=False), NOON), *kept_three)


@pytest.fixture
def strict(anna: User, ben: User, carla: User, kept_strict: Stage) -> Game:
    """A game in its placing part, where no miss is excused."""
    return kept_strict.bring()
