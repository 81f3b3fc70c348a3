"""Recognises browsers from which a person has signed in before, by a cookie without personal data.

A sign-in from another browser is reported to him by email.
"""

import ipaddress

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from games import links
from games.moderation import duplicate_accounts
from games.people import alerts
from games.people.models import User
from notifications.channels.mail import suppressions
from notifications.clock import present

COOKIE = "__Host-browser" if settings.IS_PRODUCTION else "browser"
PURPOSE = "browser"  # what the cookie's tokens are signed for
MOST = 5  # people of one browser who are remembered
YEAR = 365 * 24 * 3600
JOINED_NOW = 3600  # seconds in which a new account's first sign-ins are its owner's
SEPARATOR = "."

# What a browser says of itself begins with others' names: the first that is found counts.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def on_sign_in(sender: object, request: HttpRequest, user: User, **kwargs: object) -> None:
    """Notifies the owner of the account of a sign-in from a browser that was not used before."""
    if "REMOTE_ADDR" not in request.META:
        return  # a program's own doing, not a request
    now = present.now()
    suppressions.lift_erased(user.email)
    duplicate_accounts.record_sign_in(
        user=user, address=address_of(request), browser=request.headers.get("User-Agent", ""), now=now
    )
    if not is_known(request, user) and (now - user.date_joined).total_seconds() > JOINED_NOW:
        browser, system = device_of(request)
        alerts.signed_in(user=user, browser=browser, system=system, network=network_of(request), now=now)
    request.browser_of = user  # type: ignore[attr-defined]  # read by the middleware that has the answer


def is_known(request: HttpRequest, user: User) -> bool:
    """Returns whether the browser has our cookie for this person, set since his last change of password."""
    return any(links.is_signed(token, PURPOSE, *_facts(user)) for token in _tokens(request))


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Sets the cookie of a browser after a sign-in."""
    user = getattr(request, "browser_of", None)
    if user is None:
        return
    mine = links.sign(PURPOSE, *_facts(user))
    tokens = [mine, *(token for token in _tokens(request) if token != mine)][:MOST]
    response.set_cookie(
        COOKIE,
        SEPARATOR.join(tokens),
        max_age=YEAR,
        secure=settings.IS_PRODUCTION,
        httponly=True,
        samesite="Lax",
    )


def device_of(request: HttpRequest) -> tuple[str, str]:
    """Returns the names of the browser and its operating system, "" where unknown."""
    agent = request.headers.get("User-Agent", "")
    return _first(BROWSERS, agent), _first(SYSTEMS, agent)


def network_of(request: HttpRequest) -> str:
    """Returns the first part of the network address of a request; "" if it is unknown."""
    return network(address_of(request))


def address_of(request: HttpRequest) -> str:
    """Returns the network address of a request; "" if it is unknown."""
    try:
        return str(get_adapter(request).get_client_ip(request) or "")
    except PermissionDenied:  # nobody knows it, for the proxy in front of us does not say
        return ""


def network(address: str) -> str:
    """Returns the first part of a network address: three of four numbers, or three of eight groups; "" for none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(found, "ipv4_mapped", None) or found
    if mapped.version == 4:
        return ".".join(str(mapped).split(".")[:3]) + "."
    return ":".join(group.lstrip("0") or "0" for group in mapped.exploded.split(":")[:3]) + ":"


def _facts(user: User) -> tuple[object, ...]:
    return (user.pk, user.get_session_auth_hash())


def _tokens(request: HttpRequest) -> list[str]:
    return request.COOKIES.get(COOKIE, "")[: MOST * (links.TOKEN_LENGTH + 1)].split(SEPARATOR)


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in names if mark in agent), "")
