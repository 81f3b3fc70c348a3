"""What hands do: drag a token, press Enter, lose the network, go back, click twice, keep two tabs open."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page

from games.models import Game, User
from games.play import queries
from tests.browser.conftest import PATIENCE, PHONE, Phone
from tests.browser.gallery import People, act_path, asked, play_until, waits_for
from tests.browser.test_live import placing
from tests.browser.test_table import game, mine, session_of
from tests.games.conftest import answer, fresh, seat_of, settle

__all__ = ["game"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PLACE = "Place the 9"


@pytest.fixture
def phone(browser, live_server, game):
    """A phone with scripts, at Anna's table; a placement is asked of her."""
    placing(game)
    context = browser.new_context(viewport=PHONE, has_touch=True)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.see_no_scenes()
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
    phone.space("market").click()
    phone.page.get_by_role("button", name=PLACE).wait_for()


def send(phone: Phone, **how: object) -> None:
    phone.page.get_by_role("button", name=PLACE).click(**how)


def is_done(phone: Phone) -> None:
    phone.page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()


def moves_of(game: Game) -> int:
    """What she has sent beside her treasures."""
    return fresh(game).moves.filter(source="web", actor=game.host).count() - 1


def in_sight(place: Locator) -> tuple[float, float]:
    """Its middle in the window, which is not scrolled."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_token_is_dragged_to_a_space_by_a_finger(phone, game):
    page, finger = phone.page, Finger(phone.page)
    token = page.locator('label.choice[data-drag="9"]')
    finger.drag(in_sight(token), (5, 5))
    finger.lift()
    assert page.get_by_role("button", name=PLACE).count() == 0, "it ends nowhere"
    finger.drag(in_sight(token), in_sight(phone.space("market")))
    page.locator('.over[data-pick="market"]').wait_for()  # where a moving finger is, is told once a frame
    finger.lift()
    page.get_by_role("button", name=PLACE).wait_for()
    assert page.locator(".dragged").count() == 0
    assert moves_of(game) == 0  # it is chosen, not sent
    send(phone)
    is_done(phone)
    assert phone.complaints == []


def test_without_a_network_the_choice_stays_and_is_sent_later(phone, game):
    page = phone.page
    choose(phone)
    page.context.set_offline(True)
    send(phone)
    page.locator("#connection").wait_for(state="visible")
    assert "You're offline" in page.locator("#spoken").inner_text()
    page.context.set_offline(False)
    page.locator("#connection").wait_for(state="hidden")
    send(phone)
    is_done(phone)
    assert moves_of(game) == 1


def test_who_was_signed_out_meanwhile_loses_no_choice(phone, game):
    page = phone.page
    choose(phone)
    page.context.clear_cookies(name="session")
    send(phone)
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    assert moves_of(game) == 0
    choose(phone)
    send(phone)
    is_done(phone)


def test_the_way_back_after_a_move_offers_nothing_that_is_done(phone, game):
    page = phone.page
    choose(phone)
    send(phone)
    is_done(phone)
    settle(timezone.now())
    page.goto(phone.address + "/rules/")
    page.go_back()
    page.get_by_role("radio", name="1", exact=True).wait_for()
    assert page.get_by_role("radio", name="9", exact=True).count() == 0
    assert page.locator("form.answer input:checked").count() == 0
    assert moves_of(game) == 1


def test_two_clicks_at_once_are_one_move(phone, game):
    choose(phone)
    phone.page.get_by_role("button", name=PLACE).evaluate("(button) => { button.click(); button.click(); }")
    is_done(phone)
    assert moves_of(game) == 1


def test_a_second_tab_that_is_stale_is_told_what_the_first_has_sent(phone, game):
    choose(phone)
    answer(game, mine(game), timezone.now(), {"type": "place", "token": 1, "space": "guard"})
    send(phone)
    alert = phone.page.locator("#asked").get_by_role("alert")
    alert.get_by_text("This question has already been answered").wait_for()
    assert "guard" in alert.inner_text(), alert.inner_text()
    assert moves_of(game) == 1


TOKENS = list("12456789")


@pytest.fixture
def sheet(browser, live_server, transactional_db):
    """A phone on the page behind the link to Anna's sheet, of which something is proposed."""
    who = People()
    options = {"version": "basic", "tally": "plan"}
    User.objects.filter(pk=who.anna.pk).update(proposals_shown=User.ProposalsShown.NOW)
    game = who.table("Thursday", "aladdins-dragons", options=options, proposals="on")
    game = play_until(game, asked(who.anna, "sheet", after="r1"))
    context = browser.new_context(viewport=PHONE, has_touch=True)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.see_no_scenes()
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


