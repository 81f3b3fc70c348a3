"""Which addresses of webhooks are good, as far as an address tells by itself.

What its name leads to is another question, which is asked at each connection (`guard`).
"""

import ipaddress
import socket
from functools import lru_cache
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.utils.translation import gettext_noop

from notifications.channels.guard import Target, is_public
from notifications.reasons import declare

MOST_KEPT = 500  # addresses whose verdict is kept: the same few are called again and again
PORTS = (None, 443, 8443)
NO_ADDRESS = declare("malformed_address", gettext_noop("that isn't a web address"))
NOT_PUBLIC = declare("private_address", gettext_noop("its host has no public address"))
HAS_PASSWORD = declare("password_in_address", gettext_noop("its address contains a user name or password"))
NOT_HTTPS = declare("not_https", gettext_noop("its address doesn't begin with https"))
WRONG_PORT = declare("port", gettext_noop("its port is neither 443 nor 8443"))
INNER_NAMES = ("localhost", "local", "internal", "home.arpa")  # RFC 6761, RFC 6762, ICANN, RFC 8375: never public


def refusal(url: str) -> str:
    """Return why nothing will be sent to an address, or "": a reason (`notifications.reasons`).

    Judged as it was written, and as it will be used: two readers of addresses may differ, and either may be fooled.
    """
    return _judged(url, settings.WEBHOOK_ALLOW_INSECURE)


@lru_cache(maxsize=MOST_KEPT)
def _judged(url: str, is_tried_out: bool) -> str:
    try:
        return _refusal_of(url, is_tried_out) or _refusal_of(_as_used(url), is_tried_out)
    except ValueError:  # all of requests' complaints about an address are
        return NO_ADDRESS


def _as_used(url: str) -> str:
    return requests.Request("POST", url).prepare().url or ""


@lru_cache(maxsize=MOST_KEPT)
def place_of(url: str) -> Target:
    """Where a good address leads. Raises ValueError for what is none."""
    request = requests.Request("POST", url).prepare()
    parts = urlsplit(request.url or "")
    return Target(parts.scheme, parts.hostname or "", parts.port, request.path_url)


def _refusal_of(url: str, is_tried_out: bool) -> str:
    """Raises ValueError for what is no address."""
    parts = urlsplit(url)
    if not parts.hostname:
        return NO_ADDRESS
    if parts.username is not None or parts.password is not None:
        return HAS_PASSWORD
    if parts.scheme != "https" and not (is_tried_out and parts.scheme == "http"):
        return NOT_HTTPS
    if parts.port not in PORTS and not is_tried_out:
        return WRONG_PORT
    return "" if _may_be_public(parts.hostname) or (is_tried_out and _is_this_machine(parts.hostname)) else NOT_PUBLIC


def _may_be_public(host: str) -> bool:
    """Raises ValueError for what is no host."""
    literal = _literal(host)
    if literal:
        return is_public(literal)
    name = host.removesuffix(".")
    name.encode("idna")  # as the resolver will: it fails for labels that are empty or too long
    return "." in name and not f".{name}".endswith(tuple(f".{inner}" for inner in INNER_NAMES))


def _is_this_machine(host: str) -> bool:
    literal = _literal(host)
    return ipaddress.ip_address(literal).is_loopback if literal else host.removesuffix(".") == "localhost"


def _literal(host: str) -> str:
    """The IP address that a host is, in the usual spelling; "" for a name."""
    if ":" in host:
        ipaddress.IPv6Address(host)
        return host
    try:
        return socket.inet_ntoa(socket.inet_aton(host))  # the system's own reading: decimal, octal, hex, fewer parts
    except OSError:
        return ""
