"""Ratings: what counts, who gains by it, and that the games alone make them."""

import datetime as dt
import itertools
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from engine.registry import newest
from games.archive import ratings
from games.lobby import bot_accounts
from games.models import Game, Rating, Seat, SeatTenure, User
from games.privacy import erasure
from games.ticks import tick
from tests.conftest import NOON

CAVE = "cave-of-wonders"
LATER = NOON + dt.timedelta(days=400)
_numbers = itertools.count(1)


def over(order: list[User | str], now: dt.datetime = NOON, winners: int = 1, **facts: Any) -> Game:
    """A finished listed game; `order` is who came in first, second ...: a person, or the name of a bot."""
    count, number = len(order), next(_numbers)
    at = now + dt.timedelta(hours=number)  # each an hour after the one before
    outcome = {
        "ending": facts.pop("ending", "complete"),
        "winners": list(range(winners)),
        "ranking": list(range(count)),
    }
    outcome |= {"scores": [9] * count, "reason": {"code": "abandoned", "params": {"winner": {"seat": 0}}}}
    host = next(one for one in order if isinstance(one, User))
    game = Game.objects.create(
        title=f"Game {number}", host=host, rules_name=CAVE, rules_version=1, seat_count=count,
        pace="daily", commitment="0" * 64, server_seed="0" * 64, expires_at=at, started_at=at - dt.timedelta(days=9),
        finished_at=at, outcome=outcome, **{"status": "finished", "is_listed": True} | facts,
    )  # fmt: skip
    for place, one in enumerate(order):
        who = (
            {"user": one, "name": one.name, "owner": one.owner} if isinstance(one, User) else {"bot": one, "name": one}
        )
        Seat.objects.create(game=game, number=place, **who)
    return game


def rate() -> dict[str, int]:
    """Everybody's points, after all that is due was rated."""
    while ratings.rate_one(LATER):
        pass
    return points()


def facts_of_all() -> list[Any]:
    """Everything about all ratings but their keys."""
    return list(Rating.objects.order_by("user").values_list("user", "mu", "sigma", "games", "wins", "rated_at"))


def points() -> dict[str, int]:
    """Everybody's points as they are."""
    return dict(Rating.objects.values_list("user__name", "points"))


def test_who_wins_gains_and_who_beats_the_strong_gains_more(anna: User, ben: User, carla: User, david: User) -> None:
    over([anna, ben, carla])
    first = rate()
    assert first["Anna"] > first["Ben"] > first["Carla"]
    for _game in range(5):
        over([anna, ben])
    strong = rate()
    assert strong["Anna"] > first["Anna"]
    mark, eva = (User.objects.create_user(f"{name}@example.org", name=name) for name in ("Mark", "Eva"))
    over([mark, anna])
    over([eva, carla])
    after = rate()
    assert after["Mark"] > after["Eva"]
    row = Rating.objects.get(user=anna)
    assert (row.games, row.wins, row.rules_name) == (7, 6, CAVE)


def test_a_game_counts_once_and_the_games_alone_make_the_ratings(anna: User, ben: User, carla: User) -> None:
    people, dice = [anna, ben, carla], Random(3)
    for _game in range(12):
        dice.shuffle(people)
        over(people[: dice.choice([2, 3])])
    kept = rate()
    exactly = facts_of_all()
    assert rate() == kept and not ratings.rate_one(LATER)
    assert [ratings.rate_all(LATER) for _twice in range(2)] == [12, 12]
    assert facts_of_all() == exactly


@pytest.mark.parametrize(
    "facts",
    [
        {"is_listed": False},
        {"is_listed": False, "is_watchable": True},
        {"is_lesson": True},
        {"recorded_as": "elsewhere"},
        {"ending": "stopped"},
        {"status": "closed"},
    ],
    ids=" ".join,
)
def test_what_was_not_public_not_real_or_not_played_out_counts_for_nothing(
    facts: dict[str, Any], anna: User, ben: User
) -> None:
    over([anna, ben], **facts)
    assert rate() == {} and ratings.rate_all(LATER) == 0


def test_a_sandbox_counts_for_nothing(anna: User, ben: User) -> None:
    first = over([anna, ben])
    kept = rate()
    over([ben, anna], sandbox_of=first)
    assert rate() == kept and ratings.rate_all(LATER) == 1


def test_bots_and_seats_that_changed_hands_are_left_out(anna: User, ben: User, carla: User) -> None:
    robo = bot_accounts.create(owner=carla, name="Robo", is_for_all=True, now=NOON)
    over([anna, "greedy", "sultan"])
    over([robo, anna, "sultan"])
    assert rate() == {}
    game = over(["sultan", robo, anna, carla, ben])
    SeatTenure.objects.filter(seat__game=game, user=carla).update(since_seq=40)
    found = rate()
    assert set(found) == {"Anna", "Ben"} and found["Anna"] > found["Ben"]


def test_who_wins_together_and_who_resigns_ties(anna: User, ben: User, carla: User, david: User) -> None:
    game = over([anna, ben, carla, david], winners=2)
    game.seats.filter(user__in=[carla, david]).update(status=Seat.Status.RESIGNED)
    places = ratings.places_of(game, game.seats.all())
    assert places == {anna.pk: 1, ben.pk: 1, carla.pk: 4, david.pk: 4}
    found = rate()
    assert found["Anna"] == found["Ben"] > found["Carla"] == found["David"]


def test_the_first_of_those_who_resign_is_not_better_off_than_the_last(anna: User, ben: User, carla: User) -> None:
    game = over([anna, ben, carla], ending="abandoned")
    game.seats.exclude(user=anna).update(status=Seat.Status.RESIGNED)
    found = rate()
    assert found["Anna"] > found["Ben"] == found["Carla"]


def test_the_ranking_shows_those_who_want_it_and_nobody_whose_account_is_closed(
    anna: User, ben: User, carla: User
) -> None:
    over([anna, ben, carla])
    rate()
    assert list(ratings.ranking(CAVE)) == []
    User.objects.filter(pk__in=[anna.pk, carla.pk]).update(is_ranked=True)
    assert [row.user.name for row in ratings.ranking(CAVE)] == ["Anna", "Carla"]
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert [row.user.name for row in ratings.ranking(CAVE)] == ["Carla"]
    assert list(ratings.ranking("aladdins-dragons")) == []


def test_a_worker_rates_what_is_over_a_minute_later_and_the_command_does_so_again(
    anna: User, ben: User, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = over([anna, ben])
    assert game.finished_at is not None
    for later, expected in ((30, 0), (61, 2)):
        at = game.finished_at + dt.timedelta(seconds=later)
        monkeypatch.setattr("notifications.clock.present.now", lambda at=at: at)
        tick()
        assert Rating.objects.count() == expected
    kept = points()
    call_command("rate_games")
    assert points() == kept and "1 games rated, of 2 people" in capsys.readouterr().out


def test_a_newcomer_begins_at_1000_in_every_game() -> None:
    new = ratings.MODEL.rating()
    assert ratings.points_of(new.mu, new.sigma) == 1000
    assert CAVE in {rules.name for rules in newest()}


def test_who_has_deleted_his_account_is_rated_no_more(anna: User, ben: User, carla: User) -> None:
    over([anna, ben, carla])
    assert set(rate()) == {"Anna", "Ben", "Carla"}
    erasure.erase(ben, takes_words=False, now=NOON)
    assert set(points()) == {"Anna", "Carla"}
    ratings.rate_all(LATER)
    assert set(points()) == {"Anna", "Carla"}
