"""The two guards of an outgoing request: it reaches public addresses alone, and it ends in time whatever happens."""

import contextlib
import ipaddress
import os
import socket
import threading
import time
from http.cookiejar import DefaultCookiePolicy
from types import TracebackType
from typing import Any, ClassVar, Self

from requests_hardened import HTTPSession
from requests_hardened.config import Config
from requests_hardened.ip_filter import EXTRA_BLOCKED_NET_RANGES
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

# Beyond what requests-hardened refuses: more ways to write an IPv4 address inside an IPv6 one, what was once local, and
# the address at which Azure serves its machines: it looks public, and is another one inside.
MORE_BLOCKED = ("::/96", "::ffff:0:0:0/96", "2001::/32", "fec0::/10", "168.63.129.16/32")
BLOCKED = (*EXTRA_BLOCKED_NET_RANGES, *map(ipaddress.ip_network, MORE_BLOCKED))
LOOK_SECONDS = 0.1  # between two looks at what is over
STEP_TIMEOUT = 10.0  # seconds to connect, and for each piece of the answer
_thread = threading.local()  # the session of each thread, and the deadline it works under


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


def session(*, loopback: bool) -> HTTPSession:
    """Return this thread's session, which keeps its connections; with `loopback` to this machine as well."""
    key = (os.getpid(), loopback)  # a fork shares no connection with its parent
    if getattr(_thread, "key", None) != key:
        _thread.session, _thread.key = _new_session(loopback), key
    kept: HTTPSession = _thread.session
    return kept


def _new_session(loopback: bool) -> HTTPSession:
    config = Config(
        ip_filter_enable=True,
        ip_filter_allow_loopback_ips=loopback,
        never_redirect=True,
        default_timeout=(STEP_TIMEOUT, STEP_TIMEOUT),
    )
    guarded = HTTPSession(config)
    guarded.trust_env = False  # a proxy or a password from the environment would go around the filter
    guarded.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # nothing is carried from one call to the next
    for adapter in guarded.adapters.values():
        adapter.poolmanager.pool_classes_by_scheme = _pools(loopback)
    return guarded


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
