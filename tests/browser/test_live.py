"""An open page that follows its game, and acting by thumb or by keyboard alone."""

import pytest
from django.utils import timezone

from games.models import Game
from games.play import table_talk
from tests.browser.conftest import PATIENCE, PHONE, Phone
from tests.browser.test_table import game, mine, session_of
from tests.games.conftest import answer, fresh, settle

__all__ = ["game"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TREASURES = {"type": "take_treasures", "amounts": {"pearl": 3}}


@pytest.fixture
def phone(browser, live_server):
    """A phone with scripts."""
    context = browser.new_context(viewport=PHONE)
    context.set_default_timeout(PATIENCE)
    phone = Phone(context, live_server.url)
    phone.see_no_scenes()
    yield phone
    context.close()


def look(phone: Phone) -> None:
    """What the page does when its tab is looked at again; by itself it asks every twenty seconds."""
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def placing(game: Game) -> None:
    answer(game, mine(game), timezone.now(), TREASURES)
    settle(timezone.now())


def test_an_open_page_follows_the_game_and_keeps_what_is_half_done(phone, game):
    placing(game)
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    page.get_by_role("radio", name="9", exact=True).check()
    page.locator(".tabs").get_by_text("More").click()
    page.get_by_text("The board in words").click()
    page.locator(".tabs").get_by_text("Talk").click()
    page.locator("#say-text").fill("half a sen")
    table_talk.say(game_id=game.pk, user=game.host, text="Hello from elsewhere", now=timezone.now())
    look(phone)
    page.get_by_text("Hello from elsewhere").wait_for()
    assert page.locator("#say-text").input_value() == "half a sen"
    assert page.evaluate("document.activeElement.id") == "say-text"
    page.locator(".tabs").get_by_text("Talk").click()  # a second tap closes its panel
    assert page.get_by_role("radio", name="9", exact=True).is_checked()
    answer(game, mine(game), timezone.now(), {"type": "place", "token": 1, "space": "market"})
    settle(timezone.now())
    look(phone)
    page.get_by_role("radio", name="1", exact=True).wait_for(state="detached")  # the next question is there
    assert page.locator("#text-board").get_attribute("open") is not None
    assert phone.complaints == []


def test_a_lost_connection_is_said_and_made_up_for(phone, game):
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    assert not page.locator("#connection").is_visible()
    page.context.set_offline(True)
    page.locator("#connection").wait_for(state="visible")
    table_talk.say(game_id=game.pk, user=game.host, text="Said meanwhile", now=timezone.now())
    page.context.set_offline(False)
    page.get_by_text("Said meanwhile").wait_for(state="attached")
    page.locator("#connection").wait_for(state="hidden")


def test_a_move_by_keyboard_alone_with_coins_and_on_the_board(phone, game):
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/")
    pearls = page.locator('.coin[data-value="pearl"] button')
    for left in (2, 1):
        pearls.press("Enter")
        page.get_by_text(f"Still to choose: {left}").wait_for()
    take = page.get_by_role("button", name="Take these treasures")
    assert take.is_disabled()
    pearls.press("Enter")
    for kind in ("crown", "trophy"):  # what was tapped last stays: each takes the place of a pearl
        page.locator(f'.coin[data-value="{kind}"] button').press("Enter")
    given = {
        kind: page.locator(f'.coin[data-value="{kind}"] input').input_value() for kind in ("pearl", "crown", "trophy")
    }
    assert given == {"pearl": "1", "crown": "1", "trophy": "1"}
    take.press("Enter")
    page.get_by_role("button", name="Take these treasures").wait_for(state="detached")
    settle(timezone.now())
    phone.open(f"/table/{game.ref}/")
    page.keyboard.press("9")
    phone.space("market").press("Enter")
    assert phone.space("market").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Place the 9").press("Enter")
    page.get_by_role("status").get_by_text("You place the 9 at the market.").wait_for()
    assert fresh(game).moves.filter(source="web").count() == 2


def test_the_arrow_keys_step_through_the_game(phone, game):
    placing(game)
    page = phone.page
    phone.sign_in(session_of(game.host))
    phone.open(f"/table/{game.ref}/history/")
    last = int(page.locator("#step").input_value())
    page.keyboard.press("ArrowLeft")
    at = '#history[data-step="%d"]'
    page.locator(at % (last - 1)).wait_for()
    page.keyboard.press("Home")
    page.locator(at % 1).wait_for()
    page.locator("#step").focus()
    page.keyboard.press("ArrowRight")
    page.locator(at % 2).wait_for()
    assert phone.complaints == []
