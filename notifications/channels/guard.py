"""The two guards of an outgoing request: it reaches public addresses alone, and it ends in time whatever happens."""

import contextlib
import ipaddress
import socket
import threading
from types import TracebackType
from typing import Any, Self

from requests_hardened import HTTPSession
from requests_hardened.config import Config
from requests_hardened.ip_filter import EXTRA_BLOCKED_NET_RANGES
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

# Beyond what requests-hardened refuses: more ways to write an IPv4 address inside an IPv6 one, and what was once local.
MORE_BLOCKED = ("::/96", "::ffff:0:0:0/96", "2001::/32", "fec0::/10")
BLOCKED = (*EXTRA_BLOCKED_NET_RANGES, *map(ipaddress.ip_network, MORE_BLOCKED))
STEP_TIMEOUT = 10.0  # seconds to connect, and for each piece of the answer


class ForbiddenAddress(Exception):
    """The host stands at an address that is none of our business. No OSError: urllib3 would take it for a bad line."""


class Deadline:
    """Within `with`: after so many seconds every socket opened under this deadline is shut down.

    A timeout of the socket's own starts again with every byte, so a slow drip would never end.
    """

    def __init__(self, seconds: float) -> None:
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self.cut)
        self._timer.daemon = True
        self.is_over = False

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        for watched in self._sockets:
            watched.close()

    def watch(self, opened: socket.socket) -> None:
        """Keep a second handle of a socket: TLS takes the first one for itself."""
        self._sockets.append(opened.dup())

    def cut(self) -> None:
        """End all exchanges now."""
        self.is_over = True
        for watched in self._sockets:
            with contextlib.suppress(OSError):  # closed already
                watched.shutdown(socket.SHUT_RDWR)


def is_public(address: str) -> bool:
    """Whether an IP address (literal) belongs to the public internet, however it is written."""
    ip = ipaddress.ip_address(address.strip("[]").split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    refused = ip.is_multicast or ip.is_reserved or ip.is_unspecified or not ip.is_global
    return not refused and not any(ip.version == net.version and ip in net for net in BLOCKED)


def session(deadline: Deadline, *, loopback: bool) -> HTTPSession:
    """Return a session for one request under a deadline. With `loopback` this machine may be reached as well."""
    config = Config(
        ip_filter_enable=True,
        ip_filter_allow_loopback_ips=loopback,
        never_redirect=True,
        default_timeout=(STEP_TIMEOUT, STEP_TIMEOUT),
    )
    guarded = HTTPSession(config)
    guarded.trust_env = False  # a proxy or a password from the environment would go around the filter
    for adapter in guarded.adapters.values():
        adapter.poolmanager.pool_classes_by_scheme = _pools(deadline, loopback)
    return guarded


def _pools(deadline: Deadline, loopback: bool) -> dict[str, type[Any]]:
    class Guarded(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return _guarded(self, super()._new_conn, deadline, loopback)

    class GuardedTLS(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return _guarded(self, super()._new_conn, deadline, loopback)

    plain = type("GuardedPool", (HTTPConnectionPool,), {"ConnectionCls": Guarded})
    tls = type("GuardedTLSPool", (HTTPSConnectionPool,), {"ConnectionCls": GuardedTLS})
    return {"http": plain, "https": tls}


def _guarded(connection: HTTPConnection, connect: Any, deadline: Deadline, loopback: bool) -> socket.socket:
    """Connect, if the address that was looked up once and for all may be reached. Raises ForbiddenAddress."""
    ip = connection.host.strip("[]")
    if not (is_public(ip) or (loopback and ipaddress.ip_address(ip).is_loopback)):
        raise ForbiddenAddress("not a public address")
    opened: socket.socket = connect()
    deadline.watch(opened)
    return opened
