"""A private service for one run, with its own folder, port, pace and mail server, which is removed afterwards."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from config.launcher.children import TROUBLE
from config.launcher.service import Service
from games.lab.play_by_mail import audit
from games.lab.play_by_mail.record import RunFailed
from games.lab.play_by_mail.smtp_server import SmtpServer
from games.lab.play_by_mail.stored_game import StoredGame

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
        """What its database knows of a game. Raises RunFailed if it cannot be read."""
        done = self.manage("play_by_mail", "--facts", ref)
        if done.returncode:
            raise RunFailed(f"The game could not be read from the database: {done.stderr.strip()}")
        return msgspec.json.decode(done.stdout, type=StoredGame)

    def settled_facts(self, ref: str) -> StoredGame:
        """What its database knows of a game once the last emails are out, or after SETTLE_SECONDS."""
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
