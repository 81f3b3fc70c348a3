"""A browser without a person: it opens every link of every mail, clicks everything, and sends every form untouched."""

import pytest
from django.conf import settings

from tests.browser.conftest import PATIENCE
from tests.games.scanners.mails import changes, everything, forget_guests, links

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PRESSED = "button, input[type=submit], input[type=button], [role=button], summary"
SIGNED_IN = ("home", "mail_settings", "moderation_queue", "my_games", "rules_in", "settings", "table", "webhook_page")
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
    before, pressed = everything(), 0
    for name, link in sorted(last.items()):
        pressed += explore(page, live_server.url, link.path, everywhere=name not in SIGNED_IN)
        forget_guests()
        assert changes(before, everything()) == [], name
    assert pressed >= 15


def explore(page, address, path, *, everywhere):
    """Open it; press each of its buttons, and send its forms, each time from a fresh page; then follow its links."""
    page.goto(address + path)
    buttons = page.locator(PRESSED).count()
    for number in range(buttons):
        page.goto(address + path)
        button = page.locator(PRESSED).nth(number)
        if button.is_visible():
            button.evaluate(CLICK)
            page.wait_for_load_state("networkidle")
    page.goto(address + path)
    page.evaluate(SEND_ALL)
    page.wait_for_load_state("networkidle")
    if everywhere:
        follow(page, address, path)
    return buttons


def follow(page, address, path):
    page.goto(address + path)
    targets = page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
    for target in {one.replace(settings.SITE_URL, address).partition("#")[0] for one in targets}:
        if target.startswith(address):
            page.goto(target)
