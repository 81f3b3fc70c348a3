"""Notifications on a device, in a real browser: switched on by a tap, shown by the service worker; and no network."""

import datetime as dt
import json

import pytest
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from games.web.site import SHOWN_OFFLINE
from notifications.models import PushSubscription
from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.test_table import session_of
from tests.games.conftest import make_user
from tests.notifications.browsers import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ENDPOINT = "https://push.example.org/one"
# A browser without a window reaches no push service: this alone is not the browser's own.
SUBSCRIBES = """
  PushManager.prototype.subscribe = async () => {
    window.subscribed = {endpoint: ENDPOINT, toJSON: () => ({endpoint: ENDPOINT, keys: KEYS}), unsubscribe: () => true}
    return window.subscribed
  }
"""
# Playwright's wait_for_function takes a promise for true: what is awaited is looked for again and again in here,
# for some 20 s: after 25 s a browser without a window lets go of notifications that nobody touched.
SHOWN = """async (titles) => {
  const worker = await navigator.serviceWorker.ready
  for (let times = 0; ; times++) {
    const shown = await worker.getNotifications()
    if (times === 400 || shown.map(({title}) => title).sort().join() === titles.join()) {
      return Object.fromEntries(shown.map(({title, body, tag, data}) => [title, {body, tag, url: data.url}]))
    }
    await new Promise((done) => setTimeout(done, 50))
  }
}"""
REGISTER = """navigator.serviceWorker.register('/service-worker.js')
  .then(() => navigator.serviceWorker.ready).then(() => 1)"""
KEPT = """async () => {
  const found = []
  for (const name of await caches.keys()) {
    for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname)
  }
  return found.sort()
}"""


@pytest.fixture
def anna(db):
    return make_user("Anna")


@pytest.fixture
def page(browser, live_server, anna):
    context = browser.new_context(viewport=PHONE, permissions=["notifications"])
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": "session", "value": session_of(anna), "url": live_server.url}])
    yield context.new_page()
    context.close()


def test_one_tap_switches_notifications_on_and_another_off(page, live_server, anna):
    keys = Browser(ENDPOINT).keys
    facts = {"p256dh": keys.public_key, "auth": keys.auth_secret}
    page.add_init_script(f"const ENDPOINT = '{ENDPOINT}', KEYS = {json.dumps(facts)}; {SUBSCRIBES}")
    page.goto(live_server.url + reverse("my_games"))
    page.click("text=Notify me on this device")
    expect(page.get_by_text("Notifications are on")).to_be_visible()
    row = PushSubscription.objects.get()
    assert (row.recipient, row.url) == (anna.recipient, ENDPOINT)
    page.goto(live_server.url + reverse("settings") + "#push")
    page.click("#push .danger")
    expect(page.get_by_text("Notifications are off on that device.")).to_be_visible()
    assert not PushSubscription.objects.exists()


def test_a_message_becomes_a_notification_with_the_time_that_is_left(page, live_server):
    page.goto(live_server.url + reverse("settings"))
    page.evaluate(REGISTER)
    session = page.context.new_cdp_session(page)
    registrations = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    page.wait_for_timeout(200)
    message = {
        "title": "Thursday",
        "body": "It's your turn.",
        "url": live_server.url + "/act/one/token/",
        "tag": "table",
        "lang": "en",
        "until": (timezone.now() + dt.timedelta(hours=14, minutes=5)).isoformat(),
        "left": "Time left: \ue000.",
    }
    late = {**message, "tag": "other", "until": "2020-01-01T00:00:00+00:00"}
    for sent in (json.dumps(message), json.dumps(late), json.dumps({**message, "title": "Friday"}), "no JSON"):
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": live_server.url, "registrationId": registrations[0]["registrationId"], "data": sent},
        )
    # A newer one replaces the older one in two steps, between which neither is shown.
    shown = page.evaluate(SHOWN, ["Caravanserai", "Friday", "Thursday"])
    assert {one["tag"] for one in shown.values()} == {"", "table", "other"}
    assert shown["Friday"]["tag"] == "table", "a newer one takes the place of the older one of the same table"
    assert shown["Friday"]["body"] == "It's your turn. Time left: 14 hours."
    assert shown["Friday"]["url"].endswith("/act/one/token/")
    assert shown["Thursday"] == {"body": "It's your turn.", "tag": "other", "url": message["url"]}


def test_a_question_that_was_answered_anywhere_is_asked_no_more_on_the_device(page, live_server, anna):
    page.goto(live_server.url + reverse("settings"))
    page.evaluate(REGISTER)
    message = {"body": "", "url": live_server.url, "lang": "en"}
    show = """async (sent) => {
      const worker = await navigator.serviceWorker.ready
      for (const {title, body, tag, url, asks} of sent) {
        await worker.showNotification(title, {body, tag, requireInteraction: true, data: {url, asks}})
      }
    }"""
    asked = {**message, "title": "Thursday", "tag": "asked", "asks": "aaaaaaaaaaaa"}
    page.evaluate(show, [asked, {**message, "title": "Game over", "tag": "news", "asks": ""}])
    page.goto(live_server.url + reverse("my_games"))
    assert page.evaluate(SHOWN, ["Game over"]).keys() == {"Game over"}


def test_without_a_network_a_page_says_so_and_nothing_personal_is_kept(page, live_server):
    page.goto(live_server.url + reverse("my_games"))
    page.evaluate(REGISTER)
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.goto(live_server.url + reverse("settings"))
    assert page.evaluate(KEPT) == sorted(["/offline/", *map(static, SHOWN_OFFLINE)])
    page.context.set_offline(True)
    page.goto(live_server.url + reverse("my_games"))
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert "Anna" not in page.content()
    page.context.set_offline(False)
    page.click("text=Try again")
    expect(page.get_by_role("heading", name="My games", exact=True)).to_be_visible()
