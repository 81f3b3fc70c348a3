"""Standing orders by API."""

import datetime as dt
from typing import Any

import pytest

from games.models import Game, OrderDate, User
from tests.games.api.conftest import Program
from tests.games.conftest import fresh, open_rows, running, to_placing

NINE = {"kind": "place", "answers": [{"type": "place", "token": 9, "space": "guard"}]}


@pytest.fixture
def path(placing: Game) -> str:
    """Where Anna's orders are, at the first placement."""
    return f"games/{placing.ref}/orders/"


def put(program: Program, path: str, data: Any, status: int = 200) -> Any:
    response = program.client.put(f"/api/v1/{path}", data, content_type="application/json", headers=program.headers)
    assert response.status_code == status, response.content
    return response.json()


def test_what_can_be_ordered_is_described_like_any_question(annas: Program, path: str) -> None:
    book = annas.get(path)
    assert book["orders"] == []
    assert {kind["name"] for kind in book["kinds"]} == {"place", "market", "camel", "bribe", "buy"}
    place = next(kind for kind in book["kinds"] if kind["name"] == "place")
    assert [field["name"] for field in place["answers"][0]["fields"]] == ["token", "space"]
    assert {"others", "guard", "first"} <= {fact["type"] for fact in book["facts"]}


@pytest.mark.slow
def test_orders_are_given_read_and_taken_back(annas: Program, path: str) -> None:
    ends_at = "2099-01-01T00:00:00Z"
    book = put(annas, path, {"orders": [NINE, NINE | {"answers": [], "until": "date", "ends_at": ends_at}]})
    assert [order["id"] for order in book["orders"]] == ["o1", "o2"]
    assert book["orders"][0]["does"] == "fires"
    assert book["orders"][1]["ends_at"] == ends_at
    assert OrderDate.objects.count() == 1
    kept = {name: book["orders"][0][name] for name in ("id", "kind", "answers")}
    book = put(annas, path, {"orders": [kept]})
    assert [order["id"] for order in book["orders"]] == ["o1"]
    assert put(annas, path, {"orders": []})["orders"] == []


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"orders": 5},
        {"orders": [5]},
        {"orders": [{}]},
        {"orders": [NINE | {"color": "red"}]},
        {"orders": [NINE | {"until": "doomsday"}]},
        {"orders": [NINE | {"until": "date"}]},
        {"orders": [NINE | {"until": "date", "ends_at": "2026-02-30T00:00:00Z"}]},
        {"orders": [NINE, NINE]},
        {"orders": [NINE | {"id": "o7"}]},
        {"orders": [NINE | {"answers": [{"token": 9}]}]},
        {"orders": [NINE | {"conditions": [{"type": "round", "is": "at_least", "value": None}]}]},
        {"orders": [NINE | {"conditions": [{"type": ["round"]}]}]},
        {"orders": [NINE] * 101},
    ],
)
def test_orders_that_cannot_be_are_refused_and_nothing_changes(
    annas: Program, path: str, game: Game, bad: object
) -> None:
    before = fresh(game).state
    problem = put(annas, path, bad, status=422)
    assert problem["title"]
    assert fresh(game).state == before


def test_orders_are_ones_own(path: str, game: Game, david: User, program: Any) -> None:
    program(david).get(path, status=404)
    put(program(david), path, {"orders": []}, status=404)


def test_a_game_that_has_not_begun_or_is_over_takes_no_orders(annas: Program, path: str, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    annas.get(path, status=409)
    put(annas, path, {"orders": []}, status=409)


# Orders that come with an answer


@pytest.fixture
def sheet(anna: User, ben: User, carla: User, now: dt.datetime) -> str:
    """Where Anna's sheet is answered, at a magic table that plans."""
    table = to_placing(running(anna, [ben, carla], now, options={"version": "magic", "tally": "plan"}), now)
    return f"games/{table.ref}/decisions/r1-sheet/"


SHEET = {"type": "sheet", "windows": "quiet", "tally": "later"}


def post(program: Program, path: str, action: Any, status: int = 200) -> Any:
    response = program.client.post(
        f"/api/v1/{path}", {"action": action}, content_type="application/json", headers=program.headers
    )
    assert response.status_code == status, response.content
    return response.json()


@pytest.mark.slow
def test_a_sheet_brings_its_orders_in_one_answer(annas: Program, sheet: str) -> None:
    table = sheet.partition("/decisions/")[0]
    (asked,) = [one for one in annas.get(f"{table}/decisions/")["items"] if one["kind"] == "sheet"]
    assert asked["actions"][0]["takes_orders"]
    done = post(annas, sheet, SHEET | {"orders": [NINE]})
    assert done["happened"] == []
    assert [one["is_waiting"] for one in done["decisions"] if one["kind"] == "sheet"] == [False]
    assert [order["id"] for order in annas.get(f"{table}/orders/")["orders"]] == ["o1"]
    post(annas, sheet, SHEET | {"orders": []})
    assert annas.get(f"{table}/orders/")["orders"] == []


@pytest.mark.parametrize(
    "orders",
    [5, [5], [NINE | {"color": "red"}], [NINE, NINE], [NINE | {"id": "o7"}], [NINE | {"until": "date"}], [NINE] * 41],
)
def test_a_sheet_with_orders_that_cannot_be_is_refused_and_nothing_changes(
    annas: Program, sheet: str, orders: Any
) -> None:
    (game,) = Game.objects.all()
    problem = post(annas, sheet, SHEET | {"orders": orders}, status=422)
    assert problem["detail"]
    assert fresh(game).seq == game.seq


@pytest.mark.slow
def test_a_placement_brings_orders_for_what_comes_after_it(placing: Game, program: Any, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    mover, path = program(row.seat.user), f"games/{placing.ref}/decisions/{row.code}/"
    (asked,) = mover.get(f"games/{placing.ref}/decisions/")["items"]
    (form,) = asked["actions"]
    assert form["takes_orders"]
    first, second, *_rest = [option["value"] for option in form["fields"][0]["options"]]
    ordered = {"kind": "place", "answers": [{"type": "place", "token": second, "space": "guard"}], "until": "round"}
    dated = ordered | {"until": "date"}
    for bad in ([dated], [ordered, ordered], [ordered | {"id": "o7"}], 5):
        problem = post(mover, path, {"type": "place", "token": first, "space": "market", "orders": bad}, status=422)
        assert problem["detail"]
    done = post(mover, path, {"type": "place", "token": first, "space": "market", "orders": [ordered]})
    assert len(done["happened"]) == 1
    assert [order["answers"] for order in mover.get(f"games/{placing.ref}/orders/")["orders"]] == [ordered["answers"]]
