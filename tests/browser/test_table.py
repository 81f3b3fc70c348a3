"""A few moves by hand on a phone: from the table and from the link in a mail, without JavaScript and with it."""

from importlib import import_module

import pytest
from django.test import Client
from django.utils import timezone

from engine.registry import RULES
from games.lobby import lifecycle, practice
from games.models import Decision, Game, User
from games.play import decision_links
from games.tables.settings import TablePlan
from tests.games.conftest import answer, fresh, make_user, open_rows, settle
from tests.new_game import package_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(transactional_db) -> Game:
    """Anna against two bots; her starting treasures are asked."""
    plan = TablePlan(
        title="Thursday", rules_name="aladdins-dragons", seat_count=3, bots=("greedy", "random"), is_listed=True
    )
    anna, now = make_user("Anna"), timezone.now()
    game = lifecycle.open_table(host=anna, plan=plan, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    settle(timezone.now())
    return fresh(game)


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["session"].value


def mine(game: Game) -> Decision:
    return next(row for row in open_rows(game) if not row.is_automatic)


def test_anna_plays_on_the_table(phone, game):
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    phone.give("crown", 2)
    phone.give("gold", 1)
    page.get_by_role("button", name="Take these treasures").click()
    page.get_by_text("You've chosen 2 crowns and 1 gold bar").or_(
        page.get_by_text("continues by itself")
    ).first.wait_for()
    settle(timezone.now())
    for token, space in (("9", "market"), ("1", "guard")):
        phone.open(f"/table/{game.ref}/")
        with page.expect_request(lambda request: request.method == "POST") as sent:
            phone.place(token, space)
        assert "row." not in sent.value.post_data  # lines for orders are not even there until they are wanted
        page.get_by_role("status").get_by_text(f"You place the {token}").wait_for()
        assert not phone.is_wider_than_the_screen()
        settle(timezone.now())
    assert phone.complaints == []


@pytest.mark.parametrize("has_scripts", [True])
def test_once_all_is_given_one_more_is_taken_from_the_kind_tapped_longest_ago(phone, game):
    def given():
        amounts = {
            one.get_attribute("name"): one.input_value() for one in phone.page.locator("#asked .coin input").all()
        }
        return {name.rsplit("-", 1)[-1]: amount for name, amount in amounts.items() if amount}

    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    for kind, amount, expected in (
        ("crown", 2, {"crown": "2"}),
        ("gold", 1, {"crown": "2", "gold": "1"}),
        ("gold", 1, {"crown": "1", "gold": "2"}),
        ("pearl", 1, {"pearl": "1", "gold": "2"}),
        ("gold", 1, {"gold": "3"}),
        ("gold", 1, {}),
    ):
        phone.give(kind, amount)
        assert given() == expected


def test_alone_with_bots_a_placement_is_two_taps_and_is_taken_back(phone, has_scripts, transactional_db):
    page, anna = phone.page, make_user("Anna")
    game = practice.begin_against_bots(user=anna, rules_name="aladdins-dragons", now=timezone.now())
    phone.sign_in(session_of(anna))
    phone.open(f"/table/{game.ref}/")
    page.get_by_role("radio", name="9", exact=True).check()
    if has_scripts:
        sent = []
        page.route("**/act/", lambda route, _request: sent.append(route))
        phone.space("market").click()
        page.locator("figure.board .laid").wait_for()  # it lies there at once
        sent[0].abort()
        page.locator("figure.board .laid").wait_for(state="detached")
        page.get_by_text("What you've chosen and typed is kept").first.wait_for()  # the network was gone for a moment
        page.unroute("**/act/")
        phone.complaints.clear()
        phone.space("market").click()
    else:
        page.locator('#asked .last button[value="market"]').click()
    # The board shows what was placed: nothing else has to
    page.locator("#asked p.hint", has_text="get past the guard").wait_for()
    assert page.get_by_text("Your answer is saved").count() == 0
    assert not has_scripts or page.locator(".picked, .go:visible").count() == 0  # the next token has no place yet
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("radio", name="9", exact=True).wait_for()
    assert phone.complaints == []


@pytest.fixture
def hexes(transactional_db, tmp_path, monkeypatch) -> Game:
    """Anna and Ben at a game that `script/new-game --hex` has just written."""
    for path, text in package_of("thumb-hexes", "hex", sealed=False).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    (rules,) = import_module("caravanserai_thumb_hexes").GAMES
    monkeypatch.setitem(RULES, (rules.name, rules.version), rules)
    anna, ben, now = make_user("Anna"), make_user("Ben"), timezone.now()
    plan = TablePlan(title="Hexes", rules_name=rules.name, seat_count=2)
    game = lifecycle.open_table(host=anna, plan=plan, now=now)
    lifecycle.join(game_id=game.pk, user=ben, now=now)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    return fresh(game)


def test_a_game_of_hexagons_from_a_package_is_played_by_thumb_to_its_end(phone, hexes, has_scripts):
    page, ben = phone.page, hexes.seats.get(number=1).user  # who has the last move
    phone.sign_in(session_of(ben))
    while not fresh(hexes).is_over:
        (row,) = open_rows(hexes)
        space = row.game.rules.moves(fresh(hexes).load_state(), row.seat.number)[0].space
        if row.seat.user != ben:
            answer(hexes, row, timezone.now(), {"type": "take", "space": space})
            continue
        phone.open(f"/table/{hexes.ref}/")
        if has_scripts:
            phone.space(space).click()
            page.get_by_role("button", name=f"Take: {space}").click()
        else:
            page.locator(f'#asked .last button[value="{space}"]').click()
        said = page.get_by_role("status").get_by_text(f"You take {space}")
        said.or_(page.locator(".finale .winner")).first.wait_for()
        assert not phone.is_wider_than_the_screen()
    if has_scripts:
        page.get_by_role("button", name="Share").wait_for()
    phone.open(f"/table/{hexes.ref}/")
    page.locator(".finale .winner").wait_for()
    assert phone.complaints == []


def test_anna_plays_from_the_link_in_a_mail(phone, game):
    page = phone.page
    link = decision_links.act_url(mine(game)).split("/", 3)[3]
    phone.open(f"/{link}")
    assert not phone.is_wider_than_the_screen()
    phone.give("pearl", 3)
    page.get_by_role("button", name="Take these treasures").click(delay=700)  # milliseconds: it is held
    who = page.get_by_role("radio", name="Yes, I'm Anna")
    if who.count():  # without scripts
        who.check()
        page.get_by_role("button", name="Continue").click()
    page.locator("#done h2").first.wait_for()
    phone.open(f"/{link}")
    page.get_by_text("You start with 3 pearls.").wait_for()
    assert phone.page.context.cookies() == []
    assert phone.complaints == []


@pytest.mark.parametrize("has_scripts", [True])
def test_the_table_fills_the_screen_and_shows_every_space(phone, game):
    """Nothing scrolls: the board lies whole between the bar and the question."""
    answer(game, mine(game), timezone.now(), {"type": "take_treasures", "amounts": {"pearl": 3}})
    settle(timezone.now())
    phone.sign_in(session_of(game.host))
    for size in ((320, 568), (390, 844), (768, 1024), (844, 390), (1280, 800), (1440, 900)):
        phone.page.set_viewport_size({"width": size[0], "height": size[1]})
        phone.open(f"/table/{game.ref}/")
        look(phone.page, size)
    assert phone.complaints == []


def look(page, size):
    page.get_by_role("radio", name="9", exact=True).check()
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [
        size[1],
        size[0],
    ]
    board = page.locator("figure.board").bounding_box()
    sheet = page.locator("#sheet").bounding_box()
    for space in page.locator("figure.board [data-space]").all():
        box = space.bounding_box()
        assert board["y"] <= box["y"] and board["x"] <= box["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"] + 1
        bottom = board["y"] + board["height"] if sheet["x"] > board["x"] else sheet["y"] + 1
        assert box["y"] + box["height"] <= bottom
    for tab in page.locator(".tabs a").all():
        assert min(tab.bounding_box()["width"], tab.bounding_box()["height"]) >= 44
