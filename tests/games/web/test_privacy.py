"""The pages of what is kept: for everybody, and a person's own."""

import datetime as dt
import json
from typing import Any

import pytest
from django.test import Client

from games.models import Erasure, User
from games.privacy import retention
from tests.games.web.filling import pressed
from tests.games.web.signing_in import freshly

pytestmark = pytest.mark.slow


@pytest.fixture
def signed_in(client: Client, ben: User) -> Client:
    """Ben has been signed in for hours."""
    client.force_login(ben)
    return client


def leave(client: Client, **facts: str) -> Any:
    return client.post("/settings/data/leave/", facts)


@pytest.mark.parametrize(("address", "words"), [("/privacy/", "How long"), ("/privacy/es/", "Cuánto tiempo")])
def test_everybody_can_read_for_how_long_what_is_kept(client: Client, db: None, address: str, words: str) -> None:
    text = client.get(address).content.decode()
    assert words in text
    for expiry in retention.EXPIRIES:
        assert f"{expiry.days} d" in text
    assert client.get("/privacy/xx/").status_code == 404


def test_a_copy_is_a_file_that_only_its_owner_gets(signed_in: Client, ben: User) -> None:
    response = signed_in.post("/settings/data/copy/")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="')
    assert "no-store" in response.headers["Cache-Control"]
    assert json.loads(response.content)["account"][0]["email"] == ben.email
    assert signed_in.get("/settings/data/copy/").headers["Location"] == "/settings/data/#again"
    assert Client().post("/settings/data/copy/").status_code == 302


def test_the_fourth_copy_of_a_day_is_refused_in_words(signed_in: Client) -> None:
    for _time in range(3):
        signed_in.post("/settings/data/copy/")
    response = signed_in.post("/settings/data/copy/")
    assert response.status_code == 429
    assert "tomorrow" in response.content.decode()


def test_an_account_is_deleted_from_a_fresh_sign_in_only(signed_in: Client, ben: User) -> None:
    freshly(signed_in, minutes=11)
    assert "sign in again" in signed_in.get("/settings/data/").content.decode()
    assert leave(signed_in, address=ben.email).status_code == 403
    assert not Erasure.objects.exists()
    freshly(signed_in, minutes=9)
    assert leave(signed_in, address=ben.email).status_code == 302
    assert Erasure.objects.get().user == ben


@pytest.mark.parametrize("address", ["", "ben", "anna@example.org", "x" * 300 + "@example.org", "\0@example.org"])
def test_another_address_is_refused_beside_its_field(signed_in: Client, address: str) -> None:
    freshly(signed_in)
    response = leave(signed_in, address=address)
    assert response.status_code == 422
    assert "aria-invalid" in response.content.decode()
    assert not Erasure.objects.exists()


def test_settings_say_when_it_will_be_and_one_button_takes_it_back(signed_in: Client, ben: User) -> None:
    freshly(signed_in)
    leave(signed_in, address=ben.email, takes_words="on")
    assert Erasure.objects.get().takes_words
    assert leave(signed_in, address=ben.email).status_code == 409
    for page in ("/settings/", "/settings/data/"):
        assert "Your account will be deleted:" in signed_in.get(page).content.decode()
    signed_in.post("/settings/data/stay/")
    assert not Erasure.objects.exists()
    assert "Your account will be deleted:" not in signed_in.get("/settings/").content.decode()


def test_signing_in_once_more_ends_the_session_and_leads_back(signed_in: Client) -> None:
    response = signed_in.post("/settings/data/sign-in/", {"page": "own_data"})
    assert response.headers["Location"] == "/accounts/login/code/?next=%2Fsettings%2Fdata%2F"
    assert "_auth_user_id" not in signed_in.session


def test_the_sign_in_by_a_mailed_link_is_fresh(client: Client, ben: User) -> None:
    from games.people import sign_in

    token = sign_in.sign_in_link(ben).split("sesame=", 1)[1]
    client.post("/sign-in/", {"sesame": token, **pressed(), "next": "/settings/data/"})
    assert "Type your email address" in client.get("/settings/data/").content.decode()


def test_the_page_of_a_former_player_is_gone(signed_in: Client, anna: User, now: dt.datetime) -> None:
    from games.privacy import erasure

    assert signed_in.get(f"/player/{anna.ref}/").status_code == 200
    erasure.erase(anna, takes_words=False, now=now)
    assert signed_in.get(f"/player/{anna.ref}/").status_code == 404
