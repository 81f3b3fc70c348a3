"""The rows of sheet and plan on the page behind the link and on the table's page: written, looked at, sent, changed."""

import datetime as dt
import re
from html import unescape

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.test import Client

from engine.orders.model import Order, Sheet
from games.models import Decision, Game, Move, User
from games.play import decision_links, queries, standing_orders
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
    return decision_links.act_url(row).replace(settings.SITE_URL, "")


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
    assert "When you place a token" in get(link)
    before = dawn.moves.count()
    written = {
        **SHEET,
        "row.place-1-token": "9",
        "row.place-1-space": "cave-crown",
        "row.place-2-token": "5",
        "row.place-2-space": "guard",
    }
    status, page = post(link, written)
    assert status == 200
    assert "Your round plan is saved" in page
    assert dawn.moves.count() == before + 1
    assert dawn.moves.last().kind == Move.Kind.ANSWER
    assert orders_of(dawn, ben) == [
        ("place", [{"type": "place", "token": 9, "space": "cave-crown"}]),
        ("place", [{"type": "place", "token": 5, "space": "guard"}]),
    ]


@pytest.mark.slow
def test_whoever_changes_his_sheet_sees_what_he_gave(dawn: Game, ben: User) -> None:
    link = link_of(dawn, ben)
    post(
        link,
        {
            **SHEET,
            "row.place-1-token": "9",
            "row.place-1-space": "cave-crown",
            "row.market-1-answer": "exchange_for gold",
        },
    )
    page = get(link)
    assert chosen(page) == {"place-1-token": "9", "place-1-space": "cave-crown", "market-1-answer": "exchange_for gold"}
    post(link, {**SHEET, "row.place-1-token": "8", "row.place-1-space": "tent"}, key="other")
    assert orders_of(dawn, ben) == [("place", [{"type": "place", "token": 8, "space": "tent"}])]


@pytest.mark.slow
def test_the_table_page_has_the_same_form(dawn: Game, ben: User) -> None:
    client = Client()
    client.force_login(ben)
    assert "When you place a token" in get(f"/table/{dawn.ref}/", client)
    posted = {**SHEET, "decision": "r1-sheet", "row.place-1-token": "9", "row.place-1-space": "tent"}
    status, _page = post(f"/table/{dawn.ref}/act/", posted, client)
    assert status in (200, 302)
    assert len(orders_of(dawn, ben)) == 1


def test_what_is_only_looked_at_changes_nothing_and_stays_typed(dawn: Game, ben: User) -> None:
    link = link_of(dawn, ben)
    before = fresh(dawn).seq
    status, page = post(link, {**SHEET, "look": "now", "row.place-1-token": "9", "row.place-1-space": "tent"})
    assert status == 200
    assert chosen(page) == {"place-1-token": "9", "place-1-space": "tent"}
    assert "would answer now" in page
    assert fresh(dawn).seq == before
    assert ben in {row.seat.user for row in open_rows(dawn)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"row.place-1-token": "9"}, "please choose here too, or leave the whole line empty"),
        ({"row.place-1-token": "9", "row.place-1-space": "moon"}, "be chosen here"),
        (
            {
                "row.place-1-token": "9",
                "row.place-1-space": "tent",
                "row.place-2-token": "9",
                "row.place-2-space": "market",
            },
            "Orders 1 and 2 place the same token",
        ),
    ],
)
def test_a_row_that_cannot_be_meant_is_refused_at_the_form(dawn: Game, ben: User, written, said) -> None:
    before = fresh(dawn).seq
    status, page = post(link_of(dawn, ben), {**SHEET, **written})
    assert status == 422
    assert said in page
    assert chosen(page)["place-1-token"] == "9"
    assert fresh(dawn).seq == before


@pytest.mark.slow
def test_a_form_posted_untouched_answers_nothing(dawn: Game, ben: User) -> None:
    """A mail scanner that presses buttons gives no sheet, nor takes one away that was given."""
    link = link_of(dawn, ben)
    post(link, {**SHEET, "row.place-1-token": "9", "row.place-1-space": "tent"})
    status, _page = post(link, {"rows": "1", "row.place-1-token": "9", "row.place-1-space": "tent"}, key="scanner")
    assert status == 422
    assert len(orders_of(dawn, ben)) == 1


@pytest.mark.slow
def test_orders_that_no_row_can_say_are_kept(dawn: Game, ben: User, now: dt.datetime) -> None:
    camel = {"kind": "camel", "answers": [{"type": "leave_camel"}], "stays": True}
    standing_orders.give(
        game_id=dawn.pk, seat=seat_of(dawn, ben).number, raw={"orders": [camel]}, source="web", now=now
    )
    post(link_of(dawn, ben), {**SHEET, "row.place-1-token": "9", "row.place-1-space": "tent"})
    assert [kind for kind, _answers in orders_of(dawn, ben)] == ["camel", "place"]


