"""Runs the whole service on this machine for a person at the screen, once script/server has its packages."""

import argparse
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType

import environ

from config.launcher.children import ROOT
from config.launcher.service import Service, ServiceProblem

__all__ = ["Service", "ServiceProblem", "main"]

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
HELP = """Starts Caravanserai on this machine: web, worker and broker. Ctrl-C stops it.

Chosen by environment variables, or in a file .env beside manage.py:
  HOST, PORT     where to listen (127.0.0.1, 8000; account streams one port above, replies by email 25 above)
  SITE_URL       the address people use (http://localhost:PORT)
  VAR_DIR        the folder for database, logs and broker (var)
  DATABASE_URL   PostgreSQL instead of SQLite
  REDIS_URL      a Redis instead of the broker that comes along
  EMAIL_URL      a mail server instead of the mailbox page
docs/configuration.md has all of them."""


def main(arguments: list[str]) -> int:
    """Run until told to stop; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="script/server", description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, help="run a command of manage.py with these settings instead"
    )
    parser.add_argument("--no-demo", action="store_true", help="make no demo account and no demo table")
    options = parser.parse_args(arguments)
    if (ROOT / ".env").exists():
        environ.Env.read_env(str(ROOT / ".env"))
    try:
        service = Service(os.environ, report=_say, has_door=True)
        if options.command:
            command = [sys.executable, str(ROOT / "manage.py"), *options.command]
            os.execve(sys.executable, command, service.environment)  # noqa: S606  # no shell is wanted
        with _only_one(service.var_dir):
            return _run(service, demo=not options.no_demo and not service.is_production)
    except ServiceProblem as problem:
        _say(str(problem))
        return 1


def _run(service: Service, *, demo: bool) -> int:
    for number in SIGNALS:
        signal.signal(number, partial(_interrupt, service))
    with suppress(KeyboardInterrupt):
        _say("[3/4] Preparing the database ...")
        service.load()
        how_to_sign_in = service.prepare(demo=demo)
        _say("[4/4] Starting web, worker and broker ..." if service.starts_broker else "[4/4] Starting web, worker ...")
        service.run(partial(_greet, service, how_to_sign_in))
    _say("Stopped.")
    return 0


def _interrupt(service: Service, _number: int, _frame: FrameType | None) -> None:
    for number in SIGNALS:
        signal.signal(number, lambda *_: service.kill_all())
    raise KeyboardInterrupt


def _greet(service: Service, how_to_sign_in: str) -> None:
    _say(_greeting(service, how_to_sign_in))
    if service.is_production:
        command = [sys.executable, str(ROOT / "manage.py"), "check", "--deploy", "--running"]
        subprocess.run(command, env=service.environment, check=False)


def _greeting(service: Service, how_to_sign_in: str) -> str:
    lines = ["", f"Caravanserai is open at {service.url}"]
    if how_to_sign_in:
        lines.append(how_to_sign_in)
    if service.has_mailbox:
        lines.append(f"Mails it sends are shown at {service.url}/mailbox/")
    if service.streams:
        lines.append(f"Programs listen to their games at {service.environment.get('EVENTS_URL') or service.streams}")
    if service.listens:
        lines.append(f"Answers to them are received at {service.listens}")
    return "\n".join([*lines, f"Logs are in {service.log_dir}. Ctrl-C stops.", ""])


@contextmanager
def _only_one(var_dir: Path) -> Iterator[None]:
    """Refuse to start twice in one folder: two brokers would write to the same files."""
    var_dir.mkdir(parents=True, exist_ok=True)
    with (var_dir / "launcher.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ServiceProblem(f"Caravanserai is running already in {var_dir}.") from None
        yield


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
