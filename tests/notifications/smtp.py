"""A real SMTP server on loopback that answers as a test wants it to."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.servers import free_port


@dataclass
class Server:
    """What the server heard, and what it answers. `drop` hangs up after the mail was taken in, without a word."""

    mails: list[EmailMessage] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    connections: int = 0
    rcpt: str = ""
    data: list[str] = field(default_factory=list)
    sender: str = ""
    drop: bool = False
    port: int = 0

    async def handle_EHLO(self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]) -> Any:  # noqa: N802
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        envelope.mail_from = address
        return self.sender or "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        envelope.rcpt_tos.append(address)
        return self.rcpt or "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.data.pop(0) if self.data else "250 OK"
        if answer.startswith("250"):
            self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
            self.contents.append(envelope.content)
            self.envelopes.append((envelope.mail_from, envelope.rcpt_tos))
        if self.drop:
            server.transport.abort()
        return answer


@contextlib.contextmanager
def running_smtp() -> Iterator[Server]:
    """Run a server on a port of its own."""
    handler = Server()
    handler.port = free_port()
    controller = Controller(handler, hostname="127.0.0.1", port=handler.port)
    controller.start()
    try:
        yield handler
    finally:
        controller.stop()
