"""Mails as they come in: through our own mail server, in a real conversation, with the line ends of SMTP."""

import asyncio
import smtplib
import threading
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from notifications.inbound.parsing import ParsedMail, parse_mail


@dataclass
class Recorder:
    """Parses what the server takes, and stores nothing."""

    mails: list[ParsedMail] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.sizes.append(len(envelope.content))
        self.mails.append(parse_mail(envelope.content, (envelope.mail_from or "").strip("<>")))
        return "250 OK"


@cache
def _server() -> tuple[int, Recorder]:
    """The port of a server that lives as long as the tests."""
    from notifications.inbound import listener  # not above: `test_reading` measures without a Django that is set up

    recorder, ready, ports = Recorder(), threading.Event(), []

    def opened(port: int) -> None:
        ports.append(port)
        ready.set()

    serving = listener.serve("smtp://127.0.0.1:0", opened, recorder)
    threading.Thread(target=lambda: asyncio.run(serving), daemon=True).start()
    assert ready.wait(10)
    return ports[0], recorder


_conversations: list[smtplib.SMTP] = []


def connection() -> tuple[smtplib.SMTP, Recorder]:
    """A conversation with it: a new one where the server has ended the last, after a minute's silence or ten in all."""
    port, recorder = _server()
    if not _conversations or not _is_open(_conversations[-1]):
        _conversations[:] = [smtplib.SMTP("127.0.0.1", port)]
    return _conversations[-1], recorder


def _is_open(smtp: smtplib.SMTP) -> bool:
    try:
        return smtp.noop()[0] == 250
    except smtplib.SMTPServerDisconnected:
        return False


def hear(content: bytes, sender: str = "anna@example.org") -> ParsedMail:
    """Send a mail, whose lines may end as on this machine; returns what is heard in it."""
    smtp, recorder = connection()
    smtp.sendmail(sender, ["reply@play.example.org"], content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    return recorder.mails.pop()
