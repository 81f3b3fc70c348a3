"""What a small machine carries: so many running games, the finished ones of a year, and people who play.

The processes are those of the units in deploy/, one of each. What fills the database: `carried.py`; what people do, at
the pace of the busiest hour of a day: `carrying.py`. PostgreSQL has all games, SQLite a tenth of them.
"""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests import capabilities
from tests.bench.memory import SETTLED, running, units
from tests.bench.receivers import receiving
from tests.bench.report import note
from tests.bench.surroundings import kept_folder, surroundings
from tests.bench.waiting import until_listening
from tests.deployment import ROOT
from tests.servers import free_port, running_postgres, running_redis

SMALLER = 10  # times fewer games on SQLite


FILE = kept_folder() / "carry" / "caravanserai.sqlite3"  # the played games: made once, until somebody removes it


def run(games: int, hours: float, year: float) -> None:
    """Prints the part.

    Arguments:
        hours: of the week of traffic are really played.
        year: the share of a year's finished games that stand in the database.
    """
    _play()
    if capabilities.redis_binary() is None:
        note("no Redis here")
        return
    if capabilities.postgres_bin() is None:
        note("no PostgreSQL here")
    else:
        with running_postgres("max_wal_size=2GB", is_durable=True) as url:
            _carry("PostgreSQL", url, games, hours, year)
    _carry("SQLite", "", games // SMALLER, hours, year)


def _play() -> None:
    """Makes the file, or brings the tables of the one that is there to what they are now."""
    if FILE.exists():
        environment = os.environ | {"DATABASE_URL": f"sqlite:///{FILE}"}
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], env=environment, cwd=ROOT, check=True)
        return
    with surroundings("", WEBHOOK_ALLOW_INSECURE="1", OPEN_TABLES_PER_HOST="1000") as environment:
        for program in (["config.prepare"], ["tests.bench.carrying", "games", "SQLite", "0", "0", "0"]):
            subprocess.run([sys.executable, "-m", *program], env=environment, check=True)
        FILE.parent.mkdir(exist_ok=True)
        shutil.copy(Path(environment["VAR_DIR"]) / FILE.name, FILE)


def _carry(database: str, url: str, games: int, hours: float, year: float) -> None:
    with contextlib.ExitStack() as stack:
        receivers, redis = stack.enter_context(receiving()), stack.enter_context(running_redis())
        told_to = {
            "EMAIL_URL": f"smtp://127.0.0.1:{receivers.mail_port}", "WORKER_HINTS_ENABLED": "1", "REDIS_URL": redis,
            "MAIL_LISTEN": f"smtp://127.0.0.1:{free_port()}", "MAIL_AUTHSERV_ID": "mx.bench.example.org",
            "WEBHOOK_ALLOW_INSECURE": "1", "OPEN_TABLES_PER_HOST": "1000",
        }  # fmt: skip
        environment = stack.enter_context(surroundings(url, **told_to))
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        measuring = [sys.executable, "-m", "tests.bench.carrying"]
        facts = [database, str(games), str(hours), str(year)]
        quiet = environment | {"WORKER_HINTS_ENABLED": "0"}
        subprocess.run([*measuring, "fill", *facts, str(receivers.web_port), str(FILE)], env=quiet, check=True)
        port = free_port()
        pids = {name: stack.enter_context(running(command, environment)) for name, command in units(port).items()}
        until_listening(port)
        programs = [f"{name}={pid}" for name, pid in pids.items()]
        subprocess.run([*measuring, "play", *facts, str(port), str(SETTLED), *programs], env=quiet, check=True)
