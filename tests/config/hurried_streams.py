"""A server of streams that waits half a second for a request, and tells something every tenth of a second."""

import asyncio
import sys
from typing import Any

from config import listener

listener.HEAD_SECONDS = 0.5


async def tell(_scope: Any, _receive: Any, send: Any) -> None:
    """Tells on and on."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b"a\n", "more_body": True})
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    listener.stream_server(tell, sys.argv[1], lifespan="off").run()
