"""The rows of sheet and plan on the page behind the link and on the table's page: written, looked at, sent, changed."""

import datetime as dt
import re

import pytest
from django.conf import settings
from django.test import Client

from engine.orders.model import Order, Sheet
from games import links
from games.models import Decision, Game, Move, User
from games.orders import standing_orders
from games.play import queries
from notifications.clock import present
from tests.conftest import NOON
from tests.games.conftest import Keep, fresh, of_three, open_rows, seat_of, settle, to_placing
from tests.games.kept import Stage

SHEET = {"rows": "1", "sheet-windows": "quiet", "sheet-tally": "later"}


@pytest.fixture(scope="session")
def kept_dawn(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """The game up to its sheets."""
    options = {"version": "magic", "tally": "plan"}
    return kept_here(lambda: to_placing(of_three(NOON, options=options), NOON), *kept_three)


@pytest.fixture
def dawn(anna: User, ben: User, carla: User, kept_dawn: Stage) -> Game:
    """A magic table that plans: the sheets of the first round are asked."""
    game: Game = kept_dawn.bring()
    assert {row.kind for row in open_rows(game)} == {"sheet"}
    return game


def link_of(game: Game, user: User) -> str:
    row = next(row for row in game.decisions.filter(seat__user=user).order_by("-pk") if row.kind in ("sheet", "plan"))
    return links.act_url(row).replace(settings.SITE_URL, "")


def post(address: str, posted: dict[str, str], client: Client | None = None, key: str = "k") -> tuple[int, str]:
    response = (client or Client()).post(address, {"key": key, **posted}, follow=True)
    return response.status_code, response.content.decode()


def get(address: str, client: Client | None = None) -> str:
    return (client or Client()).get(address).content.decode()


def chosen(page: str) -> dict[str, str]:
    """What is selected on the page, by the name of the blank."""
    found = {}
    for name, options in re.findall(r'<select name="row\.([\w-]+)".*?>(.*?)</select>', page, re.DOTALL):
        selected = re.findall(r'<option value="([^"]*)" selected', options)
        found |= {name: selected[0]} if selected else {}
    return found


def orders_of(game: Game, user: User) -> list[tuple[str, list[dict[str, object]]]]:
    sheet = queries.orders_of(queries.Access(fresh(game), seat_of(game, user)))
    return [(order.kind, order.answers) for order in sheet.orders]


def test_a_sheet_is_written_and_sent_from_the_link_in_one_go(dawn: Game, ben: User) -> None:
    link = link_of(dawn, ben)
    assert "Your tokens, in this order" in get(link)
    before = dawn.moves.count()
    written = {**SHEET, "row.token-1": "9", "row.space-1": "cave-crown", "row.token-2": "5", "row.space-2": "guard"}
    status, page = post(link, written)
    assert status == 200
    assert "Your sheet is kept" in page
    assert dawn.moves.count() == before + 1
    assert dawn.moves.last().kind == Move.Kind.ANSWER
    assert orders_of(dawn, ben) == [
        ("place", [{"type": "place", "token": 9, "space": "cave-crown"}]),
        ("place", [{"type": "place", "token": 5, "space": "guard"}]),
    ]


@pytest.mark.slow
def test_whoever_changes_his_sheet_sees_what_he_gave(dawn: Game, ben: User) -> None:
    link = link_of(dawn, ben)
    post(link, {**SHEET, "row.token-1": "9", "row.space-1": "cave-crown", "row.market": "gold"})
    page = get(link)
    assert chosen(page) == {"token-1": "9", "space-1": "cave-crown", "market": "gold"}
    post(link, {**SHEET, "row.token-1": "8", "row.space-1": "tent"}, key="other")
    assert orders_of(dawn, ben) == [("place", [{"type": "place", "token": 8, "space": "tent"}])]


@pytest.mark.slow
def test_the_table_page_has_the_same_form(dawn: Game, ben: User) -> None:
    client = Client()
    client.force_login(ben)
    assert "Your tokens, in this order" in get(f"/table/{dawn.ref}/", client)
    posted = {**SHEET, "decision": "r1-sheet", "row.token-1": "9", "row.space-1": "tent"}
    status, _page = post(f"/table/{dawn.ref}/act/", posted, client)
    assert status in (200, 302)
    assert len(orders_of(dawn, ben)) == 1


def test_what_is_only_looked_at_changes_nothing_and_stays_typed(dawn: Game, ben: User) -> None:
    link = link_of(dawn, ben)
    before = fresh(dawn).seq
    status, page = post(link, {**SHEET, "look": "now", "row.token-1": "9", "row.space-1": "tent"})
    assert status == 200
    assert chosen(page) == {"token-1": "9", "space-1": "tent"}
    assert "would answer now" in page
    assert fresh(dawn).seq == before
    assert ben in {row.seat.user for row in open_rows(dawn)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"row.token-1": "9"}, "please choose here too, or leave the whole line empty"),
        ({"row.token-1": "9", "row.space-1": "moon"}, "“moon” cannot be chosen here"),
        (
            {"row.token-1": "9", "row.space-1": "tent", "row.token-2": "9", "row.space-2": "market"},
            "Orders 1 and 2 place the same token",
        ),
    ],
)
def test_a_row_that_cannot_be_meant_is_refused_at_the_form(dawn: Game, ben: User, written, said) -> None:
    before = fresh(dawn).seq
    status, page = post(link_of(dawn, ben), {**SHEET, **written})
    assert status == 422
    assert said in page
    assert chosen(page)["token-1"] == "9"
    assert fresh(dawn).seq == before


