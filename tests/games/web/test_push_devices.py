"""Notifications on devices: switched on by a script, listed in the settings, chosen for and switched off."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import User
from games.people import alerts, notification_preferences, sessions
from games.play import notify
from games.web import reader
from notifications.channels.push import devices
from notifications.models import Endpoint, PushSubscription
from tests.games.conftest import deliveries, seat_of
from tests.games.web.filling import soup_of, words
from tests.games.web.test_signed_in import FIREFOX, browser_of
from tests.notifications.browsers import Browser

ON, SETTINGS = reverse("push_devices"), reverse("settings")


def facts_of(browser: Browser) -> dict[str, str]:
    return {"endpoint": browser.url, "p256dh": browser.keys.public_key, "auth": browser.keys.auth_secret}


def page_of(row: PushSubscription) -> str:
    return reverse("push_device", args=[row.ref])


@pytest.fixture
def phone(anna: User) -> PushSubscription:
    return Browser().subscribe(anna.recipient)


def test_a_browser_is_switched_on_once_and_listed_by_its_name(member: Client, anna: User) -> None:
    browser = Browser()
    for _ in range(2):
        answer = member.post(ON, facts_of(browser), headers={"User-Agent": FIREFOX})
        assert answer.status_code == 200 and answer.json() == {"device": PushSubscription.objects.get().ref}
    row = PushSubscription.objects.get()
    assert (row.recipient, row.name, row.url) == (anna.recipient, "Firefox · Linux", browser.url)
    text = words(member.get(SETTINGS))
    assert "Firefox · Linux" in text and "s3cret" not in text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"endpoint": "http://push.example.org/s"}, "its address doesn't begin with https"),
        ({"endpoint": "https://192.168.0.1/s"}, "its host has no public address"),
        ({"endpoint": ""}, "that isn't a web address"),
        ({"endpoint": "https://push.example.org/\0"}, ""),  # the sign is left out
        ({"p256dh": "short"}, "its key can't be used"),
        ({"auth": "ünïcode"}, "its key can't be used"),
    ],
)
def test_a_forged_one_is_refused_in_words(member: Client, changed: dict[str, str], said: str) -> None:
    answer = member.post(ON, facts_of(Browser()) | changed)
    assert answer.status_code == (422 if said else 200)
    assert said in answer.json().get("message", "") and PushSubscription.objects.exists() is not bool(said)


def test_too_many_devices_are_refused_in_words_and_a_known_one_is_not(member: Client, anna: User) -> None:
    for number in range(devices.MOST):
        assert member.post(ON, facts_of(Browser(f"https://push.example.org/{number}"))).status_code == 200
    answer = member.post(ON, facts_of(Browser("https://push.example.org/one-more")))
    assert (answer.status_code, answer.json()["message"]) == (409, "You have too many devices. Remove one first.")
    assert member.post(ON, facts_of(Browser("https://push.example.org/3"))).status_code == 200
    assert PushSubscription.objects.count() == devices.MOST


def test_a_browser_that_was_switched_off_elsewhere_or_is_anothers_is_told_so(
    member: Client, anna: User, ben: User
) -> None:
    browser = Browser()
    again = {"endpoint": browser.url, "again": "yes"}
    assert member.post(ON, again).status_code == 404
    row = browser.subscribe(anna.recipient)
    assert member.post(ON, again).json() == {"device": row.ref}
    client = Client()
    client.force_login(ben)
    assert client.post(ON, again).status_code == 404
    assert PushSubscription.objects.get().recipient == anna.recipient


def test_one_taps_it_off_and_nobody_else_can(member: Client, phone: PushSubscription, ben: User) -> None:
    other = Client()
    other.force_login(ben)
    assert other.post(page_of(phone), {"do": "remove"}).status_code == 404
    assert member.post(page_of(phone), {"do": "nothing"}).status_code == 404
    assert PushSubscription.objects.exists()
    answer = member.post(page_of(phone), {"do": "remove"}, follow=True)
    assert "Notifications are off on that device." in words(answer) and not PushSubscription.objects.exists()
    assert member.post(page_of(phone), {"do": "remove"}).status_code == 404


def test_one_chooses_what_a_device_shows(member: Client, phone: PushSubscription, anna: User) -> None:
    boxes = soup_of(member.get(SETTINGS)).select("#push input[name=wanted]")
    assert len(boxes) > 4 and all(box.has_attr("checked") for box in boxes)
    member.post(page_of(phone), {"do": "choose", "wanted": ["turns", "reminders"]})
    phone.refresh_from_db()
    assert "talk" in phone.muted and "turns" not in phone.muted
    for wrong, said in ((["nonsense"], "not one of the choices"), ([], "Choose at least one")):
        answer = member.post(page_of(phone), {"do": "choose", "wanted": wrong}, follow=True)
        assert said in words(answer)
    assert {"talk", "tables"} <= set(PushSubscription.objects.get().muted)


def test_who_signs_out_is_told_nothing_there_any_more(anna: User) -> None:
    here, there = browser_of(anna, FIREFOX), browser_of(anna)
    here.post(ON, facts_of(Browser("https://push.example.org/here")))
    there.post(ON, facts_of(Browser("https://push.example.org/there")))
    there.post(reverse("account_logout"))
    assert PushSubscription.objects.get().url == "https://push.example.org/here"


def test_who_ends_a_session_elsewhere_ends_its_notifications(anna: User) -> None:
    here, there = browser_of(anna, FIREFOX), browser_of(anna)
    there.post(ON, facts_of(Browser("https://push.example.org/there")))
    here.post(ON, facts_of(Browser("https://push.example.org/here")))
    here.post(reverse("signed_in"), {"end": there.session[sessions.REF]})
    assert PushSubscription.objects.get().url == "https://push.example.org/here"


def test_a_session_that_has_lasted_its_time_leaves_notifications_as_they_are(anna: User, settings) -> None:
    here = browser_of(anna, FIREFOX)
    here.post(ON, facts_of(Browser()))
    settings.SESSION_COOKIE_AGE = 0
    answer = here.get(SETTINGS)
    assert answer.status_code == 302 and "Clear-Site-Data" not in answer.headers
    assert PushSubscription.objects.exists()


def test_a_new_password_ends_them_everywhere_else(anna: User) -> None:
    here = browser_of(anna, FIREFOX)
    here.post(ON, facts_of(Browser("https://push.example.org/here")))
    Browser("https://push.example.org/there").subscribe(anna.recipient, group="another sign-in")
    request = here.get(SETTINGS).wsgi_request
    notification_preferences.on_password_change(None, request=request, user=anna)
    assert PushSubscription.objects.get().url == "https://push.example.org/here"


def test_it_was_not_me_ends_them_all(anna: User, phone: PushSubscription, now) -> None:
    alerts.password_changed(user=anna, what="password_changed", now=now)
    assert alerts.disown(anna.recipient.notices.get(), now)
    assert not PushSubscription.objects.exists()


def test_a_device_that_goes_while_something_is_chosen_for_it_stays_gone(phone: PushSubscription) -> None:
    PushSubscription.objects.all().delete()
    devices.choose(phone, ["talk"])
    assert not PushSubscription.objects.exists()


def test_strangers_and_guests_have_no_devices(client: Client, db: None) -> None:
    refused = client.post(ON, facts_of(Browser()))
    assert (refused.status_code, refused.json()) == (401, {"message": "Please sign in again before you do this."})
    client.post(reverse("play_now", args=["aladdins-dragons"]))
    assert reader.GUEST in client.session
    assert client.post(ON, facts_of(Browser())).status_code == 401 and not PushSubscription.objects.exists()
    assert "data-push" not in client.get(reverse("home")).content.decode()


def test_it_is_offered_on_my_games_unless_the_service_sends_none(member: Client, settings) -> None:
    page = soup_of(member.get(reverse("my_games")))
    (box,) = page.select("[data-push]")
    assert box.has_attr("hidden") and box["data-key"], "a script shows what fits the browser"
    settings.PUSH_ENABLED = False
    assert not soup_of(member.get(reverse("my_games"))).select("[data-push]")
    assert not soup_of(member.get(SETTINGS)).select("#push")
    answer = member.post(ON, facts_of(Browser()))
    assert answer.status_code == 422 and "doesn't send notifications" in answer.json()["message"]


def test_one_can_be_told_by_devices_alone_once_there_is_one(member: Client, anna: User, phone) -> None:
    page = soup_of(member.get(reverse("mail_settings")))
    assert [box["value"] for box in page.select("input[name=ways]")] == ["both", "mail", "push"]
    Endpoint.objects.create(recipient=anna.recipient, url="https://hooks.example.org/s")
    page = soup_of(member.get(reverse("mail_settings")))
    assert [box["value"] for box in page.select("input[name=ways]")] == ["both", "mail", "webhook", "push"]
    phone.delete()
    Endpoint.objects.all().delete()
    assert not soup_of(member.get(reverse("mail_settings"))).select("input[name=ways]")


def test_the_list_of_notices_says_what_became_of_a_notification(member: Client, phone, placing, anna, now) -> None:
    notify.paused(placing, [seat_of(placing, anna)], now)
    deliveries()
    devices.forget([phone], now)
    text = words(member.get(reverse("told")))
    assert "Notification on your devices" in text and "the device no longer accepts notifications" in text
