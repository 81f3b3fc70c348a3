"""A browser without a person: it opens every link of every mail, clicks everything, and sends every form untouched.

And people in a browser that nobody knows, who answer by the same buttons.
"""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.urls import resolve
from django.utils import timezone
from playwright.sync_api import Error, Page

from games.play import decision_links
from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.journeys import finger
from tests.browser.test_live import TREASURES
from tests.browser.test_table import game, mine
from tests.games.conftest import answer, fresh, settle
from tests.games.scanners.mails import changes, everything, forget_guests, links

__all__ = ["game"]
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PRESSED = "button, input[type=submit], input[type=button], [role=button], summary"
SIGNED_IN = (
    "home",
    "mail_settings",
    "games_report_moderate",
    "my_games",
    "rules_in",
    "settings",
    "table",
    "webhook_page",
)
# Past the browser's own checks; parts of the board's picture have no click() of their own.
CLICK = """button => {
  if (button.form) button.form.noValidate = true
  button.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))
}"""
SEND_ALL = "for (const form of document.forms) form.submit()"  # past the browser's own checks; the last one wins


@pytest.fixture
def page(browser):
    """A fresh profile in which scripts run and dialogs are agreed to."""
    context = browser.new_context(java_script_enabled=True)
    context.set_default_timeout(PATIENCE)
    made = context.new_page()
    made.on("dialog", lambda dialog: dialog.accept())
    yield made
    context.close()


def test_a_browser_that_clicks_everything_changes_nothing(page, live_server):
    last = {link.page: link for link in links()}
    before, pressed, seen = everything(), 0, set()
    for name, link in sorted(last.items()):
        pressed += explore(page, live_server.url, link.path, None if name in SIGNED_IN else seen)
        forget_guests()
        assert changes(before, everything()) == [], name
    assert pressed >= 15


def explore(page, address, path, seen):
    """Open it; press each of its buttons, and send its forms, each time from a fresh page; then follow its links.

    Arguments:
        seen: to which kinds of pages links have led already; None to follow none.
    """
    go(page, address + path)
    buttons = page.locator(PRESSED).count()
    for number in range(buttons):
        go(page, address + path)
        button = page.locator(PRESSED).nth(number)
        if button.is_visible():
            button.evaluate(CLICK)
            page.wait_for_load_state("networkidle")
    go(page, address + path)
    page.evaluate(SEND_ALL)
    page.wait_for_load_state("networkidle")
    if seen is not None:
        follow(page, address, path, seen)
    return buttons


def follow(page, address, path, seen):
    """Opens one page of each kind to which its links lead."""
    go(page, address + path)
    links = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
    for target in (link.replace(settings.SITE_URL, address).partition("#")[0] for link in links):
        if not target.startswith(address) or target.endswith(".ics"):  # which a browser saves
            continue
        kind = resolve(urlsplit(target).path).view_name
        if kind not in seen:
            seen.add(kind)
            go(page, target)


def go(page, url):
    """Open it; what was pressed before may have led elsewhere only now, on a busy machine."""
    try:
        page.goto(url)
    except Error:
        page.wait_for_load_state("networkidle")
        page.goto(url)


# Programs that move a real mouse, tap and type, and press what appears as well; and one that ticks every box.

ROUNDS = 3  # how often they press what they find, on one page and those that follow
SEEN = "button:visible:enabled, summary:visible, input[type=submit]:visible, [role=button]:visible"


def by_mouse(page: Page) -> None:
    press_what_is_seen(page, lambda button: button.click(timeout=2000, no_wait_after=True, force=True))


def by_finger(page: Page) -> None:
    press_what_is_seen(page, lambda button: button.tap(timeout=2000, no_wait_after=True, force=True))


def by_keys(page: Page) -> None:
    """Tab, Enter, Space, as far as they lead."""
    for key in ("Enter", "Space"):
        for _ in range(3 * ROUNDS):
            page.keyboard.press("Tab")
        for _ in range(ROUNDS):
            page.keyboard.press(key)
            page.wait_for_load_state("networkidle")


def by_boxes(page: Page) -> None:
    """Ticks every box, takes the first of every choice but an answer's, types everywhere, and then presses."""
    page.evaluate(FILL)
    by_mouse(page)


FILL = """() => {
  for (const box of document.querySelectorAll("input[type=checkbox]")) box.checked = true
  const radios = [...document.querySelectorAll("form:not(.answer) input[type=radio]")]
  for (const radio of radios.reverse()) radio.checked = true
  for (const field of document.querySelectorAll("input[type=text], textarea")) field.value = "x"
}"""


def press_what_is_seen(page, press):
    """What appears by the first press comes next, and the last of the page first."""
    for _ in range(ROUNDS):
        buttons = page.locator(SEEN)
        if not (count := buttons.count()):
            return
        press(buttons.nth(count - 1))
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)


@pytest.fixture
def thumbed(browser):
    """A page of a fresh phone, which knows nobody."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_programs_that_press_like_people_but_for_no_time_change_nothing(thumbed, live_server):
    last = {link.page: link for link in links()}
    before = everything()
    for name, link in sorted(last.items()):
        for kind in (by_mouse, by_finger, by_keys, by_boxes) if name in ACTING else ():
            thumbed.goto(live_server.url + link.path)
            kind(thumbed)
            assert changes(before, everything()) == [], (name, kind)


ACTING = (
    "act", "agree_to_hour", "agreement", "back", "confirm_address", "confirm_reply", "host_offer", "mails",
    "never_write", "not_me", "sign_in_link",
)  # fmt: skip


# People

CHOICE = "?do=place&token=7&space=market"
BUTTON = "form.confirm button[type=submit]"


def hold_by_finger(page):
    finger(page.locator(BUTTON), 750)


def hold_by_mouse(page):
    page.locator(BUTTON).hover()
    page.mouse.down()
    page.wait_for_timeout(750)
    page.mouse.up()


def hold_by_key(page):
    page.locator(BUTTON).focus()
    page.keyboard.down("Enter")
    page.wait_for_timeout(750)
    page.keyboard.up("Enter")


def twice_by_finger(page):
    finger(page.locator(BUTTON), 80)
    page.locator(".confirming button.big").wait_for()
    page.wait_for_timeout(400)
    finger(page.locator(".confirming button.big"), 80)


def twice_by_key(page):
    page.locator(BUTTON).focus()
    for _ in range(2):
        page.keyboard.down("Space")
        page.wait_for_timeout(80)
        page.keyboard.up("Space")
        page.wait_for_timeout(400)


@pytest.mark.parametrize("press", [hold_by_finger, hold_by_mouse, hold_by_key, twice_by_finger, twice_by_key])
def test_a_person_holds_the_button_or_presses_twice_and_the_move_is_stored(thumbed, live_server, game, press):
    answer(game, mine(game), timezone.now(), TREASURES)
    settle(timezone.now())
    row = mine(fresh(game))
    path = decision_links.act_url(row).removeprefix(settings.SITE_URL)
    thumbed.goto(live_server.url + path + CHOICE)
    thumbed.locator(BUTTON).scroll_into_view_if_needed()
    press(thumbed)
    thumbed.locator("#done").wait_for()
    assert game.moves.filter(decision=row.code, source="link").count() == 1