@pytest.mark.slow
def test_a_form_posted_untouched_answers_nothing(dawn: Game, ben: User) -> None:
    """A mail scanner that presses buttons gives no sheet, nor takes one away that was given."""
    link = link_of(dawn, ben)
    post(link, {**SHEET, "row.token-1": "9", "row.space-1": "tent"})
    status, _page = post(link, {"rows": "1", "row.token-1": "9", "row.space-1": "tent"}, key="scanner")
    assert status == 422
    assert len(orders_of(dawn, ben)) == 1


@pytest.mark.slow
def test_orders_that_no_row_can_say_are_kept(dawn: Game, ben: User, now: dt.datetime) -> None:
    camel = {"kind": "camel", "answers": [{"type": "leave_camel"}], "stays": True}
    standing_orders.give(
        game_id=dawn.pk, seat=seat_of(dawn, ben).number, raw={"orders": [camel]}, source="web", now=now
    )
    post(link_of(dawn, ben), {**SHEET, "row.token-1": "9", "row.space-1": "tent"})
    assert [kind for kind, _answers in orders_of(dawn, ben)] == ["camel", "place"]


@pytest.mark.slow
def test_a_sheet_can_be_filled_in_as_the_last_one(dawn: Game, ben: User, now: dt.datetime) -> None:
    link = link_of(dawn, ben)
    assert "As in my last sheet" not in get(link)
    post(link, {**SHEET, "row.token-1": "9", "row.space-1": "tent"})
    post(link, SHEET, key="empty")
    post(link, {**SHEET, "row.token-1": "8", "row.space-1": "market"}, key="third")
    post(link, {**SHEET, "row.token-1": "7", "row.space-1": "djinn", "look": "now"}, key="fourth")
    page = post(link, {**SHEET, "look": "again"}, key="fifth")[1]
    assert "As in my last sheet" in page
    assert chosen(page) == {"token-1": "8", "space-1": "market"}


def test_nobody_else_can_tell_that_a_sheet_holds_orders(dawn: Game, anna: User, ben: User) -> None:
    client = Client()
    client.force_login(anna)

    def seen() -> tuple[str, str]:
        page = re.sub(
            r'(name="key" value=|csrfmiddlewaretoken" value=|nonce=)"[^"]*"', "", get(f"/table/{dawn.ref}/", client)
        )
        return page, get(f"/api/v1/games/{dawn.ref}/", client)

    before = seen()
    post(link_of(dawn, ben), {**SHEET, "row.token-1": "9", "row.space-1": "tent", "row.market": "gold"})
    assert seen() == before


@pytest.mark.slow
def test_a_plan_is_written_in_rows_as_well(dawn: Game, ben: User) -> None:
    for row in open_rows(dawn):
        user = row.seat.user
        full = {**SHEET}
        spaces = ["market", "tent"]
        for number, token in enumerate((1, 2, 4, 5, 6, 7, 8, 9), start=1):
            full |= {f"row.token-{number}": str(token), f"row.space-{number}": spaces[number % 2]}
        assert post(link_of(dawn, user), full, key=user.email)[0] == 200
    settle(present.now())
    assert {row.kind for row in open_rows(dawn)} == {"plan"}
    link = link_of(dawn, ben)
    plan = {"rows": "1", "do": "plan", "plan-windows": "quiet", "row.market": "gold", "row.ask-1": "market"}
    status, page = post(link, plan)
    assert "Your plan is kept" in page
    assert status == 200
    assert [kind for kind, _answers in orders_of(dawn, ben)] == ["window", "market"]
    assert not Decision.objects.filter(game=dawn, seat__user=ben, status=Decision.Status.OPEN).exists()


@pytest.mark.slow
def test_whoever_has_not_answered_finds_the_wishes_of_his_last_plan(dawn: Game, ben: User) -> None:
    """They are offered, not given: what is sent untouched answers nothing."""
    link = link_of(dawn, ben)
    state = dawn.load_state()
    camel = Order(kind="camel", answers=[{"type": "leave_camel"}], until="round")
    state.orders = [Sheet(period=1, planned=[camel]) for _ in range(3)]
    Game.objects.filter(pk=dawn.pk).update(state=dawn.rules.dump(state).decode())
    assert chosen(get(link)) == {"camel": "leave"}
    assert orders_of(dawn, ben) == []
    post(link, {**SHEET, "row.token-1": "9", "row.space-1": "tent"})
    assert chosen(get(link)) == {"token-1": "9", "space-1": "tent"}, "what was given is what is shown"


