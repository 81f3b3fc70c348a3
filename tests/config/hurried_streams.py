"""A server of streams that waits half a second for a request, and tells something every tenth of a second."""

import asyncio
from typing import Any

from config.streams import half_open

worker_class, keepalive, asgi_lifespan = half_open.BoundedStreams, 0, "off"
graceful_timeout = 1  # its stream would go on for all of Gunicorn's 30 seconds
half_open.HEAD_SECONDS = 0.5


async def tell(_scope: Any, _receive: Any, send: Any) -> None:
    """Tells on and on."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"a\n", "more_body": True})
        await asyncio.sleep(0.1)


application = half_open.noting(tell)
