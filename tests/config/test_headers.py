"""What every answer tells the browser."""

from collections.abc import Mapping

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from config.web import DATA, SecurityHeaders
from games.models import User


def policy_of(response):
    answer = SecurityHeaders(lambda request: response)(None)
    return dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))


def test_a_page_loads_our_own_files_only_and_is_framed_by_nobody():
    ours, nothing = "'self'", "'none'"
    assert policy_of(HttpResponse()) == {
        "default-src": nothing,
        "script-src": ours,
        "style-src": ours,
        "img-src": ours,
        "font-src": ours,
        "connect-src": ours,
        "manifest-src": ours,
        "worker-src": ours,
        "object-src": nothing,
        "base-uri": nothing,
        "form-action": ours,
        "frame-ancestors": nothing,
    }


def test_only_a_page_that_shows_a_mail_allows_what_mails_carry_and_even_that_no_script():
    response = HttpResponse()
    response.shows_mail = True
    policy = policy_of(response)
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert policy["img-src"] == "'self' data:"
    assert policy["script-src"] == "'self'"
    assert policy["default-src"] == "'none'"


PAGES = ("/", "/nowhere/", "/healthz", "/rules/")
OF_MEMBERS = ("/settings/", "/accounts/logout/")  # others are led on from there
NO_PAGES = ("/api/v1/me/", "/api/nowhere/", "/rules")
FILE = "/static/games/site.css"


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_every_answer_carries_them(client: Client, db: None, is_signed_in: bool) -> None:
    if is_signed_in:
        client.force_login(User.objects.create_user("anna@example.org"))
    shown, others = (*PAGES, FILE), NO_PAGES
    shown, others = (shown + OF_MEMBERS, others) if is_signed_in else (shown, others + OF_MEMBERS)
    assert [path for path in shown if not is_bound(client.get(path).headers)] == []
    assert [path for path in shown + others if not carries_them(path, client.get(path).headers)] == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, "text/html; charset=utf-8"),
        (404, "text/html; charset=utf-8"),
        (500, "text/plain"),
        (200, "image/svg+xml"),
        (200, "application/xml"),
        (200, "text/event-stream"),
    ],
)
def test_what_documents_may_do_is_said_of_whatever_a_browser_might_take_for_one(status: int, kind: str) -> None:
    assert is_bound(answered(status, kind))


@pytest.mark.parametrize("kind", ["application/json", "application/problem+json"])
def test_data_load_nothing_and_are_framed_by_nobody(kind: str) -> None:
    headers = answered(200, kind)
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "Permissions-Policy" not in headers


@pytest.mark.parametrize("status", [204, 302, 303, 304])
def test_where_nothing_is_shown_nothing_is_said_of_it(status: int) -> None:
    assert not {"Content-Security-Policy", "Permissions-Policy", "X-Frame-Options"} & set(answered(status, "text/html"))


def answered(status: int, kind: str) -> Mapping[str, str]:
    """The headers of such an answer."""
    answer = SecurityHeaders(lambda request: HttpResponse(status=status, content_type=kind))(None)
    assert (answer.headers["Cache-Control"], answer.headers["Cross-Origin-Resource-Policy"]) == (
        "no-store",
        "same-origin",
    )
    return answer.headers


def is_bound(headers: Mapping[str, str]) -> bool:
    """Whether a document with these headers is held to our policy, and framed by nobody."""
    return (
        "default-src 'none'" in headers.get("Content-Security-Policy", "")
        and "camera=()" in headers.get("Permissions-Policy", "")
        and headers.get("X-Frame-Options") == "DENY"
    )


def carries_them(path: str, headers: Mapping[str, str]) -> bool:
    """Whether these are the headers of an answer of ours."""
    return (
        headers["X-Content-Type-Options"] == "nosniff"
        and headers["Referrer-Policy"] == "same-origin"
        and headers["Cross-Origin-Resource-Policy"] == "same-origin"
        and (headers.get("Cross-Origin-Opener-Policy") == "same-origin") == (headers.get("Content-Type") not in DATA)
        and ("no-store" in headers["Cache-Control"]) == (path != FILE)
        and ("Access-Control-Allow-Origin" not in headers or path == FILE)  # WhiteNoise lets anybody read files
    )


def test_who_signs_out_leaves_nothing_in_the_browser(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("anna@example.org"))
    assert "Clear-Site-Data" not in client.get(reverse("settings")).headers
    assert client.post(reverse("account_logout")).headers["Clear-Site-Data"] == '"storage"'


def test_no_script_reads_a_cookie_and_no_other_site_sends_one(client: Client, db: None) -> None:
    """Signing in by code, with the messages on the way, sets all the cookies there are."""
    User.objects.create_user("anna@example.org")
    client.get(reverse("account_request_login_code"))
    client.post(reverse("account_request_login_code"), {"email": "anna@example.org"})
    client.get(reverse("account_confirm_login_code"))
    client.force_login(User.objects.get())
    assert set(client.cookies) == {"session", "csrf"}
    assert all(cookie["httponly"] and cookie["samesite"] == "Lax" for cookie in client.cookies.values())


def test_where_pages_are_led_on_to_https_the_api_refuses_what_comes_without_it(db: None, settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    client = Client()
    assert client.get("/tables/").headers["Location"].startswith("https://")
    refused = client.get("/api/v1/rules/")
    assert (refused.status_code, refused.headers["Content-Type"]) == (403, "application/problem+json")
    assert refused.json()["code"] == "forbidden"
    assert client.get("/healthz").status_code == 200
    assert client.get("/api/v1/rules/", headers={"X-Forwarded-Proto": "https"}).status_code == 401