def laid(page) -> list[str]:
    """What lies planned on the board, in its order: token and space."""
    tokens = page.locator("figure.board .planned").evaluate_all(
        "(all) => all.map((one) => [one.querySelector('.order').textContent, one.dataset.drag,"
        " one.closest('[data-space]').dataset.space])"
    )
    return [f"{token} {space}" for _order, token, space in sorted(tokens, key=lambda one: int(one[0]))]


def test_a_question_that_comes_anew_leaves_a_half_made_plan_as_it_is(sheet):
    phone, game = sheet
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    page.get_by_role("button", name="Use this plan").tap()
    proposed = laid(page)
    before = page.locator("#asked").get_attribute("data-live")
    page.evaluate("addEventListener('htmx:afterSettle', () => { document.body.dataset.settled = 'yes'; })")
    game.decisions.update(due_at=timezone.now() + timedelta(hours=1))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("body[data-settled]").wait_for()
    assert page.locator("#asked").get_attribute("data-live") != before
    assert laid(page) == proposed == lines(page)
    assert page.locator(".order-row:visible").count() == 0  # what the board shows is no list as well


def test_a_plan_is_taken_over_changed_on_the_board_and_sent(sheet):
    phone, game = sheet
    page = phone.page
    assert page.locator("figure.board .ghost").count() == len(TOKENS)
    page.get_by_role("button", name="Use this plan").tap()
    page.get_by_role("button", name="Back", exact=True).tap()
    proposed = laid(page)
    assert lines(page) == proposed and len(proposed) == len(TOKENS)
    token, space = proposed[0].split()
    other = "guard" if space != "guard" else "market"
    page.locator(f'.hand button[data-drag="{token}"]').tap()
    phone.space(other).tap()
    changed = [f"{token} {other}", *proposed[1:]]
    assert lines(page) == changed == laid(page)
    page.get_by_role("button", name="Next", exact=True).tap()
    page.context.set_offline(True)
    press = page.locator(".send button[type=submit]")
    press.click(delay=700)  # milliseconds: it is held
    page.locator("#connection").wait_for(state="visible")
    assert lines(page) == changed
    for size in ({"width": 320, "height": 480}, PHONE):  # however much stands above it
        page.set_viewport_size(size)
        press.click(trial=True)
        assert page.evaluate("document.body.scrollTop") == 0, "the sheet has grown past the tabs"
    page.context.set_offline(False)
    press.click(delay=700)
    page.wait_for_url("**?done=*")
    assert ordered(game) == changed
    assert not phone.is_wider_than_the_screen()
    assert [said for said in phone.complaints if "INTERNET" not in said] == []


def test_a_token_of_a_plan_is_dragged_by_a_finger_and_lost_by_no_slip_of_it(sheet):
    phone, game = sheet
    page, finger = phone.page, Finger(phone.page)
    page.get_by_role("button", name="Start empty").tap()
    finger.drag(in_sight(page.locator('.hand button[data-drag="9"]')), in_sight(phone.space("guard")))
    page.locator('.over[data-pick="guard"]').wait_for()
    finger.lift()
    assert lines(page) == ["9 guard"] == laid(page)
    finger.drag(in_sight(page.locator("figure.board .planned")), (5, 5))
    finger.lift()
    assert lines(page) == ["9 guard"], "a drag that ends nowhere"
    finger.drag(in_sight(page.locator("figure.board .planned")), in_sight(phone.space("market")))
    finger.cancel()
    page.locator(".dragged, .over").first.wait_for(state="detached")
    finger.drag(in_sight(page.locator("figure.board .planned")), in_sight(phone.space("market")))
    finger.lift()
    assert lines(page) == ["9 market"]
    assert ordered(game) == [] and phone.complaints == []
