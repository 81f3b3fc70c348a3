"""Signing up, in and out."""

import re
import smtplib

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.lobby import invitations
from games.models import User
from games.people import sessions, sign_in
from games.tables import table_links
from notifications.channels.mail.suppressions import suppress
from notifications.models import Notice, Recipient
from tests.games.web.filling import pressed, soup_of, words
from tests.games.web.signing_in import freshly

pytestmark = [pytest.mark.usefixtures("counted_anew"), pytest.mark.slow]
ASK = reverse("account_request_login_code")
CONFIRM = reverse("account_confirm_login_code")
SIGN_UP = reverse("account_signup")
SETTINGS = reverse("settings")


def code_in(letter) -> str:
    return re.search(r"^ *([A-Z0-9-]{6,12})$", letter.body, re.MULTILINE)[1]


def link_in(letter, settings) -> str:
    return re.search(r"^(http\S+sign-in\S+)$", letter.body, re.MULTILINE)[1].removeprefix(settings.SITE_URL)


def is_signed_in(client) -> bool:
    return client.get(SETTINGS).status_code == 200


# Signing in by mail


def test_a_sign_in_mail_has_code_and_link_as_text_and_as_html(client, anna, settings):
    client.post(ASK, {"email": "anna@example.org"})
    (letter,) = mail.outbox
    (html, kind), *_others = letter.alternatives
    assert kind == "text/html" and f">{code_in(letter)}</p>" in html
    assert link_in(letter, settings).replace("&", "&amp;") in html
    assert "<style>" not in html.split("</head>")[1] and 'style="' in html and "http://" not in html.split("<body")[0]


def test_a_mailed_code_signs_in(client, anna):
    client.post(ASK, {"email": "Anna@Example.org"})
    assert [letter.to for letter in mail.outbox] == [["anna@example.org"]]
    response = client.post(CONFIRM, {"code": code_in(mail.outbox[0])})
    assert response.headers["Location"] == reverse("my_games")
    assert is_signed_in(client)
    assert EmailAddress.objects.get(user=anna).verified


def test_the_mail_is_in_our_words_and_says_it_comes_from_a_program(client, anna, settings):
    client.post(ASK, {"email": anna.email})
    letter = mail.outbox[0]
    assert letter.subject == "Your sign-in code for Caravanserai"
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"
    assert link_in(letter, settings).startswith("/sign-in/?sesame=")
    assert letter.from_email == settings.DEFAULT_FROM_EMAIL


def test_after_signing_in_one_is_where_one_wanted_to_go(client, anna, settings):
    wanted = reverse("new_table")
    client.post(ASK, {"email": anna.email, "next": wanted})
    letter = mail.outbox[0]
    assert "next=%2Ftables%2Fnew%2F" in link_in(letter, settings)
    response = client.post(CONFIRM, {"code": code_in(letter), "next": wanted})
    assert response.headers["Location"] == wanted


def test_three_wrong_codes_end_the_try(client, anna):
    client.post(ASK, {"email": anna.email})
    for _ in range(3):
        client.post(CONFIRM, {"code": "WRONG1"})
    client.post(CONFIRM, {"code": code_in(mail.outbox[0])})
    assert not is_signed_in(client)


def test_an_unknown_address_gets_the_same_answer_and_another_mail(client, anna):
    known = client.post(ASK, {"email": anna.email}, follow=True)
    unknown = Client().post(ASK, {"email": "who@example.org"}, follow=True)
    assert words(known).replace(anna.email, "") == words(unknown).replace("who@example.org", "")
    assert "it has no account" in mail.outbox[1].body


def test_who_wants_no_mail_gets_none_for_an_account_he_has_not(client, anna):
    suppress("who@example.org", "asked")
    suppress(anna.email, "asked")
    assert client.post(ASK, {"email": "who@example.org"}).status_code == 302
    Client().post(ASK, {"email": anna.email})
    assert [letter.to for letter in mail.outbox] == [[anna.email]]