@pytest.mark.slow
def test_a_sheet_can_be_filled_in_as_the_last_one(dawn: Game, ben: User, now: dt.datetime) -> None:
    link = link_of(dawn, ben)
    assert "Same as last round" not in get(link)
    post(link, {**SHEET, "row.place-1-token": "9", "row.place-1-space": "tent"})
    post(link, SHEET, key="empty")
    post(link, {**SHEET, "row.place-1-token": "8", "row.place-1-space": "market"}, key="third")
    post(link, {**SHEET, "row.place-1-token": "7", "row.place-1-space": "djinn", "look": "now"}, key="fourth")
    page = post(link, {**SHEET, "look": "again"}, key="fifth")[1]
    assert "Same as last round" in page
    assert chosen(page) == {"place-1-token": "8", "place-1-space": "market"}


def test_nobody_else_can_tell_that_a_sheet_holds_orders(dawn: Game, anna: User, ben: User) -> None:
    client = Client()
    client.force_login(anna)

    def seen() -> tuple[str, str]:
        page = re.sub(
            r'(name="key" value=|csrfmiddlewaretoken" value=|nonce=)"[^"]*"', "", get(f"/table/{dawn.ref}/", client)
        )
        return page, get(f"/api/v1/games/{dawn.ref}/", client)

    before = seen()
    post(
        link_of(dawn, ben),
        {**SHEET, "row.place-1-token": "9", "row.place-1-space": "tent", "row.market-1-answer": "exchange_for gold"},
    )
    assert seen() == before


@pytest.mark.slow
def test_a_plan_is_written_in_rows_as_well(dawn: Game, ben: User) -> None:
    for row in open_rows(dawn):
        user = row.seat.user
        full = {**SHEET}
        spaces = ["market", "tent"]
        for number, token in enumerate((1, 2, 4, 5, 6, 7, 8, 9), start=1):
            full |= {f"row.place-{number}-token": str(token), f"row.place-{number}-space": spaces[number % 2]}
        assert post(link_of(dawn, user), full, key=user.email)[0] == 200
    settle(present.now())
    assert {row.kind for row in open_rows(dawn)} == {"plan"}
    link = link_of(dawn, ben)
    plan = {
        "rows": "1",
        "do": "plan",
        "plan-windows": "quiet",
        "row.market-1-answer": "exchange_for gold",
        "row.window-1-topic": "market",
        "row.window-1-answer": "ask",
    }
    status, page = post(link, plan)
    assert "Your plan is saved" in page
    assert status == 200
    assert [kind for kind, _answers in orders_of(dawn, ben)] == ["market", "window"]
    assert not Decision.objects.filter(game=dawn, seat__user=ben, status=Decision.Status.OPEN).exists()


@pytest.mark.slow
def test_whoever_has_not_answered_finds_the_wishes_of_his_last_plan(dawn: Game, ben: User) -> None:
    """They are offered, not given: what is sent untouched answers nothing."""
    link = link_of(dawn, ben)
    state = dawn.load_state()
    camel = Order(kind="camel", answers=[{"type": "leave_camel"}], until="round")
    state.orders = [Sheet(period=1, planned=[camel]) for _ in range(3)]
    Game.objects.filter(pk=dawn.pk).update(state=dawn.rules.dump(state).decode())
    assert chosen(get(link)) == {"camel-1-answer": "leave_camel"}
    assert orders_of(dawn, ben) == []
    post(link, {**SHEET, "row.place-1-token": "9", "row.place-1-space": "tent"})
    assert chosen(get(link)) == {"place-1-token": "9", "place-1-space": "tent"}, "what was given is what is shown"


# One placement, and with it what comes after it


@pytest.fixture
def turn(placing: Game, now: dt.datetime) -> Decision:
    """The first placement at a table that asks step by step."""
    (row,) = open_rows(placing)
    return row


def hand(row: Decision) -> list[int]:
    return list(queries.view_of(queries.Access(fresh(row.game), row.seat)).hand)


def place_link(row: Decision) -> str:
    return decision_links.act_url(row).replace(settings.SITE_URL, "")


@pytest.mark.slow
def test_a_placement_takes_orders_for_the_other_tokens_with_it(turn: Decision) -> None:
    first, second, *_rest = hand(turn)
    page = get(place_link(turn))
    assert "<select" not in page, "lines for orders are left out until they are wanted"
    link = re.search(r'<a href="([^"]+)">Plan ahead</a>', page)
    assert link is not None
    page = get(unescape(link[1]).partition("#")[0])
    assert re.search(r'<details class="rows-beside" id="[^"]+" open>', page) and "row.place-1-token" in page
    written = {"place-token": str(first), "place-space": "market", "rows": "1"}
    status, page = post(place_link(turn), {**written, "row.place-1-token": str(second), "row.place-1-space": "guard"})
    assert status == 200
    assert "Your orders are saved. Nobody else can see them." in page
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
    assert chosen(page)["place-1-token"] == str(second)
    untouched = {f"row.{name}": value for name, value in chosen(page).items()}
    assert post(place_link(turn), {"rows": "1", **untouched})[0] == 422, "a form posted untouched places nothing"
    written = {"place-token": str(first), "place-space": "market", "rows": "1"}
    status, page = post(place_link(turn), {**written, **untouched}, key="second")
    assert status == 200
    assert "Your orders are saved" not in page
    sheet = queries.orders_of(queries.Access(fresh(turn.game), turn.seat))
    assert [order.id for order in sheet.orders] == ["o1", "o2", "o3"]
    assert "orders" not in turn.game.moves.get(decision=turn.code).action


