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


NINE = {"word": ["When you place a token", ":", "or Place a token face down", "9", "Palace guard", "", ""]}
"""What the form of a kind sends, with a choice in some of its fields."""


def line(words: str) -> dict[str, str]:
    """What is sent from the field for a line."""
    return {"line": words}


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
    assert 'value="or Place a token face down"' in form and 'value="if Tokens of the others"' in form
    response = page.post(url(placing, "new/"), NINE, follow=True)
    body = response.content.decode()
    assert "Your orders are saved. Nobody else can see them." in body
    assert "would answer now: Place a token face down: 9, Palace guard" in body
    assert [order.answers for order in orders_of(placing, ben)] == [[{"type": "place", "token": 9, "space": "guard"}]]


@pytest.mark.slow
def test_an_order_is_changed_by_changing_its_words(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), {"word": [*NINE["word"], "if The round", "at least", "2"]})
    body = page.get(url(placing)).content.decode()
    words = "When you place a token: Place a token face down: 9, Palace guard; if The round: at least 2"
    assert f"{words}</textarea>" in body
    name = placing.seats.get(number=_other(placing, ben)).spoken_name
    changed = words.replace("; if", ", or Place your lowest token: Market; if")
    page.post(url(placing, "o1/"), line(f"{changed}; ask me if The camel is with: {name}") | {"wish": "change"})
    (order,) = orders_of(placing, ben)
    assert order.id == "o1"
    assert [condition["type"] for condition in order.conditions] == ["round"]
    assert order.stops == [{"type": "camel", "seat": _other(placing, ben)}]
    assert [entry["type"] for entry in order.answers] == ["place", "place_low"]
    body = page.get(url(placing)).content.decode()
    assert "t true: The round: at least 2" in body


@pytest.mark.slow
def test_the_form_takes_several_answers_and_conditions_at_once(page: Any, placing: Game, ben: User) -> None:
    answers = ["or Place a token face down", "9", "Market", "or Place your lowest token", "Palace guard"]
    facts = ["if The round", "at least", "2", "ask me if What I lack at the guard", "at least", "3"]
    page.post(url(placing, "new/"), {"word": [*NINE["word"][:2], *answers, *facts, "always", "this round"]})
    (order,) = orders_of(placing, ben)
    assert [entry["type"] for entry in order.answers] == ["place", "place_low"]
    assert ([one["type"] for one in order.conditions], [one["type"] for one in order.stops]) == (["round"], ["lack"])
    assert order.stays and order.until == "round"


@pytest.mark.slow
def test_a_line_gives_several_orders_as_in_a_reply(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), line("9 crowns, 5 guard if round at least 2"))
    assert [order.answers[0]["token"] for order in orders_of(placing, ben)] == [9, 5]
    response = page.post(url(placing, "o1/"), line("8 crowns, 7 guard") | {"wish": "change"})
    assert "only replace one order with one other" in response.content.decode()
    assert ">8 crowns, 7 guard</textarea>" in response.content.decode(), "what was written can be mended"
    assert [order.answers[0]["token"] for order in orders_of(placing, ben)] == [9, 5]


def _other(game: Game, user: User) -> int:
    return int((seat_of(game, user).number + 1) % 3)


@pytest.mark.slow
def test_orders_are_moved_and_removed(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), NINE)
    page.post(url(placing, "new/"), line("8 guard"))
    page.post(url(placing, "o2/"), {"wish": "up"})
    assert [order.id for order in orders_of(placing, ben)] == ["o2", "o1"]
    page.post(url(placing, "o1/"), {"wish": "remove"})
    assert [order.id for order in orders_of(placing, ben)] == ["o2"]
    assert page.post(url(placing, "o1/"), {"wish": "remove"}).status_code == 409


def test_an_order_until_a_date_ends_at_the_end_of_that_day(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), {"word": [*NINE["word"], "until", "2099-12-24"]})
    row = OrderDate.objects.get()
    assert (row.order, row.ends_at) == ("o1", dt.datetime(2099, 12, 25, tzinfo=dt.UTC))
    page.post(url(placing, "o1/"), line("9 guard this round") | {"wish": "change"})
    assert not OrderDate.objects.exists()
    assert orders_of(placing, ben)[0].until == "round"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (line("dance"), "understand “dance”"),
        (line(""), "say what the order should do"),
        ({"word": ["When you place a token", ":", "", ""]}, "understand “"),
        ({"word": ["When you place a token", ":", "or Place a token face down", "", ""]}, "understand “"),
        (line("order 12 guard"), "understand “"),
        (line("9 guard until 2026-02-30"), "Write the date as year, month and day"),
        ({"word": [*NINE["word"], "until", ""]}, "understand “"),
        (line("9 guard until 2001-01-01"), "that date has passed"),
        (line("9 guard until 9999-12-31"), "Write the date as year, month and day"),
        (line("9 guard until doomsday"), "understand “"),
        (line("9 guard at room 1"), "understand “"),
        (line("9 guard if round"), "understand “"),
        (line("9 guard, 9 market"), "place the same token"),
        (line("bribe up to 6 if guard at most 8 if guard at least 9"), "contradict"),
    ],
)
def test_what_cannot_be_is_said_at_the_form_and_changes_nothing(
    page: Any, placing: Game, ben: User, typed: dict[str, Any], said: str
) -> None:
    response = page.post(url(placing, "new/"), typed)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert orders_of(placing, ben) == []


def test_an_order_that_asks_needs_no_answer(page: Any, placing: Game, ben: User) -> None:
    page.post(url(placing, "new/"), {"word": ["When you may buy an artifact", "Room 2", ":", "or ask me"]})
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
    assert "9, Palace guard" not in other.get(url(placing)).content.decode()


def test_after_the_game_there_is_nothing_to_order(page: Any, placing: Game) -> None:
    Game.objects.filter(pk=placing.pk).update(status=Game.Status.FINISHED)
    assert "in a running game" in page.get(url(placing)).content.decode()
