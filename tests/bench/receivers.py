"""A mail server and a web server on loopback, in a process of their own, which take everything and keep nothing.

`python -m tests.bench.receivers` prints their two ports and ends when its input does.
"""

import asyncio
import contextlib
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiosmtpd.smtp import SMTP

LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
HEAD_END = b"\r\n\r\n"
ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"


@dataclass(frozen=True)
class Receivers:
    """Where they listen, and their process."""

    pid: int
    mail_port: int
    web_port: int


@contextlib.contextmanager
def receiving() -> Iterator[Receivers]:
    """Runs both."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            mail_port, web_port = map(int, process.stdout.readline().split())
            yield Receivers(process.pid, mail_port, web_port)
        finally:
            process.stdin.close()


class Mails:
    """What aiosmtpd calls."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        return "250 2.0.0 Taken"


class Hooks(asyncio.Protocol):
    """As much of HTTP/1.1 as a POST on a kept connection needs: `http.server` would cost more than what it measures."""

    def __init__(self) -> None:
        self._waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        while (end := self._end_of_request()) is not None:
            self._waiting = self._waiting[end:]
            self._transport.write(ANSWER)

    def _end_of_request(self) -> int | None:
        head = self._waiting.find(HEAD_END)
        if head < 0:
            return None
        found = LENGTH.search(self._waiting, 0, head)
        end = head + len(HEAD_END) + (int(found[1]) if found else 0)
        return end if end <= len(self._waiting) else None


async def main() -> None:
    """Listens until nobody writes to its input any more."""
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's: every line of every conversation
    loop = asyncio.get_running_loop()
    mails = await loop.create_server(lambda: SMTP(Mails(), hostname="127.0.0.1"), "127.0.0.1", 0)
    hooks = await loop.create_server(Hooks, "127.0.0.1", 0)
    print(*(server.sockets[0].getsockname()[1] for server in (mails, hooks)), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
