"""Unsubscribing for good: looking changes nothing, asking is remembered, and no address is kept or shown."""

import pytest
from django.test import Client

from notifications.channels.mail import suppressions
from notifications.channels.mail.suppressions import SIGNER, never_write_url
from notifications.models import Suppression
from tests.games.web.filling import pressed

pytestmark = pytest.mark.django_db
ADDRESS = "anna@example.org"


@pytest.fixture
def path(settings):
    url = never_write_url(ADDRESS)
    assert url.startswith(settings.SITE_URL + "/")
    return url.removeprefix(settings.SITE_URL)


@pytest.fixture
def stranger():
    """A mail provider: no cookies, and the CSRF check is on."""
    return Client(enforce_csrf_checks=True)


def test_the_link_holds_no_address_and_no_plain_hash_of_it(path):
    assert "anna" not in path and "example" not in path
    assert suppressions.hash_address(ADDRESS) != suppressions.hash_address("ben@example.org")


def test_the_fingerprint_depends_on_a_key(settings):
    before = suppressions.hash_address(ADDRESS)
    settings.SUPPRESSION_KEY = "another"
    assert suppressions.hash_address(ADDRESS) != before


@pytest.mark.parametrize("spelling", ["Anna@Example.ORG", " anna@example.org ", "anna@example.org\n"])
def test_all_spellings_of_an_address_are_one(spelling):
    suppressions.suppress(spelling, "asked")
    assert suppressions.is_suppressed(ADDRESS)
    assert not suppressions.is_suppressed("ben@example.org")


def test_asking_twice_is_asking_once():
    suppressions.suppress(ADDRESS, "asked")
    suppressions.suppress(ADDRESS, "again")
    assert Suppression.objects.get().reason == "asked"
    assert ADDRESS not in str(Suppression.objects.values())


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_changes_nothing(stranger, path, method):
    for _ in range(5):
        response = getattr(stranger, method)(path)
        assert response.status_code == 200
    assert not Suppression.objects.exists()
    assert response.cookies == {}


def test_the_page_is_not_kept_followed_or_listed(stranger, path):
    response = stranger.get(path)
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "no-referrer" and response["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("method", ["options", "put", "delete", "patch"])
def test_no_other_method_is_answered(stranger, path, method):
    assert getattr(stranger, method)(path).status_code == 405
    assert not Suppression.objects.exists()


@pytest.mark.parametrize("form", ["multipart", "", "\r\n", "\n"])
def test_one_click_works_without_cookies_in_both_encodings(stranger, path, form):
    if form == "multipart":
        response = stranger.post(path, {"List-Unsubscribe": "One-Click"})
    else:
        body = f"List-Unsubscribe=One-Click{form}"
        response = stranger.post(f"{path}>", body, content_type="application/x-www-form-urlencoded", follow=True)
    assert response.status_code == 200, "no redirect"
    assert response.cookies == {}
    assert suppressions.is_suppressed(ADDRESS)


def test_a_button_that_a_person_pressed_counts_and_is_said(stranger, path):
    assert "Is it you?" in stranger.post(path, {"answer": "never"}).content.decode()
    assert not Suppression.objects.exists(), "a program that presses the button"
    response = stranger.post(path, {"answer": "never", **pressed()})
    assert response.status_code == 200 and suppressions.is_suppressed(ADDRESS)
    assert "We won't write to you again" in response.content.decode()


@pytest.mark.parametrize("data", [{}, {"answer": ""}, {"List-Unsubscribe": ""}, {"x": "y"}])
def test_a_form_sent_off_untouched_changes_nothing(stranger, path, data):
    response = stranger.post(path, data)
    assert response.status_code == 422 and "Please choose an option" in response.content.decode()
    assert not Suppression.objects.exists()


def test_a_mistake_can_be_taken_back(stranger, path):
    stranger.post(path, {"answer": "never", **pressed()})
    stranger.post(path, {"answer": "again", **pressed()})
    assert not suppressions.is_suppressed(ADDRESS)


def test_what_others_decided_cannot(stranger, path):
    suppressions.suppress(ADDRESS, "complaint")
    stranger.post(path, {"answer": "again", **pressed()})
    assert suppressions.is_suppressed(ADDRESS)


@pytest.mark.parametrize("_case", ["cut", "changed", "another address", "another purpose", "nonsense"])
def test_a_link_that_is_not_ours_is_not_found(stranger, path, _case):
    token = path.rstrip("/").rsplit("/", 1)[1]
    forged = {
        "cut": token[:-1],
        "changed": ("0" if token[0] != "0" else "1") + token[1:],
        "another address": suppressions.hash_address("ben@example.org") + "." + token.split(".")[1],
        "another purpose": type(SIGNER)(sep=".", salt="something else").sign(suppressions.hash_address(ADDRESS)),
        "nonsense": "nonsense",
    }[_case]
    for response in (
        stranger.get(path.replace(token, forged)),
        stranger.post(path.replace(token, forged), {"answer": "never"}),
    ):
        assert response.status_code == 404
    assert not Suppression.objects.exists()
