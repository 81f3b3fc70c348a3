"""The settings: name, language and zone, a change of address, tokens."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AddressChange, ApiToken
from games.people import accounts, tokens
from games.people.letters import AddressAsked
from notifications.messages import Form
from notifications.models import Notice
from tests.games.web.filling import pressed, soup_of, words
from tests.games.web.signing_in import freshly

pytestmark = pytest.mark.usefixtures("counted_anew")
SETTINGS = reverse("settings")


def is_signed_in(client) -> bool:
    return client.get(SETTINGS).status_code == 200


def test_settings_are_for_members(client, db):
    for name in ("settings", "change_address", "webhooks", "tokens"):
        assert client.post(reverse(name)).status_code == 302
    assert client.get(SETTINGS).status_code == 302


def test_name_language_and_zone_are_saved(member, anna):
    member.post(SETTINGS, {"name": "Anna B.", "language": "es", "zone": "America/Argentina/Buenos_Aires"})
    anna.refresh_from_db()
    kept = anna.recipient
    assert (anna.name, kept.name, kept.language, kept.zone) == (
        "Anna B.", "Anna B.", "es", "America/Argentina/Buenos_Aires",
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value"),
    [("name", ""), ("name", "x" * 41), ("language", "xx"), ("zone", "Mars/Olympus"), ("zone", "../../etc/passwd")],
)
def test_what_is_wrong_in_the_settings_is_said_and_nothing_saved(member, anna, field, value):
    data = {"name": "New", "language": "es", "zone": "UTC"} | {field: value}
    response = member.post(SETTINGS, data)
    assert response.status_code == 422 and soup_of(response).select_one(f"#id_{field}_error")
    anna.refresh_from_db()
    assert (anna.name, anna.recipient.language) == ("Anna", "en")


def test_the_browsers_zone_is_stored_and_leads_back(member, anna):
    answer = member.post(reverse("change_zone"), {"zone": "America/Lima", "next": reverse("lobby")}, follow=True)
    assert answer.redirect_chain[0][0] == reverse("lobby") and "America/Lima" in words(answer)
    assert member.post(reverse("change_zone"), {"zone": "Mars/Olympus"}).status_code == 422
    anna.recipient.refresh_from_db()
    assert anna.recipient.zone == "America/Lima"


# Change of address


def answer_path(change, side, settings) -> str:
    return accounts.address_change_link(change, side).removeprefix(settings.SITE_URL)


@pytest.mark.slow
def test_an_address_changes_when_both_have_said_yes_and_other_sessions_end(member, anna, settings):
    other = Client()
    other.force_login(anna)
    member.post(reverse("change_address"), {"email": "anna@example.net"})
    change = AddressChange.objects.get()
    assert "Waiting for both addresses to confirm" in words(member.get(SETTINGS))
    Client().post(answer_path(change, "new", settings), {"answer": "yes", **pressed()})
    assert "The new one is confirmed." in words(member.get(SETTINGS))
    page = words(member.post(answer_path(change, "old", settings), {"answer": "yes", **pressed()}))
    assert "Done. Your account now uses anna@example.net." in page
    assert is_signed_in(member) and not is_signed_in(other)
    anna.refresh_from_db()
    assert anna.email == "anna@example.net"


def test_a_change_finished_elsewhere_ends_every_session(member, anna, settings):
    member.post(reverse("change_address"), {"email": "anna@example.net"})
    for side in ("old", "new"):
        path = answer_path(AddressChange.objects.get(), side, settings)
        Client().post(path, {"answer": "yes", **pressed()})
    assert not is_signed_in(member)


@pytest.mark.parametrize("side", ["old", "new"])
def test_looking_and_sending_the_form_untouched_change_no_address(member, anna, settings, side):
    member.post(reverse("change_address"), {"email": "anna@example.net"})
    path = answer_path(AddressChange.objects.get(), side, settings)
    page = soup_of(Client().get(path))
    assert "anna@example.net" in page.text and not page.select("input[checked]")
    for data in ({}, {"answer": ""}, {"answer": "perhaps"}):
        assert Client().post(path, data).status_code == 422
    for answer in ("yes", "no"):  # as a program presses it: who is there is asked
        assert soup_of(Client().post(path, {"answer": answer})).select("form.who")
    row = AddressChange.objects.get()
    assert row.old_confirmed_at is None and row.new_confirmed_at is None


def test_a_no_is_answered_and_makes_the_links_void(member, settings):
    member.post(reverse("change_address"), {"email": "anna@example.net"})
    change = AddressChange.objects.get()
    paths = [answer_path(change, side, settings) for side in ("old", "new")]
    assert "Nothing was changed." in words(Client().post(paths[0], {"answer": "no", **pressed()}))
    for path in paths:
        assert Client().get(path).status_code == Client().post(path, {"answer": "yes", **pressed()}).status_code == 404


@pytest.mark.slow
def test_what_is_no_new_address_is_said_beside_the_field(member, anna):
    for address in ("", "nonsense", anna.email):
        response = member.post(reverse("change_address"), {"email": address})
        assert response.status_code == 422 and soup_of(response).select_one("#id_email_error")
    assert not AddressChange.objects.exists()


def test_the_letters_of_a_change_carry_the_link_of_their_side(member, anna, settings):
    told = {}
    member.post(reverse("change_address"), {"email": "anna@example.net"})
    change = AddressChange.objects.get()
    for notice in Notice.objects.filter(kind="address_asked").select_related("recipient"):
        assert AddressAsked().is_current(notice) == ""
        told[notice.recipient.address] = AddressAsked().compose(notice, "en", Form.LETTER).text
    for side, address in (("old", "anna@example.org"), ("new", "anna@example.net")):
        unsigned = accounts.address_change_link(change, side).rsplit(":", 2)[
            0
        ]  # time and signature may be of the next second
        assert f"{unsigned}:" in told[address]
    accounts.refuse_address_change(
        token=answer_path(change, "old", settings).rstrip("/").rsplit("/", 1)[-1], now=change.created_at
    )
    assert AddressAsked().is_current(notice) != ""


# Tokens


def test_a_token_is_made_from_a_sign_in_of_this_moment_only(member):
    for minutes in (600, 11):
        freshly(member, minutes)
        page = member.get(SETTINGS)
        assert not soup_of(page).select("input[name=scopes]") and "sign in again" in words(page)
        refused = member.post(reverse("tokens"), {"name": "my script", "scopes": ["play"]})
        assert refused.status_code == 403 and not ApiToken.objects.exists()
    freshly(member, 9)
    assert soup_of(member.get(SETTINGS)).select("input[name=scopes]")


def test_signing_in_once_more_leads_back_to_the_settings(member):
    response = member.post(reverse("sign_in_again"), {"page": "settings"})
    assert response.headers["Location"] == "/accounts/login/code/?next=%2Fsettings%2F"
    assert "_auth_user_id" not in member.session


@pytest.mark.slow
def test_a_token_is_shown_once_and_can_be_revoked(member, anna, now):
    freshly(member)
    page = soup_of(member.post(reverse("tokens"), {"name": "my script", "scopes": ["play"]}))
    token = page.select_one("code.secret").text
    assert tokens.find(token, now).user == anna
    assert token not in words(member.get(SETTINGS)) and "my script" in words(member.get(SETTINGS))
    member.post(reverse("tokens"), {"revoke": f"{ApiToken.objects.get().ref}\0"})  # PostgreSQL takes no NUL
    assert tokens.find(token, now) is None
    assert "my script" not in words(member.get(SETTINGS))


def test_anothers_token_is_not_revoked(member, ben, now):
    row, token = tokens.create_token(user=ben, name="his", now=now)
    for wrong in (row.ref, "x", "²", "9" * 30, "9" * 5000):
        assert member.post(reverse("tokens"), {"revoke": wrong}).status_code == 404
    assert tokens.find(token, now).user == ben


@pytest.mark.slow
def test_a_token_needs_a_name(member):
    freshly(member)
    response = member.post(reverse("tokens"), {"name": "", "scopes": ["play"]})
    assert response.status_code == 422 and not ApiToken.objects.exists()
