"""What a profile tells of a player: ratings, reliability, hours, head-to-head; of finished games alone."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from games.archive import player_profile, ratings
from games.archive.player_profile import CurvePoint
from games.models import Decision, Game, Move, RatingChange, SeatTenure, User
from games.web import players
from tests.conftest import NOON
from tests.games.archive.test_ratings import CAVE, LATER, over, rate
from tests.games.clubs.founding import found
from tests.games.conftest import seat_of
from tests.games.web.filling import words
from tests.games.web.test_players import profile, signed_in

HOUR = dt.timedelta(hours=1)


def answered(game: Game, user: User, times: list[dt.datetime], source: str = "web") -> None:
    """What somebody, or a deadline, has answered in a game; each question had a deadline."""
    seat = seat_of(game, user)
    begin = game.moves.count()
    for number, at in enumerate(times, start=begin + 1):
        facts = {"game": game, "seat": seat, "code": f"{seat.number}-{number}-{source}", "kind": "place"}
        Decision.objects.create(**facts, status="answered", opened_at=at - HOUR, due_at=at + HOUR, closed_at=at)
        actor = user if source == "web" else None
        made = {"game": game, "seq": number, "kind": "answer", "seat": seat.number, "source": source, "actor": actor}
        Move.objects.create(**made, first_public=number, received_at=at, chain="0" * 64)


def finish(game: Game, **changes: Any) -> None:
    Game.objects.filter(pk=game.pk).update(status="finished", finished_at=NOON, **changes)


# The curve


def test_each_public_game_adds_a_point_to_the_curves_of_its_players(anna: User, ben: User) -> None:
    over([anna, ben])
    over([ben, anna])
    points = rate()
    course = player_profile.curve(anna, CAVE)
    assert len(course) == 2 and course[-1].points == points["Anna"] and course[0].points > course[1].points
    kept = list(RatingChange.objects.order_by("game", "user").values_list("game", "user", "points"))
    assert ratings.rate_all(LATER) == 2
    assert list(RatingChange.objects.order_by("game", "user").values_list("game", "user", "points")) == kept
    assert player_profile.curve(anna, "aladdins-dragons") == []


def test_a_picture_needs_two_points_and_keeps_within_its_frame() -> None:
    def course(*points: int) -> list[CurvePoint]:
        return [CurvePoint(one, NOON + HOUR * day, Game()) for day, one in enumerate(points)]

    assert players.draw_curve(course()) is players.draw_curve(course(1000)) is None
    for numbers in ((1000, 1000), (-50, 3000), (1000, 1001, 999), (400, 1400, 900)):
        curve = players.draw_curve(course(*numbers))
        assert curve is not None and len(curve.heights) <= 7
        for spot in curve.line.split():
            left, height = map(float, spot.split(","))
            assert 0 <= left <= players.WIDTH and 0 <= height <= players.HEIGHT


def test_the_curve_is_shown_to_whom_its_owner_wants(anna: User, ben: User, carla: User) -> None:
    over([anna, ben])
    over([anna, ben])
    rate()
    found(anna, carla)
    readers = {"stranger": signed_in(ben), "member": signed_in(carla), "anybody": Client(), "own": signed_in(anna)}

    def sees(**facts: object) -> set[str]:
        User.objects.filter(pk=anna.pk).update(**facts)
        return {name for name, client in readers.items() if b"polyline" in client.get(profile(anna)).content}

    assert sees(is_ranked=False) == {"own"}
    assert sees(is_ranked=True, curve_shown="all") == set(readers)
    assert sees(curve_shown="friends") == {"member", "own"}
    assert sees(curve_shown="nobody") == {"own"}
    assert "points after 2 games" in words(readers["stranger"].get(profile(anna)))


# Reliability


def test_reliability_is_the_share_of_questions_answered_before_their_deadline(game: Game, anna: User) -> None:
    answered(game, anna, [NOON] * 18)
    answered(game, anna, [NOON] * 2, source="deadline")
    assert player_profile.reliability(anna, NOON) is None  # the game runs
    finish(game)
    told = player_profile.reliability(anna, NOON)
    assert told is not None and (told.asked, told.in_time, told.percent) == (20, 18, 90)
    assert player_profile.reliability(anna, NOON + dt.timedelta(days=400)) is None


def test_few_questions_old_games_and_seats_that_changed_hands_tell_nothing(game: Game, anna: User) -> None:
    answered(game, anna, [NOON] * (player_profile.FEWEST_QUESTIONS - 1))
    finish(game)
    assert player_profile.reliability(anna, NOON) is None
    answered(game, anna, [NOON])
    assert player_profile.reliability(anna, NOON) is not None
    SeatTenure.objects.filter(user=anna).update(since_seq=5)
    assert player_profile.reliability(anna, NOON) is None


def test_a_hundred_percent_is_said_only_of_all() -> None:
    assert player_profile.Reliability(1000, 999).percent == 99
    assert player_profile.Reliability(1000, 1000).percent == 100


# When somebody usually answers


def test_hours_are_told_in_quarters_of_the_day_by_the_readers_clock(game: Game, anna: User) -> None:
    evening = dt.datetime(2026, 3, 5, 20, 30, tzinfo=dt.UTC)
    answered(game, anna, [evening] * 17 + [evening - 12 * HOUR] * 3)
    utc, tokyo = ZoneInfo("UTC"), ZoneInfo("Asia/Tokyo")
    assert player_profile.hours(anna, utc, NOON) == []  # the game runs
    finish(game)
    assert [str(part.often) for part in player_profile.hours(anna, utc, NOON)] == [
        "seldom", "sometimes", "seldom", "often",
    ]  # fmt: skip
    assert [str(part.often) for part in player_profile.hours(anna, tokyo, NOON)] == [
        "often", "seldom", "sometimes", "seldom",
    ]  # fmt: skip


def test_hours_are_shown_to_nobody_until_their_owner_wants_it(game: Game, anna: User, ben: User, david: User) -> None:
    answered(game, anna, [NOON] * 20)
    finish(game)
    found(anna, ben)
    readers = {"member": signed_in(ben), "stranger": signed_in(david), "anybody": Client(), "own": signed_in(anna)}

    def sees() -> set[str]:
        return {name for name, client in readers.items() if "Usually answers" in words(client.get(profile(anna)))}

    assert sees() == {"own"}
    me = {"name": "Anna", "language": "en", "zone": "UTC", "has_profile": "on"}
    readers["own"].post(reverse("settings"), me | {"hours_shown": "friends"})
    assert sees() == {"own", "member"}
    readers["own"].post(reverse("settings"), me | {"hours_shown": "all"})
    assert sees() == set(readers)
    refused = readers["own"].post(reverse("settings"), me | {"hours_shown": "cats"})
    assert refused.status_code == 422 and sees() == set(readers)


# Head to head


@pytest.fixture
def three_games(anna: User, ben: User, carla: User) -> None:
    """Anna beats Ben twice, and once he is ahead."""
    over([anna, ben, carla])
    over([ben, anna], is_listed=False)
    over([anna, ben])


def test_a_profile_tells_its_reader_how_the_two_have_done(
    three_games: None, anna: User, ben: User, carla: User, david: User
) -> None:
    told = player_profile.head_to_head(anna, ben)
    assert told is not None and (told.games, told.ahead, told.behind, told.even) == (3, 2, 1, 0)
    page = words(signed_in(anna).get(profile(ben)))
    assert "In 3 finished games: you came in ahead in 2, Ben in 1." in page and "Start a game together" in page
    his = words(signed_in(ben).get(profile(anna)))
    assert "you came in ahead in 1, Anna in 2." in his
    assert player_profile.head_to_head(anna, david) is None
    assert "you came in ahead" not in words(signed_in(david).get(profile(anna)))
    assert "you came in ahead" not in words(signed_in(anna).get(profile(anna)))


def test_a_running_game_and_one_that_was_taken_over_are_no_duels(game: Game, anna: User, ben: User) -> None:
    assert player_profile.head_to_head(anna, ben) is None
    played = over([anna, ben])
    SeatTenure.objects.filter(seat__game=played, user=ben).update(since_seq=3)
    assert player_profile.head_to_head(anna, ben) is None
