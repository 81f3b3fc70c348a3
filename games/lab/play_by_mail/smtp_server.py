"""An SMTP server on loopback that keeps the emails it receives, in order of arrival."""

import asyncio
import logging
import queue
import socket
import threading
from types import TracebackType
from typing import Self

from aiosmtpd.smtp import SMTP, Envelope, Session

from games.lab.play_by_mail.received_email import ReceivedEmail

LARGEST = 5_000_000  # bytes of one mail
START_SECONDS = STOP_SECONDS = 5.0
logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's: every line of every conversation


class SmtpServer:
    """An SMTP server in a thread of its own, from `start` (or entering `with`) to `stop`.

    Arguments:
        port: 0 takes any free one.
    """

    def __init__(self, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = int(self._listener.getsockname()[1])
        self.emails: list[ReceivedEmail] = []
        self._arrived: queue.SimpleQueue[ReceivedEmail] = queue.SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._is_open = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="smtp_server", daemon=True)

    @property
    def url(self) -> str:
        """What EMAIL_URL must be for mails to arrive here."""
        return f"smtp://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts to accept emails. Raises TimeoutError."""
        self._thread.start()
        if not self._is_open.wait(START_SECONDS):
            raise TimeoutError("the SMTP server does not start")

    def stop(self) -> None:
        """Stops the server; received emails stay readable."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(STOP_SECONDS)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def receive(self, timeout: float) -> ReceivedEmail | None:
        """The next mail, or None if none arrived for `timeout` seconds."""
        try:
            return self._arrived.get(timeout=timeout)
        except queue.Empty:
            return None

    def put(self, email: ReceivedEmail) -> None:
        """Stores one email."""
        self.emails.append(email)
        self._arrived.put(email)

    def requeue(self, email: ReceivedEmail) -> None:
        """Puts an email back that was received too early."""
        self._arrived.put(email)

    def _serve(self) -> None:
        server = self._loop.run_until_complete(self._loop.create_server(self._conversation, sock=self._listener))
        self._loop.call_soon(self._is_open.set)
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()

    def _conversation(self) -> SMTP:
        return SMTP(
            _MailHandler(self), data_size_limit=LARGEST, enable_SMTPUTF8=True, hostname="localhost", loop=self._loop
        )


class _MailHandler:
    """What aiosmtpd calls at the end of each mail."""

    def __init__(self, smtp_server: SmtpServer) -> None:
        self._server = smtp_server

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  aiosmtpd's name
        """Keeps the mail, once for each of its recipients."""
        content = envelope.content or b""
        for recipient in envelope.rcpt_tos:
            self._server.put(ReceivedEmail.read(recipient, content if isinstance(content, bytes) else content.encode()))
        return "250 OK"
