"""Calls to addresses that somebody chose: to public addresses alone, never led elsewhere, over in time."""

import contextlib
import ipaddress
import os
import re
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache
from types import TracebackType
from typing import Any, ClassVar, NamedTuple, Self
from urllib.parse import urlsplit

import certifi
import requests
from django.conf import settings
from django.utils.translation import gettext_noop
from requests import RequestException
from requests_hardened.ip_filter import EXTRA_BLOCKED_NET_RANGES, InvalidIPAddress, filter_host
from urllib3 import BaseHTTPResponse, HTTPConnectionPool, HTTPSConnectionPool, PoolManager, Timeout
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, SSLError
from urllib3.exceptions import NewConnectionError as NoConnection
from urllib3.exceptions import TimeoutError as TooLate

from notifications.channels.base import ChannelError
from notifications.reasons import declare

# The two guards of an outgoing request: it reaches public addresses alone, and it ends in time whatever happens.

# Beyond what requests-hardened refuses: more ways to write an IPv4 address inside an IPv6 one, what was once local, and
# the address at which Azure serves its machines: it looks public, and is another one inside.
MORE_BLOCKED = ("::/96", "::ffff:0:0:0/96", "2001::/32", "fec0::/10", "168.63.129.16/32")
BLOCKED = (*EXTRA_BLOCKED_NET_RANGES, *map(ipaddress.ip_network, MORE_BLOCKED))
LOOK_SECONDS = 0.1  # between two looks at what is over
STEP = Timeout(connect=10.0, read=10.0)  # seconds to connect, and for each piece of the answer
_thread = threading.local()  # the connections of each thread, and the deadline it works under


class Target(NamedTuple):
    """Where an address leads: its parts as they are used. The host has no brackets."""

    scheme: str
    host: str
    port: int | None
    path: str  # and what is asked there

    @property
    def name(self) -> str:
        """The host as it is called in a request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"


class ForbiddenAddress(Exception):
    """The host stands at an address that is none of our business. No OSError: urllib3 would take it for a bad line."""


class Deadline:
    """Within `with`: after so many seconds every connection this thread sends on is shut down.

    A timeout of the socket's own starts again with every byte, so a slow drip would never end.
    """

    def __init__(self, seconds: float) -> None:
        self._watched: list[socket.socket] = []
        self._seconds = seconds
        self.end = 0.0  # by time.monotonic()
        self.is_over = False

    def __enter__(self) -> Self:
        _thread.deadline = self
        self.end = time.monotonic() + self._seconds
        self._watchdog = Watchdog.of_this_process()
        self._watchdog.watch(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watchdog.leave(self)
        _thread.deadline = None

    def watch(self, handle: socket.socket) -> None:
        """Cut this one, too."""
        self._watched.append(handle)

    def cut(self) -> None:
        """End all exchanges now."""
        self.is_over = True
        for handle in self._watched:
            with contextlib.suppress(OSError):  # closed already
                handle.shutdown(socket.SHUT_RDWR)


class Watchdog:
    """One process's watchdog: a daemon thread that cuts deadlines which are over. Timers would be a thread each."""

    _current: ClassVar["Watchdog | None"] = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._open: set[Deadline] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @classmethod
    def of_this_process(cls) -> "Watchdog":
        """Return the process's watchdog. A fork gets a new one: the parent's thread is not in it."""
        if cls._current is None or cls._current.pid != os.getpid():
            cls._current = cls()
        return cls._current

    def watch(self, deadline: Deadline) -> None:
        """Cut it when it is over; starts the thread at the first call."""
        with self._changed:
            self._open.add(deadline)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
                self._thread.start()
            self._changed.notify()

    def leave(self, deadline: Deadline) -> None:
        """From now on it is not cut any more: its connections may serve others."""
        with self._changed:
            self._open.discard(deadline)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._open))
                for deadline in self._open:
                    if deadline.end <= time.monotonic():
                        deadline.cut()
            time.sleep(LOOK_SECONDS)


