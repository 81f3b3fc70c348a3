"""The server of account streams: an ASGI application that holds many connections in one process.

Django answers the request as in every web process, so that tokens, limits and refusals are the same. A stream is then
held by the hub instead of a thread.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, TypeAlias

from asgiref.wsgi import WsgiToAsgi

from games.api.streams.holding import Wanted, holder
from games.api.streams.hub import Hub, OpenStream

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

MOST_WAITING = 200  # pieces that a client may be behind; then its stream ends, and it comes back
ELSEWHERE = {
    "type": "about:blank",
    "title": HTTPStatus.NOT_FOUND.phrase,
    "status": HTTPStatus.NOT_FOUND,
    "code": "not-found",
    "detail": "Only the events of an account are here.",
}


class StreamServer:
    """The ASGI application.

    Arguments:
        django: the WSGI application that answers the requests.
        path: the address of the events; everything else is not found.
        hub: feeds the streams; it starts and stops with the server.
    """

    def __init__(self, django: Callable[..., Any], path: str, hub: Hub) -> None:
        self._django = WsgiToAsgi(django)  # type: ignore[no-untyped-call]  # it has no types
        self._path = path
        self._hub = hub

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request, or follows the life of the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and scope["path"] == self._path:
            await _Connection(self._hub, send).answer(self._django, scope, receive)
        elif scope["type"] == "http":
            await _refuse(send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._hub.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await asyncio.to_thread(self._hub.stop)
                await send({"type": "lifespan.shutdown.complete"})
                return


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/problem+json")]
    await send({"type": "http.response.start", "status": HTTPStatus.NOT_FOUND, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(ELSEWHERE).encode()})


class _Connection:
    """One request, and the stream that it may become."""

    def __init__(self, hub: Hub, send: Send) -> None:
        self._hub = hub
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._held: OpenStream | None = None
        self._is_over = False

    def hold(self, wanted: Wanted) -> bool:
        """Takes the stream; called in Django's thread, which goes on though the client has left meanwhile."""
        held = OpenStream(wanted, self._put)
        if not self._hub.add(held):
            return False
        self._held = held
        if self._is_over:
            self._hub.remove(held)
        return True

    async def answer(self, django: WsgiToAsgi, scope: Message, receive: Receive) -> None:
        """Sends what Django answers, and then the stream until it or the client ends."""
        holder.set(self)  # of this request's own context
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]  # no packed streams
        try:
            await django({**scope, "headers": plain}, receive, self._pass_on)
            if self._held is not None:
                await self._stream(receive)
        finally:
            self._is_over = True
            if self._held is not None:
                self._hub.remove(self._held)

    async def _pass_on(self, message: Message) -> None:
        """Sends a part of Django's answer; where a stream is held, its last part is not the last of all."""
        if message["type"] == "http.response.body" and self._held is not None:
            message = {**message, "more_body": True}
        await self._send(message)

    async def _stream(self, receive: Receive) -> None:
        gone = self._loop.create_task(self._wait_until_gone(receive))
        try:
            while (piece := await self._pieces.get()) is not None:
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            with suppress(OSError):  # it may be the client that has ended it
                await self._send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()

    async def _wait_until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._pieces.put_nowait(None)

    def _put(self, piece: bytes | None) -> None:
        """Called in the hub's thread."""
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._queue, piece)

    def _queue(self, piece: bytes | None) -> None:
        self._pieces.put_nowait(None if self._pieces.qsize() > MOST_WAITING else piece)
