"""A tournament of the small game, and ways to let its games end."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from games.lobby import bot_accounts
from games.models import Game, Tournament, TournamentTable, User
from games.tournaments import rounds, tournaments
from games.tournaments.tournaments import TournamentPlan
from tests.games.conftest import make_user

DAY = dt.timedelta(days=1)
Open = Callable[..., Tournament]


def plan(now: dt.datetime, **changes: object) -> TournamentPlan:
    """Two rounds at tables of three, for three people at least."""
    usual = TournamentPlan(
        title="Spring Cup",
        rules_name="cave-of-wonders",
        table_size=3,
        rounds=2,
        fewest=3,
        most=16,
        closes_at=now + DAY,
    )
    return replace(usual, **changes)  # type: ignore[arg-type]


@pytest.fixture
def open_cup(anna: User, now: dt.datetime) -> Open:
    """Opens Anna's tournament; what is said changes the plan."""
    return lambda **changes: tournaments.open_tournament(host=anna, plan=plan(now, **changes), now=now)


def create_bot(*, owner: User, name: str, is_for_all: bool, now: dt.datetime) -> User:
    """A bot account that can play: it has a token."""
    bot = bot_accounts.create(owner=owner, name=name, is_for_all=is_for_all, now=now)
    bot_accounts.renew_token(bot=bot, now=now)
    return bot


def enter_many(tournament: Tournament, count: int, now: dt.datetime) -> list[User]:
    """So many new people enter."""
    people = [make_user(f"Player{number}") for number in range(count)]
    for person in people:
        tournaments.enter(tournament_id=tournament.pk, user=person, now=now)
    return people


def work(now: dt.datetime) -> int:
    """Takes every step that is due; how many."""
    steps = 0
    while rounds.step_one(now):
        steps += 1
        assert steps < 200, "it never ends"
    return steps


def again(tournament: Tournament) -> Tournament:
    """As it is stored now."""
    return Tournament.objects.get(pk=tournament.pk)


def tables(tournament: Tournament, number: int) -> list[TournamentTable]:
    """The tables of a round."""
    rows = TournamentTable.objects.filter(round__tournament=tournament, round__number=number)
    return list(rows.select_related("game").order_by("number"))


def let_end(table: TournamentTable, order: Sequence[User] = (), winners: int = 1) -> None:
    """Ends the game of a table.

    Arguments:
        order: who comes first, second ...; by seat if nobody is named.
        winners: so many of the first share the victory.
    """
    assert table.game is not None
    seats = {seat.user_id: seat.number for seat in table.game.seats.all()}
    ranking = [seats[user.pk] for user in order] if order else sorted(seats.values())
    outcome = {"ranking": ranking, "winners": ranking[:winners], "scores": [0] * len(ranking)}
    outcome["reason"] = {"code": "round-won", "params": {"winners": [ranking[0]], "points": 0}}  # type: ignore[assignment]
    Game.objects.filter(pk=table.game.pk).update(status=Game.Status.FINISHED, outcome=outcome)


def let_all_end(tournament: Tournament, number: int) -> None:
    """Ends all games of a round."""
    for table in tables(tournament, number):
        if table.game is not None and table.game.status == Game.Status.RUNNING:
            let_end(table)
