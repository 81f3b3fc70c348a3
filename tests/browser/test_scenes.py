"""What happened plays itself: on a page that is opened, and on one that is open."""

from itertools import pairwise
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from games.models import Game
from games.play import queries
from tests.browser.conftest import PATIENCE, PHONE, Phone
from tests.browser.test_live import TREASURES, look
from tests.browser.test_table import game, mine, session_of
from tests.games.conftest import answer, fresh, open_rows, settle, some_answer

__all__ = ["game"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FRAMES = """
window.frames_seen = [];
window.flown = 0;
new MutationObserver((all) => {
  const isStyled = [...document.querySelectorAll("link[rel=stylesheet]")].every((one) => one.sheet);
  if (document.readyState === "loading" || !isStyled) return; // nothing is painted before the style sheets
  const added = all.flatMap((one) => [...one.addedNodes]);
  const flying = added.filter((node) => node.nodeType === 1 && node.matches(".flying"));
  window.flown += flying.length;
  const caption = document.querySelector('#scene [data-scene="caption"]');
  const board = document.querySelector("#board figure.board");
  if (caption && board && getComputedStyle(board).visibility === "visible") {
    const up = [...board.querySelectorAll(".token.up")];
    const lying = up.map((token) => token.dataset.piece + "=" + token.textContent.trim());
    window.frames_seen.push([caption.textContent, lying.join(" ")]);
  }
}).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture
def context(browser, live_server):
    made = browser.new_context(viewport=PHONE)
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture
def phone(context: BrowserContext, live_server, game: Game) -> Phone:
    """Anna's, at the table once her starting treasures are chosen; she has seen all until then."""
    one = Phone(context, live_server.url)
    one.sign_in(session_of(game.host))
    answer(game, mine(game), timezone.now(), TREASURES)
    settle(timezone.now())
    one.open(f"/table/{game.ref}/")
    return one


def play_on(game: Game, until) -> None:
    """Everybody answers until that is true."""
    random = Random(5)
    while not until(current := fresh(game)):
        row = next(iter(open_rows(current)))
        answer(current, row, timezone.now(), some_answer(current, row, random.randrange(99)))
        settle(timezone.now())


def place(game: Game, token: int, space: str) -> None:
    answer(game, mine(game), timezone.now(), {"type": "place", "token": token, "space": space})
    settle(timezone.now())


def view_of(game: Game):
    return queries.view_of(queries.Access(game, None))


def caption_of(phone: Phone):
    return phone.page.locator('#scene [data-scene="caption"]')


def test_who_comes_back_sees_what_happened_on_the_board_he_knew_and_then_the_question(phone, game):
    page = phone.page
    page.goto("about:blank")
    place(game, 1, "market")
    page.add_init_script(FRAMES)
    phone.open(f"/table/{game.ref}/")
    expect(page.locator("body")).to_have_class("surface playing")
    expect(page.locator("#asked")).to_be_hidden()
    expect(caption_of(phone)).to_have_text("You place the 1 at the market.")
    page.locator("#scene").wait_for(state="hidden")
    expect(page.locator("#asked h2").first).to_be_visible()
    seen = page.evaluate("window.frames_seen")
    assert page.evaluate("window.flown") >= 3, "each token is seen to come from its owner"
    assert next(text for text, _lying in seen if text) == "You place the 1 at the market."
    assert page.locator("#board .told").count() == 0
    assert page.locator("#board figure").get_attribute("inert") is None
    page.reload()
    expect(page.locator("#asked h2").first).to_be_visible()
    assert page.locator("#scene").is_hidden(), "it plays once"
    assert not phone.complaints


def test_an_open_page_holds_the_new_board_back_until_it_was_played(phone, game):
    page = phone.page
    page.evaluate(FRAMES)
    before = page.locator("#board .space .token").count()
    place(game, 1, "market")
    look(phone)
    expect(page.locator("body")).to_have_class("surface playing")
    page.locator("#scene").wait_for(state="hidden")
    assert page.locator("#board .space .token").count() == before + len(fresh(game).seated())
    assert not phone.complaints


def test_a_tally_turns_over_space_after_space_and_ends_with_the_real_board(phone, game):
    page = phone.page
    play_on(game, lambda current: sum(view_of(current).hand_counts) <= 3)
    phone.open(f"/table/{game.ref}/")
    page.get_by_role("button", name="Skip").click()
    page.locator("#scene").wait_for(state="hidden")
    page.goto("about:blank")
    play_on(game, lambda current: len(view_of(current).tallied) > 3)
    page.add_init_script(FRAMES)
    phone.open(f"/table/{game.ref}/")
    page.locator("#scene").wait_for(state="visible")
    speed = page.get_by_role("button", name="Speed: 1×")
    speed.click()
    page.locator("#scene").wait_for(state="hidden")
    turned = [set(lying.split()) for _text, lying in page.evaluate("window.frames_seen")]
    assert not turned[0], "the first board has no value that was not seen by then"
    stays = [lying & turned[-1] for lying in turned]  # a card may take a token away again
    assert all(before <= after for before, after in pairwise(stays)) and turned[-1]
    assert page.evaluate("window.flown") > 3, "what is taken is seen to go to its owner"
    real = page.locator("#board .space .token.up").count()
    assert len(turned[-1]) <= real
    assert page.evaluate("localStorage.getItem('scene-speed')") == "2"
    assert not phone.complaints


def test_a_network_lost_on_the_way_leads_to_the_newest_board_and_says_so(phone, game):
    page = phone.page
    page.context.route("**/scenes/**", lambda route: route.abort())
    before = page.locator("#board .space .token").count()
    place(game, 1, "market")
    look(phone)
    expect(page.locator("#connection")).to_be_visible()
    expect(page.locator("#board .space .token")).to_have_count(before + len(fresh(game).seated()))
    assert page.locator("#scene").is_hidden()


def test_whoever_wants_none_of_it_sees_the_new_board_at_once(phone, game):
    page = phone.page
    page.evaluate("localStorage.setItem('scenes-off', '1')")
    place(game, 1, "market")
    phone.open(f"/table/{game.ref}/")
    expect(page.locator("#asked h2").first).to_be_visible()
    assert page.locator("#scene").is_hidden()
    assert page.locator("#scenes-on").is_checked() is False


def test_the_replay_is_played_forwards_from_where_one_is(phone, game):
    page = phone.page
    place(game, 1, "market")
    phone.open(f"/table/{game.ref}/history/?step=1")
    expect(page.locator("#step-back")).to_have_count(0)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".ticks .on").nth(1).wait_for()
    page.get_by_role("button", name="Skip").click()
    page.wait_for_url("**/history/?since=*")
    assert int(page.locator("#history").get_attribute("data-step")) >= 1
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/history/?step=*")
