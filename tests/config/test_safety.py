"""What every answer says about itself, and what no log may say."""

import logging

import pytest
from django.http import HttpResponse

from config.csp import ContentSecurityPolicy
from config.logs import RedactTokens, redact


def policy_of(response):
    answer = ContentSecurityPolicy(lambda request: response)(None)
    return dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))


def test_a_page_loads_our_own_files_only_and_is_framed_by_nobody():
    policy = policy_of(HttpResponse())
    assert policy["default-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in " ".join(policy.values())


def test_only_a_page_that_shows_a_mail_allows_inline_styles():
    response = HttpResponse()
    response.inline_styles_allowed = True
    policy = policy_of(response)
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert "unsafe" not in policy["default-src"]


def test_the_policy_is_switched_on(settings):
    assert "config.csp.ContentSecurityPolicy" in settings.MIDDLEWARE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/act/abcdefgh12345678ijkl/", "/act/abcd***/"),
        ("/sign-in/?sesame=AAABBBCCCDDDEEEFFFGGG", "/sign-in/?sesame=AAAB***"),
        ("/never/eyJhIjoxfQ:1tRk2X:abcdefghijklmnop", "/never/eyJh***"),
        ("/tables/new/", "/tables/new/"),
        ("/static/board.css", "/static/board.css"),
    ],
)
def test_tokens_are_cut_out_of_addresses(text, expected):
    assert redact(text) == expected


def test_djangos_note_of_a_refused_request_holds_no_token(settings):
    record = logging.LogRecord(
        "django.request", logging.WARNING, "", 0, "%s: %s", ("Not Found", "/act/abcdefgh12345678ijkl/"), None
    )
    assert RedactTokens().filter(record)
    assert record.getMessage() == "Not Found: /act/abcd***/"
    assert "no_tokens" in settings.LOGGING["handlers"]["console"]["filters"]
