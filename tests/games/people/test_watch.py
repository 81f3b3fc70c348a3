"""What the log says of signing in and out."""

import logging
import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.models import User

PASSWORD = "correct horse 7"
ASK, CONFIRM = reverse("account_request_login_code"), reverse("account_confirm_login_code")


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, logger="games.people.security_log")
    return caplog


def lines(said: pytest.LogCaptureFixture) -> list[str]:
    """What was said, without the marks that stand for addresses."""
    found = [record.getMessage() for record in said.records if record.name == "games.people.security_log"]
    return [re.sub(r"address [0-9a-f]{10},", "address *,", line) for line in found]


def test_every_way_in_and_every_refusal_is_written_down_without_an_address_or_a_secret(
    client: Client, anna: User, said: pytest.LogCaptureFixture
) -> None:
    anna.set_password(PASSWORD)
    anna.save()
    at, who = "network 127.0.0.", f"account {anna.ref}, network 127.0.0."
    client.post(ASK, {"email": anna.email})
    found = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[0].body))
    assert found
    client.post(CONFIRM, {"code": "WRNG-WRNG"})
    client.post(CONFIRM, {"code": found[0]})
    client.post(reverse("account_logout"))
    for password in ("wrong password", PASSWORD):
        client.post(reverse("account_login"), {"login": anna.email, "password": password})
    new = {"oldpassword": PASSWORD, "password1": "battery staple 8", "password2": "battery staple 8"}
    client.post(reverse("account_change_password"), new)
    assert lines(said) == [
        f"refused: code of a mail, {who}",
        f"shown: code, {who}",
        f"signed in: {who}",
        f"signed out: {who}",
        f"refused: password, address *, {at}",
        f"shown: password, {who}",
        f"signed in: {who}",
        f"changed: password, {who}",
    ]
    assert not any(secret in said.text for secret in (anna.email, PASSWORD, "battery", found[0], "WRNG"))


def test_a_guess_at_nobodys_password_leaves_the_same_mark_every_time(
    client: Client, db: None, said: pytest.LogCaptureFixture
) -> None:
    for address in ("eva@example.org", "Eva@Example.org", "other@example.org"):
        client.post(reverse("account_login"), {"login": address, "password": "x" * 12})
    one, again, other = (record.getMessage() for record in said.records if record.name == "games.people.security_log")
    assert one == again != other


def test_a_link_that_is_not_good_is_written_down_without_it(
    client: Client, db: None, said: pytest.LogCaptureFixture
) -> None:
    client.get(reverse("sign_in_link"), {"sesame": "A" * 30})
    assert lines(said) == ["refused: link of a mail, network -"]


def test_the_second_factor_is_written_down_too(
    client: Client, anna: User, settings, said: pytest.LogCaptureFixture
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    User.objects.filter(pk=anna.pk).update(is_staff=True)
    client.force_login(User.objects.get(pk=anna.pk))
    client.post(reverse("second_factor"), {"code": "123456"})
    assert lines(said)[-1].startswith(f"refused: second factor, account {anna.ref},")
