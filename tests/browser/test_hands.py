"""What hands do: drag a token, press Enter, lose the network, go back, click twice, keep two tabs open."""

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page

from games.models import Game
from games.play import queries
from tests.browser.conftest import PATIENCE, PHONE, Phone
from tests.browser.gallery import People, act_path, asked, play_until, waits_for
from tests.browser.test_live import placing
from tests.browser.test_table import game, mine, session_of
from tests.games.conftest import answer, fresh, open_rows, seat_of, settle

__all__ = ["game"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CHOSEN = "Token: 9 · Space: Market"


@pytest.fixture
def phone(browser, live_server, game):
    """A phone with scripts, at Anna's table; a placement is asked of her."""
    placing(game)
    context = browser.new_context(viewport=PHONE, has_touch=True)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    yield phone
    context.close()


class Finger:
    """A finger on the screen, as the browser gets it from the screen: it may scroll the page, and end the drag."""

    def __init__(self, page: Page) -> None:
        self.page, self.screen = page, page.context.new_cdp_session(page)

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> None:
        """Goes down at a place of the window, moves to another, and stays there."""
        self._send("touchStart", start)
        for step in range(1, steps + 1):
            self._send("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end, strict=True)))

    def lift(self) -> None:
        """Leaves the screen."""
        self._send("touchEnd")

    def cancel(self) -> None:
        """Is taken over by the system, as when a call comes in."""
        self._send("touchCancel")

    def _send(self, kind: str, *places: tuple[float, ...]) -> None:
        points = [{"x": x, "y": y} for x, y in places]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def choose(phone: Phone) -> None:
    phone.page.get_by_role("radio", name="9", exact=True).check()
    phone.page.get_by_role("radio", name="Market").check()


def moves_of(game: Game) -> int:
    """What she has sent beside her treasures."""
    return fresh(game).moves.filter(source="web", actor=game.host).count() - 1


def middle_of(place) -> tuple[float, float]:
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def in_sight(place: Locator) -> tuple[float, float]:
    """Its middle in the window, which is not scrolled."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_token_is_dragged_to_a_space_by_a_finger(phone, game):
    page, finger = phone.page, Finger(phone.page)
    token, market = page.get_by_role("button", name="Token: 9"), page.get_by_role("button", name="Space: Market")
    page.evaluate("document.querySelector('figure.board').scrollIntoView()")
    finger.drag(in_sight(token), (5, 5))
    finger.lift()
    assert page.get_by_text(CHOSEN).count() == 0, "it ends nowhere"
    finger.drag(in_sight(token), in_sight(market))
    page.locator('svg .over[data-pick="market"]').wait_for()  # where a moving finger is, is told once a frame
    assert page.locator(".dragged").inner_text() == "9"
    finger.lift()
    page.get_by_text(CHOSEN).wait_for()
    assert page.locator(".dragged").count() == 0
    assert moves_of(game) == 0  # it is chosen, not sent
    page.get_by_role("button", name="Place a token face down").click()
    page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    assert phone.complaints == []


def test_a_token_of_a_sheet_is_dragged_by_a_finger_and_lost_by_no_slip_of_it(sheet):
    phone, game = sheet
    page, finger = phone.page, Finger(phone.page)
    chip = page.get_by_role("group", name="Your hand").get_by_role("button", name="9", exact=True)
    guard = page.locator('svg [data-pick="guard"]')
    page.evaluate("document.querySelector('figure.board').scrollIntoView()")
    scrolled = page.evaluate("window.scrollY")
    finger.drag(in_sight(chip), in_sight(guard))
    page.locator('svg .over[data-pick="guard"]').wait_for()  # where a moving finger is, is told once a frame
    assert page.locator(".dragged").inner_text() == "9"
    finger.lift()
    assert lines(page) == ["9 guard"]
    finger.drag(in_sight(page.locator("svg .planned")), in_sight(page.locator('svg [data-pick="market"]')))
    finger.lift()
    assert lines(page) == ["9 market"]
    for nowhere in ((5, 5), (200, 3)):
        finger.drag(in_sight(page.locator("svg .planned")), nowhere)
        finger.lift()
        assert lines(page) == ["9 market"] and page.locator("svg .planned").count() == 1
    finger.drag(in_sight(page.locator("svg .planned")), in_sight(guard))
    finger.cancel()
    page.locator(".dragged, .over").first.wait_for(state="detached")
    finger.drag(in_sight(page.locator("svg .planned")), in_sight(guard))
    finger.lift()
    assert lines(page) == ["9 guard"]
    assert page.locator(".dragged, .over").count() == 0
    assert page.evaluate("window.scrollY") == scrolled, "the page stays where it is under the finger"
    assert ordered(game) == [] and phone.complaints == []


def test_enter_sends_the_answer_and_not_the_dry_run(phone, game):
    choose(phone)
    with phone.page.expect_navigation():
        phone.page.keyboard.press("Enter")
    phone.page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    assert moves_of(game) == 1


def test_without_a_network_the_choice_stays_and_is_sent_later(phone, game):
    page = phone.page
    choose(phone)
    page.context.set_offline(True)
    page.get_by_role("button", name="Place a token face down").click()
    page.locator("#connection").wait_for(state="visible")
    assert "You're offline" in page.locator("#spoken").inner_text()
    page.get_by_text(CHOSEN).wait_for()
    page.context.set_offline(False)
    page.locator("#connection").wait_for(state="hidden")
    page.get_by_role("button", name="Place a token face down").click()
    page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    assert moves_of(game) == 1


def test_the_way_back_from_the_browsers_own_page_of_errors_finds_what_was_chosen(phone, game):
    page = phone.page
    choose(phone)
    page.route("**/act/", lambda route: route.abort("connectionreset"))
    page.get_by_role("button", name="Place a token face down").click()
    page.wait_for_url("chrome-error://**")
    page.unroute("**/act/")
    page.go_back()
    page.get_by_text(CHOSEN).wait_for()
    page.get_by_role("button", name="Place a token face down").click()
    page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    assert moves_of(game) == 1


def test_who_was_signed_out_meanwhile_signs_in_and_finds_what_he_had_chosen(phone, game):
    page = phone.page
    choose(phone)
    page.context.clear_cookies(name="session")
    page.get_by_role("button", name="Place a token face down").click()
    page.wait_for_url("**/accounts/login/**")
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/act/")  # signing in leads him there, and it to the table
    page.get_by_text(CHOSEN).wait_for()
    assert moves_of(game) == 0
    page.get_by_role("button", name="Place a token face down").click()
    page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()


def test_the_way_back_after_a_move_offers_nothing_that_is_done(phone, game):
    page = phone.page
    choose(phone)
    page.get_by_role("button", name="Place a token face down").click()
    page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    settle(timezone.now())
    page.goto(phone.address + "/rules/")
    page.go_back()
    page.get_by_role("radio", name="1", exact=True).wait_for()
    assert page.get_by_role("radio", name="9", exact=True).count() == 0
    assert page.locator("form.answer input:checked").count() == 0
    assert moves_of(game) == 1


def test_two_clicks_at_once_are_one_move(phone, game):
    choose(phone)
    # The second click may abort the navigation that the first one began: only where it ends is waited for.
    phone.page.get_by_role("button", name="Place a token face down").dblclick(no_wait_after=True)
    phone.page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    assert moves_of(game) == 1


def test_a_second_tab_that_is_stale_is_told_what_the_first_has_sent(phone, game):
    stale = phone.page
    choose(phone)
    answer(game, mine(game), timezone.now(), {"type": "place", "token": 1, "space": "guard"})
    stale.get_by_role("button", name="Place a token face down").click()
    alert = stale.get_by_role("alert")
    alert.get_by_text("This question has already been answered").wait_for()
    assert "guard" in alert.inner_text(), alert.inner_text()
    assert moves_of(game) == 1


TOKENS = list("12456789")


@pytest.fixture
def sheet(browser, live_server, transactional_db):
    """A phone on the page behind the link to Anna's sheet, of which something is proposed."""
    who = People()
    options = {"version": "basic", "tally": "plan"}
    game = who.table("Thursday", "aladdins-dragons", options=options, proposals="on")
    game = play_until(game, asked(who.anna, "sheet", after="r1"))
    context = browser.new_context(viewport=PHONE, has_touch=True)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.open(act_path(waits_for(game, who.anna)))
    yield phone, game
    context.close()


def lines(page) -> list[str]:
    """The list of the form: token and space of each line that is filled in."""
    selects = page.locator(".order-row .blank select").evaluate_all("(all) => all.map((one) => one.value)")
    pairs = zip(selects[::2], selects[1::2], strict=True)
    return [f"{token} {space}" for token, space in pairs if token in TOKENS and space]


def ordered(game: Game) -> list[str]:
    """The placements that Anna has ordered."""
    orders = queries.orders_of(queries.Access(fresh(game), seat_of(game, game.host))).orders
    return [f"{one.answers[0]['token']} {one.answers[0]['space']}" for one in orders if one.kind == "place"]


def test_a_sheet_is_changed_on_the_board_in_four_taps_and_lost_by_no_slip_of_the_hand(sheet):
    phone, game = sheet
    page = phone.page
    page.get_by_role("button", name="Start from the proposal").tap()
    proposed = lines(page)
    assert len(proposed) == len(TOKENS) == page.locator("svg .planned").count()
    token, space = proposed[0].split()
    page.locator(f'svg .planned[data-drag="{token}"]').tap()
    other = "guard" if space != "guard" else "market"
    page.locator(f'svg [data-pick="{other}"]').tap()
    changed = [f"{token} {other}", *proposed[1:]]
    assert lines(page) == changed
    page.mouse.move(*middle_of(page.locator(f'svg .planned[data-drag="{token}"]')))
    page.mouse.down()
    page.mouse.move(5, 5, steps=5)
    page.mouse.up()
    assert lines(page) == changed, "a drag that ends nowhere"
    send = page.locator(".send button.big")
    page.context.set_offline(True)
    send.tap()
    page.locator("#connection").wait_for(state="visible")
    assert lines(page) == changed and page.locator("svg .planned").count() == len(TOKENS)
    page.context.set_offline(False)
    moves = fresh(game).moves.filter(source="link").count()
    send.dblclick(no_wait_after=True)
    page.wait_for_url("**?done=*")
    assert ordered(game) == changed
    assert fresh(game).moves.filter(source="link").count() == moves + 1
    assert not phone.is_wider_than_the_screen()
    assert [said for said in phone.complaints if "INTERNET" not in said] == []


def test_the_list_beside_the_board_says_what_lies_on_it(sheet):
    phone, _game = sheet
    page = phone.page
    chip = page.get_by_role("group", name="Your hand").get_by_role("button", name="9", exact=True)
    page.mouse.move(*middle_of(chip))
    page.mouse.down()
    page.mouse.move(*middle_of(page.locator('svg [data-pick="guard"]')), steps=5)
    page.mouse.up()
    page.get_by_role("group", name="Your hand").get_by_role("button", name="5", exact=True).click()
    page.get_by_role("button", name="5: Market").press("Enter")
    assert lines(page) == ["9 guard", "5 market"]
    page.get_by_role("button", name="Earlier: 5").press("Enter")
    assert lines(page) == ["5 market", "9 guard"]
    assert page.locator("svg .planned .order").all_text_contents() == ["2", "1"]  # the guard is above the market
    page.locator(".order-row select").nth(3).select_option("market")
    assert page.locator('svg [data-pick="market"] .planned').count() == 2
    page.get_by_role("button", name="Back to the hand: 9").press("Enter")
    assert lines(page) == ["5 market"] and page.locator("svg .planned").count() == 1
    assert phone.complaints == []


def test_all_tokens_of_a_wave_are_placed_in_one_go(browser, live_server, transactional_db):
    who = People()
    options = {"version": "basic", "tokens_per_turn": "8", "placing": "waves"}
    game = play_until(who.table("Thursday", "aladdins-dragons", options=options), asked(who.anna, "place"))
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.open(act_path(waits_for(game, who.anna)))
    page, tray = phone.page, phone.page.get_by_role("group", name="Your hand")
    first, *others = TOKENS
    page.locator(f'svg [data-pick-field="token"][data-pick="{first}"]').click()  # from the hand in the picture
    page.locator('svg [data-pick="guard"]').click()
    for token in others:
        tray.get_by_role("button", name=token, exact=True).click()
        page.locator('svg [data-pick="guard"]').click()
    page.locator(f'svg [data-pick-field="token"][data-pick="{first}"]').click()  # lifts it, and replaces no other
    page.locator('svg [data-pick="guard"]').click()
    page.locator(".send button.big").click()
    page.wait_for_url("**?done=*")
    assert not [row for row in open_rows(game) if row.seat.user == who.anna], "nothing more is asked of her"
    assert phone.complaints == []
    context.close()
