"""The admin site is closed to staff who has not shown a second factor."""

import datetime as dt

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from games.models import SealedTOTPDevice, User
from games.people import staff
from notifications.database.sealed import unseal

ADMIN, PAGE = "/admin/", "/second-factor/"
WRONG = "000000"


@pytest.fixture
def eva(db: None, settings: Settings) -> User:
    """A moderator, who has no second factor yet."""
    settings.STAFF_SECOND_FACTOR = True
    return staff.make_moderator("eva@example.org")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def code_of(user: User) -> str:
    """What the app shows now; each time one that was not used before."""
    SealedTOTPDevice.objects.filter(user=user).update(last_t=-1, throttling_failure_count=0)
    return f"{totp(SealedTOTPDevice.objects.get(user=user).bin_key):06}"


def send(client: Client, code: str, onward: str = "") -> tuple[int, str]:
    response = client.post(PAGE, {"code": code, "next": onward})
    return response.status_code, response.content.decode() or response.headers["Location"]


def set_up(user: User) -> tuple[Client, list[str]]:
    """Signed in with the second factor shown, and the codes that were written down."""
    client = signed_in(user)
    client.get(PAGE)
    _status, page = send(client, code_of(user))
    return client, [part.split("</code>")[0] for part in page.split("<code>")[1:]]


@pytest.mark.slow
def test_whoever_has_none_sets_it_up_at_his_first_visit(eva: User) -> None:
    client = signed_in(eva)
    page = client.get(reverse("admin:index"), follow=True)
    assert [address for address, _status in page.redirect_chain][-1] == f"{PAGE}?next=%2Fadmin%2F"
    assert "otpauth:" in page.content.decode()
    client, codes = set_up(eva)
    assert len(set(codes)) == staff.RECOVERY_CODES
    assert client.get(ADMIN).status_code == 200
    assert not set(codes) & set(StaticToken.objects.values_list("token", flat=True))


@pytest.mark.slow
def test_another_session_shows_it_again_and_goes_where_it_wanted(eva: User) -> None:
    set_up(eva)
    client = signed_in(eva)
    assert client.get(ADMIN).status_code == 302
    assert "otpauth:" not in client.get(PAGE).content.decode(), "the key is shown once"
    assert send(client, WRONG)[0] == 400
    assert client.get(ADMIN).status_code == 302
    assert send(client, code_of(eva), "/admin/") == (302, "/admin/")
    assert client.get(ADMIN).status_code == 200


def test_no_address_of_somebody_else_is_gone_on_to(eva: User) -> None:
    set_up(eva)
    assert send(signed_in(eva), code_of(eva), "https://evil.example/")[1] == ADMIN


@pytest.mark.slow
def test_a_code_is_good_once_and_a_written_one_too(eva: User) -> None:
    _client, codes = set_up(eva)
    code = code_of(eva)
    assert [send(signed_in(eva), code)[0] for _time in range(2)] == [302, 400]
    assert [send(signed_in(eva), codes[0].upper())[0] for _time in range(2)] == [302, 400]


def test_who_guesses_waits_and_even_the_right_code_waits_then(eva: User) -> None:
    set_up(eva)
    good = code_of(eva)
    client = signed_in(eva)
    assert send(client, WRONG)[0] == 400
    status, page = send(client, good)
    assert status == 400
    assert "Too many wrong codes" in page


def test_it_is_asked_again_after_twelve_hours(eva: User) -> None:
    client, _codes = set_up(eva)
    session = client.session
    whose, at = session[staff.SHOWN]
    session[staff.SHOWN] = (whose, str(dt.datetime.fromisoformat(at) - staff.SHOWN_FOR))
    session.save()
    assert client.get(ADMIN).status_code == 302


def test_what_one_has_shown_opens_nothing_for_another(eva: User) -> None:
    client, _codes = set_up(eva)
    shown = client.session[staff.SHOWN]
    other = signed_in(staff.make_administrator("frida@example.org"))
    session = other.session
    session[staff.SHOWN] = shown
    session.save()
    assert other.get(ADMIN).status_code == 302


@pytest.mark.slow
def test_who_has_lost_everything_begins_again_by_command(eva: User, capsys: pytest.CaptureFixture[str]) -> None:
    set_up(eva)
    call_command("make_staff", eva.email, "--moderator", "--forget-second-factor")
    assert "the first visit sets it up" in capsys.readouterr().out
    assert not staff.has_second_factor(eva)
    assert "otpauth:" in signed_in(eva).get(PAGE).content.decode()


def test_it_is_for_staff_and_can_be_switched_off(eva: User, david: User, settings: Settings) -> None:
    assert signed_in(david).get(PAGE).status_code == 404
    assert Client().get(PAGE).status_code == 302
    settings.STAFF_SECOND_FACTOR = False
    assert signed_in(eva).get(ADMIN).status_code == 200


def test_keys_are_not_on_the_admin_site(eva: User, settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = False
    client = signed_in(staff.make_administrator("frida@example.org"))
    assert "OTP" not in client.get(ADMIN).content.decode()


def stored_key(user: User) -> str:
    """The key as the database has it."""
    return str(TOTPDevice.objects.values_list("key", flat=True).get(user=user))


def test_the_key_is_sealed_in_the_database_and_stays_the_same_when_codes_are_shown(eva: User) -> None:
    key = staff.begin_second_factor(eva).bin_key
    assert key == staff.begin_second_factor(eva).bin_key and len(key) == 20
    client, _codes = set_up(eva)
    assert client.get(ADMIN).status_code == 200
    assert key.hex() not in stored_key(eva) and unseal(stored_key(eva)) == key.hex()


def test_without_the_key_that_seals_it_no_code_is_right(eva: User, settings: Settings) -> None:
    set_up(eva)
    settings.SEALING_KEYS = ["another"]
    client = signed_in(eva)
    TOTPDevice.objects.update(last_t=-1)
    assert "This code is wrong" in send(client, f"{totp(b''):06}")[1]
    assert client.get(ADMIN).status_code == 302
