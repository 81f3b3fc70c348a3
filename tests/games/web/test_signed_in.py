"""The page of the browsers in which somebody is signed in."""

import datetime as dt

from django.contrib.auth import login
from django.test import Client, RequestFactory
from django.urls import reverse

from games.models import User
from games.people import sessions
from notifications.clock import present
from tests.games.web.filling import soup_of, words

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
PAGE = reverse("signed_in")


def browser_of(user: User, agent: str = "") -> Client:
    """One in which he has just signed in."""
    client = Client()
    client.force_login(user)
    request = RequestFactory().get("/", headers={"User-Agent": agent})
    request.session = client.session
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.save()
    client.cookies["session"] = request.session.session_key
    return client


def refs_in(client: Client) -> list[str]:
    """What the page names the sessions that can be ended."""
    return [button["value"] for button in soup_of(client.get(PAGE)).select("button[name=end]")]


def test_one_sees_each_and_ends_what_was_left_open(anna: User, ben: User) -> None:
    here, there, bens = browser_of(anna, FIREFOX), browser_of(anna), browser_of(ben)
    text = words(here.get(PAGE))
    assert "Firefox on Linux this one" in text and "an unknown browser" in text
    (ref,) = refs_in(here)
    assert here.post(PAGE, {"end": ref}).status_code == 302
    assert refs_in(here) == []
    assert there.get(PAGE).status_code == 302  # to the page for signing in
    assert bens.get(PAGE).status_code == here.get(PAGE).status_code == 200


def test_nobody_ends_what_is_not_his_or_not_there(anna: User, ben: User) -> None:
    anna_here, ben_here = browser_of(anna), browser_of(ben)
    browser_of(ben)
    (ref,) = refs_in(ben_here)
    for wrong in (ref, "", "x" * 5000, "\0"):
        assert anna_here.post(PAGE, {"end": wrong}).status_code == 404
    assert refs_in(ben_here) == [ref]


def test_a_session_that_is_void_or_over_is_not_shown(anna: User, now: dt.datetime) -> None:
    with present.going_by(lambda: now):
        browser_of(anna)
        assert len(sessions.sessions_of(anna, now)) == 1
        assert sessions.sessions_of(anna, now + dt.timedelta(days=15)) == []
        anna.set_password("sand and saffron")
        anna.save()
        assert sessions.sessions_of(anna, now) == []


def test_no_address_and_no_key_of_a_session_is_on_the_page(anna: User) -> None:
    client = browser_of(anna, FIREFOX)
    browser_of(anna, FIREFOX)
    page = client.get(PAGE).content.decode()
    assert "127.0.0.1" not in page
    assert [one.key for one in sessions.sessions_of(anna, present.now()) if one.key in page] == []
