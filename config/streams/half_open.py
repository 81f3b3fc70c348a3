"""Ends connections whose request does not come: each holds a file of the process that holds all streams."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from gunicorn.workers.gasgi import ASGIWorker

HEAD_SECONDS = 10.0  # until the head of a request has come
Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]

_heard: set[tuple[str, int]] = set()
"""Whose request has come, by host and port, for so many seconds."""


class BoundedStreams(ASGIWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Gunicorn's worker of ASGI, whose connections must send a request soon. Its own waits without end."""

    def run(self) -> None:
        """Serves, with each connection watched: Gunicorn has no setting for that, but leaves the loop to its worker."""
        create_server = self.loop.create_server

        async def create_watched(factory: Callable[[], asyncio.Protocol], **options: object) -> object:
            return await create_server(lambda: _watched(factory()), **options)

        self.loop.create_server = create_watched
        super().run()


def _watched(protocol: asyncio.Protocol) -> asyncio.Protocol:
    connection_made = protocol.connection_made

    def begin(transport: asyncio.BaseTransport) -> None:
        connection_made(transport)
        asyncio.get_running_loop().call_later(HEAD_SECONDS, _end_if_silent, transport)

    protocol.connection_made = begin  # type: ignore[method-assign]
    return protocol


def _end_if_silent(transport: asyncio.BaseTransport) -> None:
    client = (transport.get_extra_info("peername") or ("", 0))[:2]
    if client in _heard:
        _heard.discard(client)
    else:
        transport.close()


def noting(application: Application) -> Application:
    """The application, which notes that a request has come."""

    async def noted(scope: MutableMapping[str, Any], receive: object, send: object) -> None:
        if scope["type"] == "http" and scope["client"]:
            _heard.add(tuple(scope["client"][:2]))
        await application(scope, receive, send)

    return noted
