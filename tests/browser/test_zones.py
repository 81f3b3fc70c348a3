"""The time zone: taken from the browser, and asked about."""

import pytest
from django.urls import reverse

from tests.browser.conftest import PATIENCE
from tests.browser.test_table import session_of
from tests.games.conftest import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ZONE = "select[name=zone]"
QUESTION = "#zone-question"


@pytest.fixture
def page(browser):
    context = browser.new_context(timezone_id="Europe/Berlin")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_a_newcomer_is_offered_the_browsers_zone_and_finds_another_by_its_city(page, live_server):
    page.goto(live_server.url + reverse("account_signup"))
    assert page.input_value(ZONE) == "Europe/Berlin"
    page.click("main summary")
    assert "You seem to be in Europe/Berlin" in page.inner_text("main")
    page.fill("input[type=search]", "são pau")
    assert page.input_value(ZONE) == "America/Sao_Paulo"
    page.fill("input[type=search]", "atlantis")
    assert page.input_value(ZONE) == "America/Sao_Paulo"
    assert "No time zone has that" in page.inner_text("main")


def test_a_member_elsewhere_is_asked_until_the_answer(page, live_server):
    anna = make_user("Anna")
    page.context.add_cookies([{"name": "session", "value": session_of(anna), "url": live_server.url}])
    page.goto(live_server.url + reverse("settings"))
    assert "You seem to be in Europe/Berlin" in page.inner_text(QUESTION)
    page.click(f"{QUESTION} button[type=button]")
    page.reload()
    assert page.locator(QUESTION).is_hidden()
    page.evaluate("localStorage.clear()")
    page.reload()
    page.click(f"{QUESTION} button[type=submit]")
    page.wait_for_selector(".notice.success")
    assert page.url.endswith(reverse("settings")) and page.locator(QUESTION).is_hidden()
    anna.recipient.refresh_from_db()
    assert anna.recipient.zone == "Europe/Berlin"
