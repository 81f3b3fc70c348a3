"""`manage.py check`: Django's, headed by the version; with `--running` also whether the service works."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.management import CommandError, CommandParser
from django.core.management.commands import check
from django.db import Error

from config.database import backups
from config.database.clock import read_clock
from games.web import site
from notifications import worker_hints
from notifications.clock import present
from notifications.models import MailboxPosition

PATIENCE = 10  # seconds
GIB = 1 << 30
LEAST_ROOM = GIB
OLDEST_BACKUP = timedelta(hours=26)
OLDEST_LOOK = timedelta(minutes=10)
SHORTEST_CERTIFICATE = timedelta(days=14)
MOST_APART = timedelta(seconds=2)
REMEDIES = {
    "database": "Is DATABASE_URL right, and PostgreSQL running? docs/operations.md, Troubleshooting.",
    "tables": "Run `systemctl reload caravanserai-prepare`, or with Docker "
    "`docker compose -f deploy/compose.yaml run --rm prepare`.",
    "worker": "Start the workers, and look into their log.",
    "mail": "`caravanserai try_mail you@example.org` says what the mail server answers.",
}


class Wrong(Exception):
    """A part of the service does not work; the message says what to do."""


class Command(check.Command):
    """Checks the settings, and whether what they name does its work."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's, and ours."""
        super().add_arguments(parser)
        parser.add_argument("--running", action="store_true", help="also a line for each part of the running service")
        parser.add_argument("--tell", metavar="WHAT", help="mails these lines, headed by it, to OPERATOR_ADDRESS")

    def handle(self, *args: Any, running: bool = False, tell: str = "", **options: Any) -> None:
        """Prints the version, then what is wrong. Raises CommandError if something does not work."""
        self.stdout.write(f"Caravanserai {settings.VERSION}")
        super().handle(*args, **options)
        if not (running or tell):
            return
        lines = list(_lines())
        if tell:
            _mail(tell, [line for _is_well, line in lines])
        for _is_well, line in lines:
            self.stdout.write(line)
        if wrong := sum(not is_well for is_well, _line in lines):
            raise CommandError(f"{wrong} of {len(lines)} do not work.")


def _lines() -> Iterator[tuple[bool, str]]:
    """A line for each part: that it works, or what to do."""
    for part in site.parts():
        is_well = part.state == site.OK
        yield is_well, f"{part.name}: {part.state}{'' if is_well else f'. {REMEDIES[part.name]}'}"
    for name, look in LOOKS.items():
        try:
            yield True, f"{name}: ok, {look()}"
        except Wrong as wrong:
            yield False, f"{name}: {wrong}"
        except Error:
            yield False, f"{name}: cannot be seen without the database."


def _redis() -> str:
    if worker_hints.queue_depths() is None:
        raise Wrong("cannot be reached. Is REDIS_URL right, and Redis running? Everything goes on, some seconds later.")
    return "it answers"


def _mail_out() -> str:
    if settings.MAIL_PROVIDER:
        return f"by {settings.MAIL_PROVIDER}; `caravanserai try_mail you@example.org` sends one"
    if settings.EMAIL_URL.startswith("mailbox:"):
        return "emails stay on the mailbox page of this machine"
    server = get_connection()
    try:
        server.open()
        server.close()
    except OSError as error:  # smtplib's too
        raise Wrong(
            f"{error}. `caravanserai try_mail you@example.org` says more; EMAIL_URL names the server."
        ) from error
    return f"{settings.EMAIL_HOST} lets us in"


