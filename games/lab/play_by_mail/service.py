"""An SMTP server on loopback that keeps the emails it receives, in order of arrival."""

import asyncio
import logging
import os
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from aiosmtpd.smtp import SMTP, Envelope, Session

from config.launcher.children import TROUBLE
from config.launcher.service import Service
from games.lab.play_by_mail import audit
from games.lab.play_by_mail.audit import StoredGame
from games.lab.play_by_mail.person import ReceivedEmail, RunFailed

LARGEST = 5_000_000  # bytes of one mail
SMTP_START_SECONDS = STOP_SECONDS = 5.0
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
        """Returns the EMAIL_URL with which mails arrive here."""
        return f"smtp://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Starts to accept emails. Raises TimeoutError."""
        self._thread.start()
        if not self._is_open.wait(SMTP_START_SECONDS):
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
    """Receives each mail from aiosmtpd."""

    def __init__(self, smtp_server: SmtpServer) -> None:
        self._server = smtp_server

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  aiosmtpd's name
        """Keeps the mail, once for each of its recipients."""
        content = envelope.content or b""
        for recipient in envelope.rcpt_tos:
            self._server.put(ReceivedEmail.read(recipient, content if isinstance(content, bytes) else content.encode()))
        return "250 OK"


# A private service for one run, with its own folder, port, pace and mail server, which is removed afterwards.

ROOT = Path(__file__).resolve().parents[3]
PACE = "blitz"
SETTLE_SECONDS = 75.0  # for the last mails: a killed worker's come back when its lease has lapsed
LOOK_SECONDS = 4.0  # each look is a process of its own, and takes a core for two
START_SECONDS = 120.0  # a few when all is well; a machine may be busy
TICK_SECONDS = "0.5"  # deadlines of seconds want a clock that looks often


class PrivateService:
    """A running private service, and commands in its environment."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.url = service.url

    def facts(self, ref: str) -> StoredGame:
        """Reads a game from the database. Raises RunFailed if it cannot be read."""
        done = self.manage("play_by_mail", "--facts", ref)
        if done.returncode:
            raise RunFailed(f"The game could not be read from the database: {done.stderr.strip()}")
        return msgspec.json.decode(done.stdout, type=StoredGame)

    def settled_facts(self, ref: str) -> StoredGame:
        """Reads a game once the last emails are out, or after SETTLE_SECONDS."""
        end = time.monotonic() + SETTLE_SECONDS
        while audit.owed(facts := self.facts(ref)) and time.monotonic() < end:
            time.sleep(LOOK_SECONDS)
        return facts

    def troubles(self) -> list[str]:
        """The errors in the logs of its programs, and how often one of them died."""
        logs = sorted(self.service.log_dir.glob("*.log"))
        lines = [(log.stem, line) for log in logs for line in log.read_text(errors="replace").splitlines()]
        children = self.service.children.items()
        deaths = [f"{name} died {child.deaths} times" for name, child in children if child.deaths]
        return deaths + [f"{name}: {line}" for name, line in lines if TROUBLE.search(line)]

    def replay(self, ref: str) -> "subprocess.CompletedProcess[str]":
        """Replays the game's log and compares states and hashes."""
        return self.manage("replay_games", ref)

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Runs `manage.py` in the service's environment."""
        return subprocess.run(  # noqa: S603  our own program
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.service.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )


@contextmanager
def running_service(
    smtp_server: SmtpServer,
    *,
    pace_seconds: float,
    report: Callable[[str], None],
    environment: Mapping[str, str] = os.environ,
    keep: bool = False,
) -> Iterator[PrivateService]:
    """Start a service whose mails go to `smtp_server`; stop it afterwards and remove what it wrote.

    Arguments:
        pace_seconds: the time for a decision at the pace PACE.
        environment: DATABASE_URL and REDIS_URL in it are used; without them all is in the folder.
        keep: leave the folder there, and say where it is.
    Raises ServiceProblem.
    """
    folder = Path(tempfile.mkdtemp(prefix="play-by-mail-"))
    service = Service(_service_environment(environment, folder, smtp_server, pace_seconds), folder / "log", report)
    try:
        service.prepare()
        service.start()
        service.wait_ready(START_SECONDS)
        yield PrivateService(service)
    finally:
        service.stop()
        if keep:
            report(f"Database and logs are left in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _service_environment(
    environment: Mapping[str, str], folder: Path, smtp_server: SmtpServer, pace_seconds: float
) -> dict[str, str]:
    unwanted = ("SITE_URL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SECRET_KEY", "CACHE_URL")
    kept = {name: value for name, value in environment.items() if name not in unwanted}
    return kept | {
        "VAR_DIR": str(folder),
        "HOST": "127.0.0.1",
        "PORT": "0",
        "PRODUCTION": "0",
        "DEBUG": "0",
        "EMAIL_URL": smtp_server.url,
        "EXTRA_PACE": f"{PACE}:{pace_seconds:g}",
        "DEADLINE_GRACE_SECONDS": "0",  # its people count the seconds themselves
        "LOOKING_SECONDS": "0",  # nor do they see what they do not read in a mail
        "REVIEW_SECONDS": "0",  # nor do they wait for one
        "TICK_SECONDS": TICK_SECONDS,
        "DEFAULT_FROM_EMAIL": "Caravanserai <caravanserai@example.org>",
    }