# One placement, and with it what comes after it


@pytest.fixture
def turn(placing: Game, now: dt.datetime) -> Decision:
    """The first placement at a table that asks step by step."""
    (row,) = open_rows(placing)
    return row


def hand(row: Decision) -> list[int]:
    return list(queries.view_of(queries.Access(fresh(row.game), row.seat)).hand)


def place_link(row: Decision) -> str:
    return links.act_url(row).replace(settings.SITE_URL, "")


@pytest.mark.slow
def test_a_placement_takes_orders_for_the_other_tokens_with_it(turn: Decision) -> None:
    first, second, *_rest = hand(turn)
    page = get(place_link(turn))
    assert "And what comes next: answer in advance" in page
    assert re.search(r'<details class="rows-beside" id="[^"]+" >', page), "it is folded away until it is wanted"
    written = {"place-token": str(first), "place-space": "market", "rows": "1"}
    status, page = post(place_link(turn), {**written, "row.token-1": str(second), "row.space-1": "guard"})
    assert status == 200
    assert "Your orders are kept. Nobody else sees them." in page
    user = turn.seat.user
    assert user is not None
    assert orders_of(turn.game, user) == [("place", [{"type": "place", "token": second, "space": "guard"}])]
    assert hand(turn)[0] == second


@pytest.mark.slow
def test_whoever_only_places_leaves_his_orders_as_they_are(turn: Decision, now: dt.datetime) -> None:
    """In their order, too, though no row can say the first of them; and his move holds none."""
    first, second, third, *_rest = hand(turn)
    raw = [
        {"kind": "place", "answers": [{"type": "place", "token": second, "space": "guard"}], "until": "round"},
        {"kind": "place", "answers": [{"type": "place_high", "space": "guard"}]},
        {"kind": "place", "answers": [{"type": "place", "token": third, "space": "guard"}], "until": "round"},
    ]
    standing_orders.give(game_id=turn.game_id, seat=turn.seat.number, raw={"orders": raw}, source="web", now=now)
    page = get(place_link(turn))
    assert chosen(page)["token-1"] == str(second)
    untouched = {f"row.{name}": value for name, value in chosen(page).items()}
    assert post(place_link(turn), {"rows": "1", **untouched})[0] == 422, "a form posted untouched places nothing"
    written = {"place-token": str(first), "place-space": "market", "rows": "1"}
    status, page = post(place_link(turn), {**written, **untouched}, key="second")
    assert status == 200
    assert "Your orders are kept" not in page
    sheet = queries.orders_of(queries.Access(fresh(turn.game), turn.seat))
    assert [order.id for order in sheet.orders] == ["o1", "o2", "o3"]
    assert "orders" not in turn.game.moves.get(decision=turn.code).action


@pytest.mark.slow
def test_what_comes_next_can_be_looked_at_before_anything_is_placed(turn: Decision) -> None:
    first, second, *_rest = hand(turn)
    written = {"place-token": str(first), "place-space": "market", "rows": "1", "look": "now"}
    looked = {**written, "row.token-1": str(second), "row.space-1": "guard", "row.token-2": str(first)}
    status, page = post(place_link(turn), {**looked, "row.space-2": "guard"})
    assert status == 200
    assert re.search(r'<details class="rows-beside" id="[^"]+" open>', page)
    assert "would answer now" in page
    assert chosen(page)["token-1"] == str(second)
    assert hand(turn)[0] == first
    refused = {name: value for name, value in looked.items() if name != "look"} | {"row.space-2": "guard"}
    status, page = post(place_link(turn), refused, key="sent")
    assert status == 422
    assert "Order 2: Not possible now" in page
    assert hand(turn)[0] == first


def test_lines_of_one_sort_follow_each_other_and_marks_stay_with_what_they_follow(turn: Decision) -> None:
    """A further line is offered once the one before it has something in it; each room has a line of its own."""
    page = get(place_link(turn))
    rows = re.findall(r'<li class="order-row( further)?">(.*?)</li>', page, re.DOTALL)
    sorts = {re.findall(r'name="row\.([\w-]+)"', row)[0]: bool(further) for further, row in rows}
    assert [name for name, is_further in sorts.items() if is_further] == [f"token-{n}" for n in range(2, 8)]
    assert {"token-1", "bribe", "buy-1", "buy-2", "market"} <= set(sorts)
    additions = re.findall(r'addition">\s*<select name="row\.([\w-]+)"', page)
    assert set(additions) == {f"unless-{n}" for n in range(1, 8)}, "of a bribe each blank may stand alone"
    bribe = next(row for _further, row in rows if 'name="row.bribe"' in row)
    pay = next(row for _further, row in rows if 'name="row.pay-first"' in row)
    marks = [re.findall(r"</select>\s*([,;]?)\s*</span>", row) for row in (bribe, pay)]
    assert marks == [[";", ""], [",", ";", ""]]
