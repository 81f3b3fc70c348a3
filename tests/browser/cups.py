"""Tournaments worth looking at: one that can be entered, one that is being played, one that nobody came to."""

from datetime import timedelta

from django.utils import timezone

from games.models import Game, Tournament, User
from games.tournaments import rounds, tournaments
from games.tournaments.tournaments import TournamentPlan
from tests.games.conftest import make_user
from tests.games.tournaments.conftest import let_all_end

WORDS = "Everybody is welcome.\nPlease answer once a day."


def open_cup(host: User, title: str, **plan: object) -> Tournament:
    """A tournament of the small game."""
    closes_at = timezone.now() + timedelta(days=7)
    facts = {"rules_name": "cave-of-wonders", "table_size": 3, "rounds": 3, "closes_at": closes_at, **plan}
    wanted = TournamentPlan(title=title, **facts)  # type: ignore[arg-type]
    return tournaments.open_tournament(host=host, plan=wanted, now=timezone.now())


def enter_all(cup: Tournament, people: list[User]) -> None:
    """They all enter."""
    for person in people:
        tournaments.enter(tournament_id=cup.pk, user=person, now=timezone.now())


def work() -> None:
    """A worker does what is due."""
    while rounds.step_one(timezone.now()):
        pass


def running_cup(host: User, people: list[User]) -> Tournament:
    """One in its second round, which somebody has left."""
    cup = open_cup(host, "Spring Cup", about=WORDS)
    enter_all(cup, people)
    tournaments.start_now(tournament_id=cup.pk, by=host, now=timezone.now())
    work()
    tournaments.leave(tournament_id=cup.pk, user=people[-1], now=timezone.now())
    let_all_end(cup, 1)
    work()
    return cup


def game_of(cup: Tournament, user: User) -> Game:
    """The last game of somebody there."""
    return Game.objects.filter(tournament_table__round__tournament=cup, seats__user=user).latest("pk")


def crowd(count: int) -> list[User]:
    """So many more people."""
    return [make_user(f"Player{number}") for number in range(1, count + 1)]
