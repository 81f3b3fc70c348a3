"""Refusals as pages, and the reader's own language and zone."""

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation
from django.utils.functional import SimpleLazyObject

from games import errors
from games.web.middleware import BrowserLanguage, ReaderSettings, RefusalPages, SessionsEnd
from tests.games.web.filling import soup_of


@pytest.fixture
def request_of(rf: RequestFactory, db):
    def make(user):
        request = rf.get("/")
        request.user = user
        request.COOKIES[settings.SESSION_COOKIE_NAME] = "a session"
        return request

    return make


@pytest.mark.parametrize(
    "refusal", [errors.NotFound, errors.Conflict, errors.Illegal, errors.LimitReached, errors.Quarantined]
)
def test_a_refusal_becomes_a_page_with_its_sentence_and_status(request_of, anna, refusal):
    response = RefusalPages(lambda _request: None).process_exception(request_of(anna), refusal("Not <b>now</b>."))
    assert response.status_code == refusal.status
    assert soup_of(response).select_one(".notice").text == "Not <b>now</b>."


def test_any_other_error_is_not_hidden(request_of, anna):
    assert RefusalPages(lambda _request: None).process_exception(request_of(anna), ValueError("a bug")) is None


def test_a_members_language_and_zone_hold_while_his_page_is_made(request_of, anna):
    anna.recipient.language, anna.recipient.zone = "es", "Asia/Tokyo"
    seen = []

    def page(_request):
        seen.append((translation.get_language(), timezone.get_current_timezone_name()))

    with translation.override("en"):
        ReaderSettings(page)(request_of(anna))
    assert seen == [("es", "Asia/Tokyo")]
    assert timezone.get_current_timezone_name() == "UTC"


def test_nobody_is_looked_for_where_there_is_no_session(rf):
    def look():
        raise AssertionError("looked for")

    request = rf.get("/")
    request.user = SimpleLazyObject(look)
    assert SessionsEnd(ReaderSettings(lambda _request: "the page"))(request) == "the page"


def test_a_zone_this_machine_does_not_know_locks_nobody_out(request_of, anna):
    anna.recipient.zone = "Mars/Phobos"
    assert ReaderSettings(lambda _request: "the page")(request_of(anna)) == "the page"


@pytest.mark.parametrize(
    ("headers", "cookie", "language"),
    [
        ({}, "", "en"),
        ({"Accept-Language": "es-PE,es;q=0.9,en;q=0.5"}, "", "es"),
        ({"Accept-Language": "de-AT"}, "", "de"),
        ({"Accept-Language": "fr"}, "", "en"),
        ({"Accept-Language": "fr,de;q=0.5"}, "", "de"),
        ({"Accept-Language": "xx"}, "", "en"),
        ({"Accept-Language": "en"}, "es", "es"),
    ],
)
def test_a_strangers_browser_is_spoken_to_in_its_language(rf, headers, cookie, language):
    request = rf.get("/es/", headers=headers)
    if cookie:
        request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = cookie
    seen = []

    def page(request):
        seen.append((translation.get_language(), request.LANGUAGE_CODE))
        return HttpResponse()

    with translation.override("de"):
        answer = BrowserLanguage(page)(request)
    assert seen == [(language, language)]
    assert (answer.headers["Content-Language"], answer.headers["Vary"]) == (language, "Accept-Language")


def test_an_answer_is_in_the_language_in_which_it_was_made(rf):
    def page(_request):
        translation.activate("es")
        return HttpResponse()

    with translation.override("en"):
        assert BrowserLanguage(page)(rf.get("/")).headers["Content-Language"] == "es"