@pytest.mark.slow
def test_what_comes_next_can_be_looked_at_before_anything_is_placed(turn: Decision) -> None:
    first, second, *_rest = hand(turn)
    written = {"place-token": str(first), "place-space": "market", "rows": "1", "look": "now"}
    looked = {
        **written,
        "row.place-1-token": str(second),
        "row.place-1-space": "guard",
        "row.place-2-token": str(first),
    }
    status, page = post(place_link(turn), {**looked, "row.place-2-space": "guard"})
    assert status == 200
    assert re.search(r'<details class="rows-beside" id="[^"]+" open>', page)
    assert "would answer now" in page
    assert chosen(page)["place-1-token"] == str(second)
    assert hand(turn)[0] == first
    refused = {name: value for name, value in looked.items() if name != "look"} | {"row.place-2-space": "guard"}
    status, page = post(place_link(turn), refused, key="sent")
    assert status == 422
    assert "can&#39;t be chosen now" in page
    assert hand(turn)[0] == first


def test_lines_of_one_sort_follow_each_other(turn: Decision) -> None:
    """A further line is offered once the one before it has something in it; the rooms have one together."""
    page = get(f"{place_link(turn)}?also={turn.code}")
    rows = re.findall(r'<li class="order-row( further)?">(.*?)</li>', page, re.DOTALL)
    sorts = {re.findall(r'name="row\.([\w-]+)"', row)[0]: bool(further) for further, row in rows}
    further = [name for name, is_further in sorts.items() if is_further]
    assert further == [f"place-{number}-token" for number in range(2, 8)]
    assert {"place-1-token", "market-1-answer"} <= set(sorts)
    soup = BeautifulSoup(page, "html.parser")
    lines = {line.legend.text: line for line in soup.select("fieldset.row-line")}
    names = [[select["name"] for select in line.select("select")] for line in lines.values()]
    assert list(lines) == ["Bribe the guard with up to", "Buy for up to"]
    assert names == [["row.bribe-1-limit"], ["row.buy-1-limit"]]
    folded = soup.select_one("details.rows-more")
    assert all(folded.select_one(f"select[name='row.room-{room}-limit']") for room in (1, 2, 3))
    assert folded.select_one("select[name='row.bribe-1-else']") and folded.select_one("[name='row.market-1-answer']")


@pytest.mark.slow
def test_what_no_line_can_say_is_written_and_changed_in_words(dawn: Game, ben: User) -> None:
    """Words go first, in the order of their lines; what is not touched keeps its number."""
    link = link_of(dawn, ben)
    words = "bribe up to 4 pearls first\r\n9 crowns if round at least 2, 8 guard or 7 guard"
    status, page = post(link, {**SHEET, "words": words, "row.place-1-token": "5", "row.place-1-space": "tent"})
    assert status == 200, page
    assert [kind for kind, _answers in orders_of(dawn, ben)] == ["bribe", "place", "place", "place"]
    shown = re.search(r"<textarea name=.words.*?>(.*?)</textarea>", get(link), re.DOTALL)
    lines = unescape(shown[1]).splitlines() if shown else []
    assert [line.split(":")[0] for line in lines] == [
        "At the palace guard, when you are too weak", "When you place a token", "When you place a token",
    ]  # fmt: skip
    changed = {**SHEET, "words": "\n".join([lines[1], lines[0]]), "look": "now"}
    page = post(link, changed, key="looked")[1]
    assert "t true: The round: at least 2" in page
    post(link, {**changed, "look": ""}, key="changed")
    sheet = queries.orders_of(queries.Access(fresh(dawn), seat_of(dawn, ben)))
    assert [order.id for order in sheet.orders] == ["o2", "o1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("9 crownz", "understand “9 crownz”"),
        ("pass", "“pass” could mean more than one thing"),
        ("9 crowns until 2099-12-24", "Send orders that end on a date on their own"),
        ("9 crowns, 9 guard", "place the same token"),
    ],
)
def test_words_that_cannot_be_meant_are_refused_and_stay_written(dawn: Game, ben: User, words: str, said: str) -> None:
    before = fresh(dawn).seq
    status, page = post(link_of(dawn, ben), {**SHEET, "words": words})
    assert (status, fresh(dawn).seq) == (422, before)
    assert said in page and f">{words}</textarea>" in page


def test_a_line_that_is_offered_no_more_is_not_dropped_in_silence(dawn: Game, ben: User) -> None:
    """As from a page that was opened before its form had other lines."""
    status, page = post(link_of(dawn, ben), {**SHEET, "row.token-1": "9", "row.space-1": "tent"})
    assert status == 422 and "Please look at them again" in page
    assert orders_of(dawn, ben) == []