def is_public(address: str) -> bool:
    """Whether an IP address (literal) belongs to the public internet, however it is written."""
    ip = ipaddress.ip_address(address.strip("[]").split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    refused = ip.is_multicast or ip.is_reserved or ip.is_unspecified or not ip.is_global
    return not refused and not any(ip.version == net.version and ip in net for net in BLOCKED)


def post(
    place: Target, body: bytes, headers: dict[str, str], *, loopback: bool, method: str = "POST"
) -> BaseHTTPResponse:
    """Post to the one address that its host is looked up as now, over a connection that is kept; it is not read yet.

    Nothing of the environment is used, no redirect is followed, nothing is tried again, and nothing is carried from
    one call to the next. To be closed by the caller, and released. Raises ForbiddenAddress, and what urllib3 raises.

    Arguments:
        loopback: to this machine as well.
        method: POST, or PATCH for what was posted before.
    """
    address = filter_host(place.host, place.port, allow_loopback=loopback)
    # The certificate is for the name, though the connection is to the address.
    named = {"assert_hostname": place.host, "server_hostname": place.host} if place.scheme == "https" else None
    pool = _kept(loopback).connection_from_host(address, place.port, place.scheme, named)
    all_headers = {"Host": place.name, **headers}
    return pool.urlopen(
        method,
        place.path,
        body,
        all_headers,
        retries=False,
        redirect=False,
        assert_same_host=False,
        timeout=STEP,
        preload_content=False,
        decode_content=False,
    )


def _kept(loopback: bool) -> PoolManager:
    key = (os.getpid(), loopback)  # a fork shares no connection with its parent
    if getattr(_thread, "key", None) != key:
        _thread.pools, _thread.key = PoolManager(cert_reqs="CERT_REQUIRED", ca_certs=certifi.where()), key
        _thread.pools.pool_classes_by_scheme = _pools(loopback)
    kept: PoolManager = _thread.pools
    return kept


class _Watched:
    """A connection to an address that may be reached, under the deadline of whoever uses it now."""

    is_loopback_allowed = False
    _handle: socket.socket | None = None  # a second one: TLS takes the first for itself

    def _new_conn(self) -> socket.socket:
        """Connect, if the address that was looked up once and for all may be reached. Raises ForbiddenAddress."""
        ip = self.host.strip("[]")  # type: ignore[attr-defined]  # of the connection that this is mixed into
        if not (is_public(ip) or (self.is_loopback_allowed and ipaddress.ip_address(ip).is_loopback)):
            raise ForbiddenAddress("not a public address")
        opened: socket.socket = super()._new_conn()  # type: ignore[misc]
        self._handle = opened.dup()
        self._watch()
        return opened

    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send, on a new connection or on one that was kept."""
        self._watch()
        super().request(*args, **kwargs)  # type: ignore[misc]

    def close(self) -> None:
        """Both handles."""
        super().close()  # type: ignore[misc]
        if self._handle is not None:
            self._handle.close()
            self._handle = None

    def _watch(self) -> None:
        deadline: Deadline | None = getattr(_thread, "deadline", None)
        if deadline is not None and self._handle is not None:
            deadline.watch(self._handle)


def _pools(loopback: bool) -> dict[str, type[Any]]:
    allowed = {"is_loopback_allowed": loopback}
    plain = type("Guarded", (_Watched, HTTPConnection), allowed)
    tls = type("GuardedTLS", (_Watched, HTTPSConnection), allowed)
    return {
        "http": type("GuardedPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("GuardedTLSPool", (HTTPSConnectionPool,), {"ConnectionCls": tls}),
    }


# Which addresses of webhooks are good, as far as an address tells by itself.

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


LARGEST_ANSWER = 64 * 1024  # bytes that are read of an answer
LATE = declare("timeout", gettext_noop("it didn't answer in time"))
UNKNOWN_NAME = declare("unknown_host", gettext_noop("its host name can't be found"))
BROKEN = declare("connection_failed", gettext_noop("the connection failed or broke off"))
FAULTS: tuple[tuple[type[Exception], str], ...] = (  # the first that fits
    (
        SSLError,
        declare("certificate", gettext_noop("its certificate is made out to another name, or it speaks no TLS")),
    ),
    (NoConnection, BROKEN),  # to urllib3 it is one that came too late
    (TooLate, LATE),
    (Exception, BROKEN),
)
WAITS = (408, 425, 429)  # "later", among the answers that otherwise mean "never"
SECONDS = re.compile(r"[0-9]{1,7}(\.[0-9]{1,6})?")


class Response(NamedTuple):
    """A response. `said` is how the body begins, empty if it is packed."""

    status: int
    retry_after: str
    said: bytes


def call(url: str, body: bytes, headers: dict[str, str], seconds: float, method: str = "POST") -> Response:
    """Post to an address, or patch what is there, and return what it answers, whatever its status.

    Raises ChannelError: for good where nothing is ever sent to the address, else for no answer within `seconds`.
    """
    if why_not := refusal(url):
        raise never(why_not)
    with Deadline(seconds) as deadline:
        try:
            answer = post(place_of(url), body, headers, loopback=settings.WEBHOOK_ALLOW_INSECURE, method=method)
            try:
                said = b""
                with contextlib.suppress(HTTPError, OSError):  # the status says it all; reading on is only polite
                    said = answer.read(LARGEST_ANSWER)
            finally:
                answer.close()  # what was not read to its end is not kept
                answer.release_conn()
            is_packed = answer.headers.get("Content-Encoding", "identity") != "identity"
            return Response(answer.status, answer.headers.get("Retry-After", ""), b"" if is_packed else said)
        except (ForbiddenAddress, InvalidIPAddress):
            raise never(NOT_PUBLIC) from None
        except (HTTPError, RequestException, OSError) as error:
            # Without its cause, which holds the address: that is a secret.
            raise ChannelError(LATE if deadline.is_over else fault_of(error)) from None


def fault_of(error: Exception) -> str:
    """Returns why a connection failed: a reason for the owner, who can mend only what he understands."""
    if isinstance(error.__cause__, socket.gaierror):
        return UNKNOWN_NAME
    return next(words for kind, words in FAULTS if isinstance(error, kind))


def never(why: str) -> ChannelError:
    """The error of an address to which nothing is ever sent."""
    return ChannelError(why, permanent=True, disables_endpoint=True, is_address=True)


def wait_asked_for(value: str, now: datetime) -> timedelta | None:
    """Read a Retry-After header: seconds (Discord's may have decimals) or a date (RFC 9110, 10.2.3).

    None if there is none, or nonsense.
    """
    if SECONDS.fullmatch(value):
        return timedelta(seconds=float(value))
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # the year may have any number of digits
        return None
    return max(timedelta(0), (date if date.tzinfo else date.replace(tzinfo=UTC)) - now)
