"""The page of my orders: forms that read like sentences, and what each order would do now."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from games.models import Game, OrderDate, User
from tests.games.conftest import fresh, seat_of


@pytest.fixture
def page(placing: Game, ben: User) -> Any:
    """Ben at his orders."""
    client = Client()
    client.force_login(ben)
    return client


def url(game: Game, rest: str = "") -> str:
    return f"/table/{game.ref}/orders/{rest}"


def orders_of(game: Game, user: User) -> list[Any]:
    game = fresh(game)
    found: list[Any] = game.rules.orders(game.load_state(), seat_of(game, user).number).orders
    return found


NINE = {"kind": "place", "answer.do": "place", "answer.place-token": "9", "answer.place-space": "guard"}


@pytest.mark.slow
def test_the_table_leads_to_the_orders_of_its_players_only(page: Any, placing: Game, david: User) -> None:
    assert url(placing) in page.get(f"/table/{placing.ref}/").content.decode()
    stranger = Client()
    stranger.force_login(david)
    assert stranger.get(url(placing)).status_code == 404
    assert Client().get(url(placing)).status_code == 302


@pytest.mark.slow
def test_a_new_order_is_given_kept_and_forecast(page: Any, placing: Game, ben: User) -> None:
    assert "When you place a token" in page.get(url(placing)).content.decode()
    form = page.get(url(placing), {"kind": "place"}).content.decode()
    assert 'name="answer.place-token"' in form and 'name="if.others-space"' in form
    response = page.post(url(placing, "new/"), NINE, follow=True)
    body = response.content.decode()
    assert "Your orders are kept. Nobody else sees them." in body
    assert "would answer now: Place a token face down: 9, Palace guard" in body
    assert [order.answers for order in orders_of(placing, ben)] == [[{"type": "place", "token": 9, "space": "guard"}]]


@pytest.mark.slow
def test_an_order_gets_conditions_answers_and_reasons_to_stop(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), NINE | {"if.do": "round", "if.round-is": "at_least", "if.round-value": "2"})
    page.post(url(placing, "o1/"), {"wish": "stops", "stop.do": "camel", "stop.camel-seat": str(_other(placing, ben))})
    extra = {"wish": "answers", "answer.place_low-space": "market"}  # the field alone says which way is meant
    page.post(url(placing, "o1/"), extra)
    (order,) = orders_of(placing, ben)
    assert [condition["type"] for condition in order.conditions] == ["round"]
    assert [stop["type"] for stop in order.stops] == ["camel"]
    assert [entry["type"] for entry in order.answers] == ["place", "place_low"]
    body = page.get(url(placing)).content.decode()
    assert "would not answer now, because this does not hold: The round: at least 2" in body
    assert "or else Place your lowest token: Market" in body.replace("\n", " ")


def _other(game: Game, user: User) -> int:
    return int((seat_of(game, user).number + 1) % 3)


@pytest.mark.slow
def test_orders_are_moved_and_removed(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), NINE)
    page.post(url(placing, "new/"), NINE | {"answer.place-token": "8"})
    page.post(url(placing, "o2/"), {"wish": "up"})
    assert [order.id for order in orders_of(placing, ben)] == ["o2", "o1"]
    page.post(url(placing, "o1/"), {"wish": "remove"})
    assert [order.id for order in orders_of(placing, ben)] == ["o2"]
    assert page.post(url(placing, "o1/"), {"wish": "remove"}).status_code == 409


def test_an_order_until_a_date_ends_at_the_end_of_that_day(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), NINE | {"until": "date", "date": "2099-12-24"})
    row = OrderDate.objects.get()
    assert (row.order, row.ends_at) == ("o1", dt.datetime(2099, 12, 25, tzinfo=dt.UTC))
    page.post(url(placing, "o1/"), {"wish": "settings", "until": "round"})
    assert not OrderDate.objects.exists()
    assert orders_of(placing, ben)[0].until == "round"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"kind": "dance"}, "Choose what the order is for."),
        ({"kind": "place"}, "Choose an answer, or tick that it should ask you."),
        ({"kind": "place", "answer.do": "place"}, "Token: please choose one."),
        (NINE | {"answer.place-token": "12"}, "Not possible now"),
        (NINE | {"until": "date", "date": "2026-02-30"}, "Give the date as year, month and day"),
        (NINE | {"until": "date"}, "Give the date as year, month and day"),
        (NINE | {"until": "date", "date": "2001-01-01"}, "that date has passed"),
        (NINE | {"until": "date", "date": "9999-12-31"}, "Give the date as year, month and day"),
        (NINE | {"until": "doomsday"}, "Choose how long the order holds."),
        (NINE | {"topic": "room-1"}, "There is no place"),
        (NINE | {"if.do": "round"}, "please choose one."),
    ],
)
def test_what_cannot_be_is_said_at_the_form_and_changes_nothing(
    page: Any, placing: Game, ben: User, typed: dict[str, str], said: str
) -> None:
    response = page.post(url(placing, "new/"), typed)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert orders_of(placing, ben) == []


def test_an_order_that_asks_needs_no_answer(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), {"kind": "buy", "ask": "yes", "topic": "room-2"})
    (order,) = orders_of(placing, ben)
    assert (order.kind, order.topic, order.answers) == ("buy", "room-2", [])


@pytest.mark.slow
def test_nobody_else_sees_an_order_on_any_page(page: Any, placing: Game, anna: User) -> None:
    other = Client()
    other.force_login(anna)

    def seen() -> str:
        body = other.get(f"/table/{placing.ref}/").content.decode()
        return "\n".join(line for line in body.splitlines() if "csrf" not in line and 'name="key"' not in line)

    before = seen()
    page.post(url(placing, "new/"), NINE)
    assert seen() == before
    assert "Palace guard</p>" not in other.get(url(placing)).content.decode()


def test_after_the_game_there_is_nothing_to_order(page: Any, placing: Game) -> None:
    Game.objects.filter(pk=placing.pk).update(status=Game.Status.FINISHED)
    assert "in a running game" in page.get(url(placing)).content.decode()