def _mail_in() -> str:
    if not (settings.REPLY_ADDRESS or settings.BOUNCE_ADDRESS):
        return "off: REPLY_ADDRESS isn't set"
    if settings.REPLY_MAILBOX:
        position = MailboxPosition.objects.order_by("-looked_at").first()
        if position is None or present.now() - position.looked_at > OLDEST_LOOK:
            raise Wrong("nobody looks into the mailbox. Start the listener; its log says what it is refused.")
        return f"{position} is read"
    if settings.MAIL_LISTEN:
        where = urlsplit(settings.MAIL_LISTEN)
        try:
            socket.create_connection((where.hostname, where.port), PATIENCE).close()
        except OSError as error:
            raise Wrong(f"nobody listens at {settings.MAIL_LISTEN}. Start the listener.") from error
        return f"{settings.MAIL_LISTEN} listens"
    return "not seen from here; `caravanserai try_mail` walks the whole way"


def _clock() -> str:
    there = read_clock() if "sqlite" not in settings.DATABASES["default"]["ENGINE"] else None
    if there and abs(there - datetime.now(UTC)) > MOST_APART:
        raise Wrong("this machine and its database are apart. `timedatectl set-ntp true` on both.")
    if program := shutil.which("timedatectl"):
        command = [program, "show", "--property=NTPSynchronized", "--value"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.stdout.strip() == "no":
            raise Wrong("nobody sets it. `timedatectl set-ntp true`: deadlines go by it.")
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _disk() -> str:
    folders = [folder for folder in (settings.VAR_DIR, settings.BACKUP_DIR) if folder.exists()]
    free = {folder: shutil.disk_usage(folder).free for folder in folders}
    for folder, size in free.items():
        if size < LEAST_ROOM:
            raise Wrong(f"{size / GIB:.1f} GiB are free in {folder}. Make room: a copy needs as much as the database.")
    return ", ".join(f"{size / GIB:.0f} GiB free in {folder}" for folder, size in free.items())


def _backup() -> str:
    try:
        path = backups.newest(settings.BACKUP_DIR)
    except backups.BackupFailed as error:
        raise Wrong(str(error)) from error
    age = present.now() - datetime.fromtimestamp(path.stat().st_mtime, UTC)
    if age > OLDEST_BACKUP:
        raise Wrong(f"the newest is {age.days} days old. `caravanserai backup` makes one, or says why not.")
    return f"{Path(path).name}; `caravanserai restore --drill` tries it"


def _tls() -> str:
    where = urlsplit(settings.SITE_URL)
    if where.scheme != "https":
        return f"none: SITE_URL is {settings.SITE_URL}"
    host, port = where.hostname or "", where.port or 443
    try:
        with (
            socket.create_connection((host, port), PATIENCE) as line,
            ssl.create_default_context().wrap_socket(line, server_hostname=host) as secure,
        ):
            certificate = secure.getpeercert() or {}
        urlopen(f"{settings.SITE_URL}/healthz", timeout=PATIENCE).close()  # noqa: S310  # our own address
    except OSError as error:
        raise Wrong(
            f"{settings.SITE_URL}: {error}. Do its name and ports 80 and 443 lead here, and does Caddy run?"
        ) from error
    end = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    if end - datetime.now(UTC) < SHORTEST_CERTIFICATE:
        raise Wrong(f"the certificate ends {end:%Y-%m-%d}. Caddy renews it: look into its log.")
    return f"the certificate is good until {end:%Y-%m-%d}"


LOOKS: dict[str, Callable[[], str]] = {
    "Redis": _redis,
    "mail out": _mail_out,
    "mail in": _mail_in,
    "clock": _clock,
    "disk": _disk,
    "backup": _backup,
    "TLS": _tls,
}


def _mail(what: str, lines: list[str]) -> None:
    """Tells the operator, past queues and workers. Raises CommandError."""
    if not settings.OPERATOR_ADDRESS:
        raise CommandError("OPERATOR_ADDRESS isn't set: nobody is told.")
    message = EmailMessage(f"{settings.SITE_NAME}: {what}", "\n".join(lines), to=[settings.OPERATOR_ADDRESS])
    try:
        message.send()
    except OSError as error:
        raise CommandError(f"{settings.OPERATOR_ADDRESS} could not be told: {error}") from error
