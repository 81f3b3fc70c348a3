"""An account that is used in a new way: its owner is told by mail, and stops it by the link there."""

import datetime as dt

import pytest
from bs4 import BeautifulSoup
from django.core import mail
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from games import links
from games.models import AddressChange, User
from games.people import accounts, alerts, notification_preferences, sessions, sign_in, tokens
from notifications.clock import present
from notifications.delivery.sending import deliver
from notifications.models import Notice
from tests.games.web.filling import pressed, soup_of, untouched

pytestmark = pytest.mark.usefixtures("counted_anew")
SETTINGS = reverse("settings")
PASSWORD = "correct horse 7"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0"


@pytest.fixture
def member(anna, now) -> User:
    """Anna has an account for long, and a password."""
    anna.set_password(PASSWORD)
    anna.date_joined = now - dt.timedelta(days=90)
    anna.save()
    return anna


def signs_in(user: User, client: Client | None = None, **extra) -> Client:
    client = client or Client(headers={"user-agent": FIREFOX})
    sign_in.confirm_address(user)
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD}, **extra)
    assert client.get(SETTINGS).status_code == 200
    return client


def delivered() -> list:
    while deliver(present.now(), 1):
        pass
    return mail.outbox


def path_in(letter, settings) -> str:
    (line,) = [line for line in letter.body.splitlines() if "/not-me/" in line]
    return line.removeprefix(settings.SITE_URL)


@pytest.mark.slow
def test_a_sign_in_from_a_new_browser_is_told_with_browser_and_place(member, settings):
    signs_in(member, REMOTE_ADDR="192.0.2.17")
    (letter,) = delivered()
    assert letter.subject == "New sign-in to your account at Caravanserai"
    for part in (letter.body, letter.alternatives[0][0]):
        assert "Firefox on Linux" in part and "begins with 192.0.2." in part and "192.0.2.17" not in part
        assert "If this was you, you don't need to do anything." in part and path_in(letter, settings) in part


@pytest.mark.slow
def test_a_known_browser_is_no_news_wherever_it_is(member):
    client = signs_in(member)
    assert (
        client.cookies[sessions.BROWSER_COOKIE]["httponly"]
        and client.cookies[sessions.BROWSER_COOKIE]["samesite"] == "Lax"
    )
    client.post(reverse("account_logout"))
    signs_in(member, client, REMOTE_ADDR="198.51.100.1")
    assert len(delivered()) == 1


@pytest.mark.slow
def test_the_same_browser_in_the_same_place_is_told_once_even_without_cookies(member):
    signs_in(member)
    signs_in(member)
    signs_in(member, Client(headers={"user-agent": EDGE}))
    assert ["Edge on Windows" in letter.body for letter in delivered()] == [False, True]


@pytest.mark.slow
def test_somebody_elses_cookie_makes_no_browser_known(member, ben, now):
    client = signs_in(member)
    client.post(reverse("account_logout"))
    ben.set_password(PASSWORD)
    ben.date_joined = now - dt.timedelta(days=90)
    ben.save()
    signs_in(ben, client)
    assert [letter.to[0].split("<")[1] for letter in delivered()] == ["anna@example.org>", "ben@example.org>"]


def test_whoever_makes_an_account_hears_nothing_of_his_first_sign_in(member):
    member.date_joined = present.now()
    member.save()
    client = signs_in(member)
    assert delivered() == [] and sessions.BROWSER_COOKIE in client.cookies


@pytest.mark.slow
def test_a_new_token_and_a_new_password_are_told(member, now, settings):
    client = signs_in(member)
    client.post(reverse("tokens"), {"name": "bot.example.org", "scopes": ["play"]})
    new = {"oldpassword": PASSWORD, "password1": "battery staple 8", "password2": "battery staple 8"}
    client.post(reverse("account_change_password"), new)
    _signed_in, token, password = delivered()
    assert token.subject == "A new API token of your account at Caravanserai"
    assert "bot.example.org" not in token.body and "bot\u2024example\u2024org" in token.body  # no link of a thief's
    assert "Your password was changed." in password.body and "Your password was changed." in password.alternatives[0][0]
    assert path_in(token, settings) != path_in(password, settings)


@pytest.mark.slow
def test_the_browser_in_which_the_password_was_changed_stays_known(member):
    client = signs_in(member)
    new = {"oldpassword": PASSWORD, "password1": PASSWORD + "8", "password2": PASSWORD + "8"}
    client.post(reverse("account_change_password"), new)
    client.post(reverse("account_logout"))
    client.post(reverse("account_login"), {"login": member.email, "password": PASSWORD + "8"}, REMOTE_ADDR="192.0.2.1")
    assert Notice.objects.filter(kind="signed_in").count() == 1


