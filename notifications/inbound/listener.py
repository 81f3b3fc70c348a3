"""A small mail server of our own, for one machine or behind a Postfix: SMTP or LMTP (RFC 2033), for answers alone.

It takes mail for addresses that we made and for no other, one recipient at a time, so that every answer to the sending
server is about one mail. It speaks no TLS and asks for no password: it is for this machine, or a net of one's own.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import Error as DatabaseTrouble
from django.db import close_old_connections

from notifications.clock import present
from notifications.inbound import raw, receiving

log = logging.getLogger(__name__)
logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's: every line of every conversation, addresses too
TIMEOUT = 60.0  # seconds of silence after which a conversation ends
LONGEST = 600.0  # seconds after which one ends however busy it is: nobody keeps a connection by a word a minute
ALIVE = 256 * 1024  # bytes of a mail that must come within it


class SmtpHandler:
    """Handles an SMTP conversation for aiosmtpd; the answers are those of RFC 5321 and RFC 3463."""

    async def handle_RCPT(  # noqa: N802  aiosmtpd's
        self, server: SMTP, session: Session, envelope: Envelope, address: str, rcpt_options: list[str]
    ) -> str:
        """Refuses what is no address of ours, and a second recipient for now."""
        if envelope.rcpt_tos:
            return "452 4.5.3 One recipient at a time, please"
        try:
            if not await asyncio.to_thread(_fresh, receiving.is_known, address):
                return "550 5.1.1 There is no such address, or not any more"
        except DatabaseTrouble:
            log.exception("An address could not be looked up")
            return "451 4.3.0 Please try again later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Stores the mail before it says that it has it."""
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        try:
            await asyncio.to_thread(
                _fresh, _take, content, envelope.rcpt_tos[0], (envelope.mail_from or "").strip("<>")
            )
        except raw.MailRefused as error:
            return _refusal(error)
        except Exception:  # nobody's mail is lost by an error of ours: the sending server keeps it and comes again
            log.exception("A mail could not be stored")
            return "451 4.3.0 Please try again later"
        return "250 2.0.0 OK"


def _refusal(error: raw.MailRefused) -> str:
    return f"{'552 5.3.4' if isinstance(error, raw.MailTooLarge) else '554 5.6.0'} Not taken: {error}"


class ReplySmtp(SMTP):
    """Reduces a mail while it comes in, so that its attachments take no memory; lines may be of any length.

    aiosmtpd collects a whole mail before it hands it on. What is used of it here has no public name.
    """

    line_length_limit = 64 * 1024  # of what is read at once

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802  aiosmtpd's
        """Takes a mail, and answers it. One that is refused is read to its end first (RFC 5321, 4.2.5)."""
        if await self.check_helo_needed():
            return
        if self.envelope is None or not self.envelope.rcpt_tos:
            await self.push("503 Error: need RCPT command")
        elif arg:
            await self.push("501 Syntax: DATA")
        else:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            try:
                self.envelope.content = await self._read_mail()
                answer = await self.event_handler.handle_DATA(self, self.session, self.envelope)
            except raw.MailRefused as error:
                answer = _refusal(error)
            self._set_post_data_state()  # type: ignore[no-untyped-call]
            await self.push(answer)

    async def _read_mail(self) -> bytes:
        """The reduced mail. Raises raw.MailRefused once all of it has come."""
        reducer, refusal, size = raw.Reducer(), None, 0
        is_begun = False
        while (piece := await self._read_piece()) != b".\r\n" or is_begun:
            if piece.startswith(b".") and not is_begun:
                piece = piece[1:]  # RFC 5321, 4.5.2
            is_begun = not piece.endswith(b"\n")
            size += len(piece)
            if size > ALIVE:
                size = 0
                self._reset_timeout()
            try:
                if refusal is None:
                    reducer.feed(piece)
            except raw.MailRefused as error:
                refusal = error
        if refusal:
            raise refusal
        return reducer.close()

    async def _read_piece(self) -> bytes:
        """A line, or as much of one as fits."""
        try:
            return await self._reader.readuntil(b"\r\n")
        except asyncio.LimitOverrunError as error:
            return await self._reader.read(error.consumed)


class ReplyLmtp(ReplySmtp, LMTP):
    """The same by LMTP."""


def _take(content: bytes, to: str, envelope_sender: str) -> None:
    receiving.receive(content=content, to=to, envelope_sender=envelope_sender, now=present.now())


def _fresh(work: Callable[..., bool | None], *args: object) -> bool | None:
    """Do it with a database connection that works: threads are kept, and a server may have hung up meanwhile."""
    close_old_connections()
    try:
        return work(*args)
    finally:
        close_old_connections()


def parse(url: str) -> tuple[type[SMTP], str, int]:
    """Protocol, host and port of an address such as "lmtp://127.0.0.1:8024". Raises ValueError."""
    parts = urlsplit(url)
    kinds: dict[str, type[SMTP]] = {"smtp": ReplySmtp, "lmtp": ReplyLmtp}
    if parts.scheme not in kinds or not parts.hostname or parts.port is None:
        raise ValueError(f"MAIL_LISTEN must be like lmtp://127.0.0.1:8024, not {url!r}")
    return kinds[parts.scheme], parts.hostname, parts.port


def _hang_up(conversation: SMTP) -> None:
    if conversation.transport is not None:
        conversation.transport.close()


async def serve(url: str, ready: Callable[[int], None], handler: object = None) -> None:
    """Take mails until cancelled. Raises ValueError, OSError.

    Arguments:
        ready: is told the port when it listens.
        handler: what aiosmtpd calls; SmtpHandler unless another is given.
    """
    protocol, host, port = parse(url)
    handler = handler or SmtpHandler()
    loop = asyncio.get_running_loop()

    def conversation() -> SMTP:
        connection = protocol(
            handler,
            data_size_limit=raw.LARGEST,
            enable_SMTPUTF8=True,
            hostname=socket.gethostname(),
            ident="Caravanserai",
            timeout=TIMEOUT,
            loop=loop,
        )
        connection.command_size_limit = 1024
        loop.call_later(LONGEST, _hang_up, connection)
        return connection

    server = await loop.create_server(conversation, host, port)
    async with server:
        ready(int(server.sockets[0].getsockname()[1]))
        await server.serve_forever()
