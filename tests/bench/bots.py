"""Bots: what a decision costs them, how soon a table at which they alone play is over, and whether what workers make
beside, proposals and reviews, keeps a person waiting who moves.

All but the decisions is done by the service as `script/server` starts it. What opens the tables of bots and waits:
`bot_tables.py`; what moves beside work: `beside_work.py`.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

from config.launcher.service import Service
from tests import capabilities
from tests.bench.engine import GAMES
from tests.bench.report import Goal, heading, note
from tests.bench.surroundings import on_each_database, surroundings
from tests.lab.strength import Record, play

WHOLE_GAMES = 4


def run() -> None:
    """Prints the part."""
    _decisions()
    if capabilities.redis_binary() is None:
        note("no Redis here")
        return
    on_each_database(_run_on)


def _decisions() -> None:
    """What sultan takes to decide, at tables where every seat is sultan's (P14)."""
    heading("A decision of sultan, ms of processor time")
    for name, (rules, seats, options) in GAMES.items():
        bots = [rules.bots["sultan"]] * seats
        record = Record(seats)
        for number in range(WHOLE_GAMES):
            play(rules, bots, number, options, record, number % seats)
        parts = quantiles([1000 * seconds for seconds in record.seconds], n=100)
        verdict = Goal("P14", most=50).verdict(round(parts[98], 1))
        note(f"{name:<36} p50 {parts[49]:5.1f}, p95 {parts[94]:5.1f}, p99 {parts[98]:5.1f}  {verdict}")


def _run_on(name: str, database_url: str) -> None:
    """Reviews are left out where tables are played: those of the first would be made beside the next ones."""
    with _serving(database_url, REVIEW_SECONDS="0") as service:
        worker = service.children["worker"].process
        assert worker is not None
        _measure("bot_tables", service, name, worker.pid)
    with _serving(database_url, TICK_SECONDS="0.5") as service:
        _measure("beside_work", service, name, service.port)


def _measure(program: str, service: Service, *facts: object) -> None:
    command = [sys.executable, "-m", f"tests.bench.{program}", *map(str, facts)]
    subprocess.run(command, env=service.environment, check=True)


@contextlib.contextmanager
def _serving(database_url: str, **more: str) -> Iterator[Service]:
    """The whole service as `script/server` starts it: web, worker and broker."""
    with surroundings(database_url, PORT="0", WORKER_HINTS_ENABLED="1", **more) as environment:
        service = Service(environment, Path(environment["VAR_DIR"]) / "log", note)
        service.prepare()
        service.start()
        try:
            service.wait_ready()
            yield service
        finally:
            service.stop()
