"""The process that listens for programs that follow their games, and for replies: `python -m config.listener`.

One asyncio loop serves them all, where EVENTS_LISTEN and MAIL_LISTEN say; a thread reads REPLY_MAILBOX, another one
answers `/healthz`. It writes no heartbeat: an outage is what players notice, and they play without it.
"""

import asyncio
import gc
import logging
import os
import resource
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_FILES = 4096
CUT_SECONDS = 1  # a stream ends by being cut off: its client comes back with the last id it has
HEAD_SECONDS = 10.0  # until the head of a request has come
Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]

logger = logging.getLogger(__name__)

# The server of streams, whose connections must send a request soon: each holds a file of this process.

_asked: set[tuple[str, int]] = set()
"""Connections whose request has come, by host and port."""


class BoundedStreams(H11Protocol):
    """Uvicorn's protocol of HTTP, which ends a connection whose request does not come. Its own waits without end."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as Uvicorn has it
        """A client has connected."""
        super().connection_made(transport)
        asyncio.get_running_loop().call_later(HEAD_SECONDS, _end_if_silent, transport)


def _end_if_silent(transport: asyncio.Transport) -> None:
    client = (transport.get_extra_info("peername") or ("", 0))[:2]
    if client in _asked:
        _asked.discard(client)
    else:
        transport.close()


def noting(application: Application) -> Application:
    """The application, which notes that a request has come."""

    async def noted(scope: MutableMapping[str, Any], receive: object, send: object) -> None:
        if scope["type"] == "http" and scope["client"]:
            _asked.add(tuple(scope["client"][:2]))
        await application(scope, receive, send)

    return noted


def stream_server(application: Application, address: str, lifespan: str = "on") -> uvicorn.Server:
    """The server of an ASGI application at "host:port", with one request a connection: no second one is waited for."""
    place = urlsplit(f"//{address}")
    config = uvicorn.Config(
        noting(application),
        host=place.hostname or "127.0.0.1",
        port=place.port or 0,
        http=BoundedStreams,
        ws="none",
        interface="asgi3",
        lifespan=lifespan,  # type: ignore[arg-type]  # a literal of Uvicorn's
        log_config=None,
        log_level="warning",
        access_log=False,  # addresses hold tokens
        proxy_headers=False,  # Django reads them
        server_header=False,
        timeout_keep_alive=0,
        timeout_graceful_shutdown=CUT_SECONDS,
    )
    return uvicorn.Server(config)


# All of it.


def main() -> int:
    """Listens until it is told to end; returns the exit status."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.streams.settings"
    django_application = get_wsgi_application()  # first: models cannot be imported before
    from config import health_port
    from config.database import former, limits

    try:
        former.connect_once()
        limits.limit_process()
        _allow_connections()
        if address := os.environ.get("HEALTH_LISTEN"):  # its own, where the settings are those of several processes
            health_port.start(address)
        asyncio.run(listen(django_application))
    except (ImproperlyConfigured, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


async def listen(django_application: Callable[..., Any]) -> None:
    """Listens until a signal ends it.

    Raises ValueError for an address that is none, OSError for one at which nothing can listen, ImproperlyConfigured
    where none is set.
    """
    from django.conf import settings
    from django.urls import reverse

    from games.api.stream_server import Hub, StreamServer
    from notifications.inbound import listener, mailbox

    ends, stopping = asyncio.Event(), threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):  # Uvicorn hands them on when it has ended
        asyncio.get_running_loop().add_signal_handler(number, ends.set)
    works: list[asyncio.Future[Any]] = []
    streams = None
    if settings.EVENTS_LISTEN not in ("", "off"):
        streams = stream_server(
            StreamServer(django_application, reverse("api_my_events"), Hub()), settings.EVENTS_LISTEN
        )
        works.append(asyncio.ensure_future(streams.serve()))
    if settings.REPLY_ADDRESS or settings.BOUNCE_ADDRESS:
        if settings.MAIL_LISTEN:
            ready = partial(logger.info, "listening for mail on port %s")
            works.append(asyncio.ensure_future(listener.serve(settings.MAIL_LISTEN, ready)))
        if settings.REPLY_MAILBOX:
            place = mailbox.parse(settings.REPLY_MAILBOX)
            works.append(asyncio.ensure_future(asyncio.to_thread(mailbox.read, place, stopping)))
    elif settings.MAIL_LISTEN or settings.REPLY_MAILBOX:
        logger.warning("neither REPLY_ADDRESS nor BOUNCE_ADDRESS is set: nobody could write to us")
    if not works:
        raise ImproperlyConfigured("Neither EVENTS_LISTEN, MAIL_LISTEN nor REPLY_MAILBOX is set: nobody would come.")
    gc.collect()
    gc.freeze()
    works.append(asyncio.ensure_future(ends.wait()))
    done, left = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
    stopping.set()
    if streams is not None:
        streams.should_exit = True
    for work in left:
        if streams is None or work is not works[0]:
            work.cancel()
    for work in [*done, *left]:
        with suppress(asyncio.CancelledError):
            await work


def _allow_connections() -> None:
    """Raises how many files and connections the process may have open, if it is allowed to."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


if __name__ == "__main__":
    sys.exit(main())
