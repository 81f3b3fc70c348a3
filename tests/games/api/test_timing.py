"""Hours, vacations and pauses by the API."""

import datetime as dt
from collections.abc import Callable, Iterator

import pytest

from games.models import Game, User, Vacation
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import fresh, running, seat_of, to_placing

HOURS = {"zone": "Europe/Madrid", "quiet_from": "23:00", "quiet_until": "07:00", "remind_before": [60, 720]}


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    """The service's clock stands at the tests' time."""
    with present.going_by(lambda: now):
        yield


def put(program: Program, data: object, status: int = 200) -> dict:
    response = program.client.put("/api/v1/me/hours/", data, content_type="application/json", headers=program.headers)
    assert response.status_code == status, response.content
    return response.json()


def test_hours_are_changed_and_read(annas: Program) -> None:
    assert put(annas, HOURS) == HOURS | {"remind_before": [720, 60]}
    assert annas.get("me/hours/") == HOURS | {"remind_before": [720, 60]}


@pytest.mark.parametrize(
    "change",
    [
        {"zone": "Europe/Atlantis"}, {"zone": "../../etc/passwd"}, {"quiet_from": None}, {"quiet_from": "25:00"},
        {"quiet_until": "22:00"}, {"remind_before": [1]}, {"remind_before": [60, 120, 180, 240]}, {"sleep": "well"},
    ],
)  # fmt: skip
def test_hours_that_cannot_be_are_refused_in_words(annas: Program, anna: User, change: dict) -> None:
    answer = put(annas, HOURS | change, status=422)
    assert answer["detail"] or answer["errors"]
    anna.refresh_from_db()
    assert (anna.recipient.zone, anna.recipient.quiet_from) == ("UTC", None)


def test_a_vacation_is_planned_listed_and_ended(annas: Program) -> None:
    planned = annas.post("me/vacations/", {"first_day": "2026-03-06", "last_day": "2026-03-08"}, status=201)
    assert planned["ends_at"] == "2026-03-09T00:00:00Z"
    assert annas.get("me/vacations/")["items"] == [planned]
    assert annas.delete(f"me/vacations/{planned['ref']}/", 200)["items"] == []
    annas.delete(f"me/vacations/{planned['ref']}/", 404)


@pytest.mark.parametrize(
    ("first", "last", "status"),
    [
        ("2026-02-30", "2026-03-08", 422), ("2026-03-08", "2026-03-07", 422), ("2026-03-03", "2026-03-08", 422),
        ("2026-03-06", "2026-04-30", 409), ("soon", "2026-03-08", 422),
    ],
)  # fmt: skip
def test_a_vacation_that_cannot_be_is_refused(annas: Program, first: str, last: str, status: int) -> None:
    annas.post("me/vacations/", {"first_day": first, "last_day": last}, status=status)
    assert not Vacation.objects.exists()


def test_players_pause_a_game(
    annas: Program, ben: User, game: Game, program: Callable[[User], Program], now: dt.datetime
) -> None:
    path = f"games/{game.ref}/pause/"
    told = annas.post(path)
    assert (told["paused_at"], [seat["wants_pause"] for seat in told["seats"]].count(True)) == (None, 1)
    told = program(ben).post(path)
    assert (told["paused_by"], told["due_at"], told["paused_at"]) == ("vote", None, "2026-03-04T12:00:00Z")
    assert annas.delete(path, 200)["paused_at"] is None
    annas.post(path, {"is_wanted": False}, status=422)


def test_players_agree_on_an_hour_together_and_others_cannot(
    annas: Program, ben: User, carla: User, david: User, game: Game, program: Callable[[User], Program]
) -> None:
    path, at = f"games/{game.ref}/hour/", {"starts_at": "2026-03-06T18:00:00Z"}
    facts = annas.put(path, at)
    assert facts["hour"] == {**at, "status": "proposed", "seat": facts["seat"]}
    program(ben).put(path, {"starts_at": "2026-03-06T19:00:00Z"}, status=409)
    program(ben).put(path, at)
    facts = program(carla).put(path, at)
    assert facts["hour"]["status"] == "agreed" and all(seat["agrees_to_hour"] for seat in facts["seats"])
    assert program(ben).delete(path, 200)["hour"] is None
    for wrong in ("2026-03-01T18:00:00Z", "2026-05-01T18:00:00Z", "soon", None):
        annas.put(path, {"starts_at": wrong}, status=422)
    program(david).put(path, at, status=404)
    assert fresh(game).hour_state == ""


def test_players_agree_to_end_a_game(
    annas: Program, ben: User, carla: User, game: Game, program: Callable[[User], Program]
) -> None:
    path = f"games/{game.ref}/agree/"
    told = annas.post(path)
    assert (told["status"], [seat["wants_end"] for seat in told["seats"]].count(True)) == ("running", 1)
    program(ben).post(path)
    told = program(carla).post(path)
    assert (told["status"], told["outcome"], told["waits_for"]) == ("closed", None, [])
    annas.post(path, status=409)


def test_who_does_not_sit_there_pauses_nothing(david: User, game: Game, program: Callable[[User], Program]) -> None:
    program(david).post(f"games/{game.ref}/pause/", status=404)
    assert fresh(game).seats.filter(wants_pause=True).count() == 0


def test_a_seats_time_bank_is_told_to_its_own_player(
    anna: User, ben: User, carla: User, program: Callable[[User], Program], now: dt.datetime
) -> None:
    game = to_placing(running(anna, [ben, carla], now, pace="brisk"), now)
    game.seats.filter(user=ben).update(bank=dt.timedelta(hours=7))
    assert program(ben).get(f"games/{game.ref}/")["bank_seconds"] == 7 * 3600
    assert program(anna).get(f"games/{game.ref}/")["bank_seconds"] == 24 * 3600
    assert seat_of(game, ben).bank == dt.timedelta(hours=7)


def test_who_is_absent_comes_back(annas: Program, anna: User, game: Game) -> None:
    game.seats.filter(user=anna).update(status="absent")
    told = annas.post(f"games/{game.ref}/back/")
    assert "absent" not in [seat["status"] for seat in told["seats"]]
    assert seat_of(game, anna).status == "active"
    annas.post(f"games/{game.ref}/back/")


def test_a_seat_that_is_offered_is_taken_and_no_other(
    ben: User, david: User, game: Game, program: Callable[[User], Program]
) -> None:
    Game.objects.filter(pk=game.pk).update(is_listed=True, absent_seats="takeover")
    path = f"games/{game.ref}/seats/{seat_of(game, ben).number}/take/"
    program(david).post(path, status=409)
    game.seats.filter(user=ben).update(status="absent")
    program(david).post(path)
    assert seat_of(game, david).status == "active"
    program(david).post(f"games/{game.ref}/seats/9/take/", status=404)


def test_a_table_that_is_not_listed_offers_its_seats_to_nobody(
    ben: User, david: User, game: Game, program: Callable[[User], Program]
) -> None:
    Game.objects.filter(pk=game.pk).update(absent_seats="takeover")
    game.seats.filter(user=ben).update(status="absent")
    program(david).post(f"games/{game.ref}/seats/{seat_of(game, ben).number}/take/", status=404)