def test_too_many_codes_for_one_address_are_refused(anna):
    answers = [Client().post(ASK, {"email": anna.email}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 200]
    assert "Too many attempts." in soup_of(answers[-1]).select_one(".field-error, .notice.error").text
    assert len(mail.outbox) == 3


def test_too_many_accounts_from_one_place_are_refused_in_the_sites_look(db):
    answers = [Client().post(SIGN_UP, {"email": f"p{n}@example.org", "name": "P"}) for n in range(21)]
    assert answers[19].status_code == 302
    assert answers[20].status_code == 429 and "A little slower, please" in words(answers[20])
    assert User.objects.count() == 20


def test_a_mail_server_that_is_down_is_said_and_is_no_crash(client, anna, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
    response = client.post(ASK, {"email": anna.email})
    assert response.status_code == 503 and "We can't send email at the moment" in words(response)


@pytest.mark.parametrize("address", ["", "nonsense", "a@b", "a\r\nBcc: b@example.org"])
def test_what_is_no_address_is_said_beside_the_field(client, db, address):
    response = client.post(ASK, {"email": address})
    assert response.status_code == 200 and soup_of(response).select_one(".field-error")
    assert not mail.outbox


# Signing in by link


def test_looking_at_a_sign_in_link_signs_nobody_in(client, anna, settings):
    path = sign_in.sign_in_link(anna).removeprefix(settings.SITE_URL)
    for response in (client.get(path), client.head(path)):
        assert response.status_code == 200
    assert client.options(path).status_code == 405
    assert soup_of(client.post(path, {})).select_one("form.who")
    assert not is_signed_in(client)
    assert soup_of(client.get(path)).select("input[checked]") == []


def test_a_button_that_a_person_pressed_signs_in_once(client, anna, settings):
    token = sign_in.sign_in_link(anna).split("sesame=")[1]
    response = client.post(reverse("sign_in_link"), {"sesame": token, **pressed()})
    assert response.headers["Location"] == reverse("my_games") and is_signed_in(client)
    again = Client().post(reverse("sign_in_link"), {"sesame": token, **pressed()})
    assert again.status_code == 410 and "This link has expired" in words(again)


def test_a_known_browser_confirms_nothing_and_still_knows_nobody_else(client, anna, ben):
    client.post(reverse("sign_in_link"), {"sesame": sign_in.sign_in_link(anna).split("sesame=")[1], **pressed()})
    client.post(reverse("account_logout"))
    for person, status in ((ben, 200), (anna, 302)):
        person.refresh_from_db()
        asked = {"sesame": sign_in.sign_in_link(person).split("sesame=")[1]}
        confirms = soup_of(client.get(reverse("sign_in_link"), asked)).select_one("[name=proof]") is not None
        assert confirms == (person == ben)
        assert client.post(reverse("sign_in_link"), asked).status_code == status


def test_a_sign_in_link_leads_on_to_our_own_pages_only(anna):
    elsewhere = ("https://evil.example/", "//evil", "on", "my_games", "../x", "\\evil", "javascript:alert(1)", "\x00")
    for wanted, place in [("/admin/", "/admin/"), *((other, "/my-games/") for other in elsewhere)]:
        anna.refresh_from_db()
        client, token = Client(), sign_in.sign_in_link(anna).split("sesame=")[1]
        data = {"sesame": token, **pressed(), "next": wanted}
        assert client.post(reverse("sign_in_link"), data).headers["Location"] == place


@pytest.mark.parametrize("token", ["", "x", "A" * 30, "é\x00"])
def test_a_link_that_is_not_ours_leads_nowhere(client, db, token):
    for response in (client.get(reverse("sign_in_link"), {"sesame": token}), client.post(reverse("sign_in_link"))):
        assert response.status_code == 410


def test_the_pages_of_links_are_not_told_to_others_and_their_forms_can_be_sent(client, anna, settings):
    response = client.get(sign_in.sign_in_link(anna).removeprefix(settings.SITE_URL))
    assert response.headers["Referrer-Policy"] == "strict-origin"  # under no-referrer the form would be refused
    assert "no-store" in response.headers["Cache-Control"]


# Signing up and out


def test_an_address_and_a_name_make_an_account_without_a_password(client, db):
    response = client.post(SIGN_UP, {"email": "Eva@example.org", "name": " Eva\n "}, follow=True)
    assert "Enter the code" in words(response)
    eva = User.objects.get()
    assert (eva.email, eva.name, eva.recipient.address) == ("eva@example.org", "Eva", "eva@example.org")
    assert not eva.has_usable_password() and not is_signed_in(client)
    client.post(reverse("account_email_verification_sent"), {"code": code_in(mail.outbox[0])})
    assert is_signed_in(client)
    assert EmailAddress.objects.get(user=eva).verified


def test_the_link_in_the_first_mail_confirms_and_signs_in(client, db, settings):
    client.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva"})
    token = link_in(mail.outbox[0], settings).split("sesame=")[1].split("&")[0]
    other = Client()
    other.post(reverse("sign_in_link"), {"sesame": token, **pressed()})
    assert is_signed_in(other)


def test_a_newcomer_is_welcomed_once_in_the_chosen_zone_and_may_change_everything_for_an_hour(client, db):
    client.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva", "zone": "America/Lima"})
    first = client.post(reverse("account_email_verification_sent"), {"code": code_in(mail.outbox[0])}, follow=True)
    assert [notice.get_text(strip=True) for notice in soup_of(first).select(".messages .notice")] == ["Welcome, Eva!"]
    assert User.objects.get().recipient.zone == "America/Lima"
    begun = client.session[sessions.SINCE]
    for minutes, is_asked in ((50, False), (61, True)):
        with time_machine.travel(begun + minutes * 60, tick=False):
            assert ("sign in again" in words(client.get(SETTINGS))) is is_asked


def test_a_zone_that_is_none_makes_no_account(client, db):
    refused = client.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva", "zone": "Mars/Olympus"})
    assert soup_of(refused).select_one("#id_zone_error") and not User.objects.exists()


def test_a_person_who_was_invited_keeps_his_record(client, db):
    known = Recipient.objects.create(address="eva@example.org", zone="Europe/Madrid")
    client.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva"}, headers={"accept-language": "es"})
    eva = User.objects.get()
    assert eva.recipient == known and Recipient.objects.count() == 1
    assert (eva.recipient.name, eva.recipient.language, eva.recipient.zone) == ("Eva", "es", "Europe/Madrid")


def test_signing_up_for_a_known_address_tells_only_its_owner(client, anna):
    response = client.post(SIGN_UP, {"email": anna.email, "name": "Mallory"}, follow=True)
    assert "Enter the code" in words(response)
    assert User.objects.count() == 1 and User.objects.get().name == "Anna"
    assert "You already have one" in mail.outbox[0].body


@pytest.mark.parametrize("data", [{}, {"email": "eva@example.org"}, {"email": "eva@example.org", "name": "\u202e "}])
def test_an_account_needs_address_and_name(client, db, data):
    response = client.post(SIGN_UP, data)
    assert response.status_code == 200 and soup_of(response).select_one(".field-error")
    assert not User.objects.exists()


def test_signing_out_ends_the_session(member):
    member.post(reverse("account_logout"))
    assert not is_signed_in(member)


def test_a_password_is_possible_and_told_by_mail(member, anna):
    new = {"password1": "sand and saffron", "password2": "sand and saffron"}
    sign_in.confirm_address(anna)
    freshly(member)
    assert member.post(reverse("account_set_password"), new).headers["Location"] == SETTINGS
    assert Notice.objects.get(kind="password_changed").data == {"what": "password_set"}
    other = Client()
    response = other.post(reverse("account_login"), {"login": anna.email, "password": "sand and saffron"})
    assert response.status_code == 302, words(response)
    assert is_signed_in(other) and is_signed_in(member)


def test_a_first_password_is_set_from_a_sign_in_of_this_moment_only(member, anna):
    freshly(member, minutes=11)
    new = {"password1": "sand and saffron", "password2": "sand and saffron"}
    refused = member.post(reverse("account_set_password"), new, follow=True)
    assert refused.redirect_chain[0][0] == SETTINGS and "sign in again" in words(refused)
    anna.refresh_from_db()
    assert not anna.has_usable_password()


def test_every_reachable_page_of_sign_in_wears_the_sites_look(client, member):
    for name in (
        "account_login", "account_signup", "account_request_login_code", "account_reset_password",
        "account_reset_password_done", "account_inactive", "account_logout", "account_set_password",
        "account_reauthenticate",
    ):  # fmt: skip
        for visitor in (Client(), member):
            response = visitor.get(reverse(name), follow=True)
            assert response.status_code in (200, 403), name
            page = soup_of(response)
            assert page.select_one(".site-header") and len(page.select("h1")) == 1, name


def test_the_page_for_several_addresses_leads_to_the_settings(member):
    assert member.get("/accounts/email/").headers["Location"] == SETTINGS


def test_a_wrong_password_says_nothing_about_the_account(member, anna):
    anna.set_password("sand and saffron")
    anna.save()
    answers = [
        Client().post(reverse("account_login"), {"login": address, "password": "wrong"}, follow=True)
        for address in (anna.email, "who@example.org")
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    said = [soup_of(answer).select_one(".notice.error").text for answer in answers]
    assert said[0] == said[1] and "not correct" in said[0]


def test_a_new_person_comes_back_to_the_table_he_came_from(client, table, settings):
    wanted = table_links.join_url(table).removeprefix(settings.SITE_URL)
    client.post(SIGN_UP, {"email": "eva@example.org", "name": "Eva", "next": wanted})
    response = client.post(reverse("account_email_verification_sent"), {"code": code_in(mail.outbox[0])})
    assert response.headers["Location"] == wanted
    assert "Join" in words(client.get(wanted))


def test_an_invited_person_signs_in_later_with_one_code(client, table, anna, now):
    row = invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    invitations.accept(invitation=row, name="Eva", now=now)
    client.post(ASK, {"email": "eva@example.org"})
    client.post(CONFIRM, {"code": code_in(mail.outbox[0])})
    assert is_signed_in(client) and len(mail.outbox) == 1