@pytest.mark.slow
def test_the_link_shows_what_it_does_and_does_nothing_unless_a_person_confirms(member, settings):
    signs_in(member)
    path = path_in(delivered()[0], settings)
    stranger = Client()
    shown = stranger.get(path)
    assert shown.status_code == 200 and "Everyone is signed out" in soup_of(shown).text
    assert shown.headers["Referrer-Policy"] == "no-referrer" and not shown.cookies
    forms = [untouched(form) for form in BeautifulSoup(shown.content, "html.parser").find_all("form")]
    for data in [*forms, {}, {"sure": "yes"}]:
        assert soup_of(stranger.post(path, data)).select_one("form.who")
    member.refresh_from_db()
    assert member.check_password(PASSWORD)


@pytest.mark.slow
def test_who_says_that_it_was_not_he_ends_sessions_tokens_password_devices_and_calendar(member, now, settings):
    _row, token = tokens.create_token(user=member, name="bot", now=now)
    sessions.trust_device(RequestFactory().get("/"), HttpResponse(), member, now)
    calendar = notification_preferences.calendar_url(member).removeprefix(settings.SITE_URL)
    thief = signs_in(member)
    path = path_in(next(letter for letter in delivered() if "sign-in" in letter.subject), settings)
    assert "Done." in soup_of(Client(enforce_csrf_checks=True).post(path, pressed())).text
    member.refresh_from_db()
    assert not member.trusted_devices.exists()
    assert not member.has_usable_password() and thief.get(SETTINGS).status_code == 302
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert Client().get(calendar).status_code == 404
    member.set_password(PASSWORD)
    member.save()
    assert "Done." in soup_of(Client().post(path, pressed())).text
    member.refresh_from_db()
    assert member.check_password(PASSWORD)  # once is enough


@pytest.mark.parametrize(("days", "is_good"), [(29, True), (31, False)])
def test_the_link_does_nothing_after_a_month(member, settings, now, days, is_good):
    alerts.token_made(user=member, name="bot", now=now)
    notice = Notice.objects.get()
    path = alerts.not_me_url(notice).removeprefix(settings.SITE_URL)
    with present.going_by(lambda: now + dt.timedelta(days=days)):
        Client().post(path, pressed())
    member.refresh_from_db()
    assert member.has_usable_password() is not is_good


def test_a_link_of_another_kind_or_person_opens_nothing(member, now):
    alerts.token_made(user=member, name="bot", now=now)
    notice = Notice.objects.get()
    for token in ("x" * 26, links.sign("mails", notice.ref, member.email), links.sign("not_me", notice.ref, "b@b.b")):
        assert Client().get(reverse("not_me", args=[notice.ref, token])).status_code == 404
    assert Client().get(reverse("not_me", args=["nothing", links.sign("not_me", "nothing", "")])).status_code == 404


@pytest.fixture
def moved(member, now) -> AddressChange:
    """Anna's account has moved, both addresses having said yes."""
    change = accounts.request_address_change(user=member, new_address="thief@example.net", now=now)
    for side in (accounts.OLD, accounts.NEW):
        accounts.confirm_address_change(
            token=accounts.address_change_link(change, side).rstrip("/").rsplit("/", 1)[-1], now=now
        )
    member.refresh_from_db()
    assert member.email == "thief@example.net"
    return change


def test_a_moved_account_comes_back_and_the_other_address_is_told(moved, member, settings, now):
    with present.going_by(lambda: now):
        (letter,) = [one for one in delivered() if one.subject.endswith("has moved to another address")]
        assert letter.to[0].endswith("<anna@example.org>") and "answer this mail" not in letter.body
        page = Client().post(path_in(letter, settings), pressed())
        assert "anna@example.org" in soup_of(page).text
        member.refresh_from_db()
        assert (member.email, member.recipient.address) == ("anna@example.org", "anna@example.org")
        assert not member.has_usable_password()
        told = delivered()[-1]
    assert told.to[0].endswith("<thief@example.net>") and "has gone back" in told.body and "/not-me/" not in told.body


def test_a_moved_account_does_not_come_back_to_an_address_that_has_another(moved, member, settings, now):
    User.objects.create_user("anna@example.org")
    notice = Notice.objects.get(kind="address_changed")
    with present.going_by(lambda: now):
        page = Client().post(alerts.not_me_url(notice).removeprefix(settings.SITE_URL), pressed())
    assert page.status_code == 409 and "belongs to another account" in soup_of(page).text
    member.refresh_from_db()
    assert member.email == "thief@example.net" and member.has_usable_password()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("203.0.113.9", "203.0.113."),
        ("::ffff:203.0.113.9", "203.0.113."),
        ("2001:db8:7::1", "2001:db8:7:"),
        ("nonsense", ""),
    ],
)
def test_a_network_address_is_cut_short(address, shown):
    assert sessions.network_part(address) == shown
