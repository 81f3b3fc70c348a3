"""A private service for one run: its own folder, port, pace and mail server's address; gone afterwards."""

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

from config.launcher.service import Service
from games.lab.play_by_mail import audit
from games.lab.play_by_mail.ledger import TrialGame
from games.lab.play_by_mail.postbox import Postbox
from games.lab.play_by_mail.record import RunAborted

ROOT = Path(__file__).resolve().parents[3]
PACE = "blitz"
SETTLE_SECONDS = 75.0  # for the last mails: a killed worker's come back when its lease has lapsed
LOOK_SECONDS = 4.0  # each look is a process of its own, and takes a core for two
START_SECONDS = 120.0  # a few when all is well; a machine may be busy
TICK_SECONDS = "0.5"  # deadlines of seconds want a clock that looks often


class House:
    """A running private service and what can be asked of it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.url = service.url

    def facts(self, ref: str) -> TrialGame:
        """What its database knows of a game. Raises Broken if it cannot be read."""
        done = self.manage("play_by_mail", "--facts", ref)
        if done.returncode:
            raise RunAborted(f"The game could not be read from the database: {done.stderr.strip()}")
        return msgspec.json.decode(done.stdout, type=TrialGame)

    def settled_facts(self, ref: str) -> TrialGame:
        """The same, when the last mails are out, or after a while at the latest."""
        end = time.monotonic() + SETTLE_SECONDS
        while audit.owed(facts := self.facts(ref)) and time.monotonic() < end:
            time.sleep(LOOK_SECONDS)
        return facts

    def replay(self, ref: str) -> "subprocess.CompletedProcess[str]":
        """Whether the log leads to the same state and hash once more."""
        return self.manage("replay_games", ref)

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run `manage.py` in the service's surroundings."""
        return subprocess.run(  # noqa: S603  our own program
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.service.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )


@contextmanager
def running_house(
    postbox: Postbox,
    *,
    pace_seconds: float,
    report: Callable[[str], None],
    environment: Mapping[str, str] = os.environ,
    keep: bool = False,
) -> Iterator[House]:
    """Start a service whose mails go to `postbox`; stop it afterwards and remove what it wrote.

    Arguments:
        pace_seconds: the time for a decision at the pace PACE.
        environment: DATABASE_URL and REDIS_URL in it are used; without them all is in the folder.
        keep: leave the folder there, and say where it is.
    Raises ServiceProblem.
    """
    folder = Path(tempfile.mkdtemp(prefix="play-by-mail-"))
    service = Service(_surroundings(environment, folder, postbox, pace_seconds), folder / "log", report)
    try:
        service.prepare()
        service.start()
        service.wait_ready(START_SECONDS)
        yield House(service)
    finally:
        service.stop()
        if keep:
            report(f"Database and logs are left in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _surroundings(
    environment: Mapping[str, str], folder: Path, postbox: Postbox, pace_seconds: float
) -> dict[str, str]:
    unwanted = ("SITE_URL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SECRET_KEY", "CACHE_URL")
    kept = {name: value for name, value in environment.items() if name not in unwanted}
    return kept | {
        "VAR_DIR": str(folder),
        "HOST": "127.0.0.1",
        "PORT": "0",
        "PRODUCTION": "0",
        "DEBUG": "0",
        "EMAIL_URL": postbox.url,
        "EXTRA_PACE": f"{PACE}:{pace_seconds:g}",
        "DEADLINE_GRACE_SECONDS": "0",  # its people count the seconds themselves
        "LOOKING_SECONDS": "0",  # nor do they see what they do not read in a mail
        "TICK_SECONDS": TICK_SECONDS,
        "DEFAULT_FROM_EMAIL": "Caravanserai <caravanserai@example.org>",
    }
