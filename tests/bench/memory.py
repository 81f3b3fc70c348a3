"""What the service takes of a machine: memory of each of its processes after real work, and what an open page costs.

The processes are those of the units in deploy/ that README.md there starts, with a broker of their own.
What keeps them busy and looks at them: `working.py`; what leaves a page open: `following.py`.
"""

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests import capabilities
from tests.bench.growth import COUNTING
from tests.bench.processes import memory_of, processor_time_of
from tests.bench.receivers import receiving
from tests.bench.report import Goal, heading, note
from tests.bench.surroundings import surroundings
from tests.bench.waiting import until_listening
from tests.deployment import ROOT, unit_commands
from tests.servers import free_port, running_postgres, running_redis

ONCE = ("backup", "prepare", "offsite", "failed")  # units that run now and then
SETTLED = 10.0  # seconds until what has started does nothing any more
IDLE = 30.0  # seconds in which nobody wants anything
WHOLE, PROCESSES = Goal("P12", most=450), Goal("P12", most=9)
REST = Goal("P12", most=0.5)


def run() -> None:
    """Prints the part."""
    if capabilities.redis_binary() is None:
        note("no Redis here")
        return
    with contextlib.ExitStack() as stack:
        has_postgres = capabilities.postgres_bin() is not None
        url = stack.enter_context(running_postgres(COUNTING)) if has_postgres else ""
        receivers = stack.enter_context(receiving())
        told_to = {"EMAIL_URL": f"smtp://127.0.0.1:{receivers.mail_port}", "WORKER_HINTS_ENABLED": "1"}
        told_to["REDIS_URL"] = stack.enter_context(running_redis())
        told_to["MAIL_LISTEN"] = f"lmtp://127.0.0.1:{free_port()}"
        environment = stack.enter_context(surroundings(url, **told_to))
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        port = free_port()
        with contextlib.ExitStack() as programs:
            pids = {
                name: programs.enter_context(running(command, environment)) for name, command in units(port).items()
            }
            until_listening(port)
            time.sleep(SETTLED)
            show_idle("The units of deploy/", list(pids.values()), WHOLE, PROCESSES)
            _measure("working", environment, port, *(f"{name}={pid}" for name, pid in pids.items()))
        web = stack.enter_context(running(units(port)[_first_web()], environment))
        until_listening(port)
        _measure("following", environment, port, web)


def show_idle(title: str, pids: list[int], whole: Goal, processes: Goal) -> None:
    """Prints what they and all below them take while nobody wants anything."""
    heading(f"{title}, while nobody wants anything")
    found = [memory_of(pid) for pid in pids]
    number, megabytes = sum(map(len, found)), sum(sum(one.values()) for one in found)
    used = processor_time_of(*pids)
    begun = used()
    time.sleep(IDLE)
    minute = (used() - begun) * 60 / IDLE
    note(f"{number} processes  {processes.verdict(number)}")
    note(f"{megabytes:.0f} MB (PSS)  {whole.verdict(round(megabytes))}")
    note(f"{minute:.2f} s of processor time a minute  {REST.verdict(round(minute, 2))}")


def _measure(program: str, environment: dict[str, str], *facts: object) -> None:
    command = [sys.executable, "-m", f"tests.bench.{program}", *map(str, facts)]
    subprocess.run(command, env=environment, check=True)


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[int]:
    """Runs a program; gives its process. What it says is not wanted: errors are seen by what is not done."""
    own = environment | {"HEALTH_LISTEN": f"127.0.0.1:{free_port()}"}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=own, cwd=ROOT, stdout=quiet, stderr=quiet) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def _first_web() -> str:
    return next(name for name in unit_commands() if name.startswith("web"))


def units(port: int) -> dict[str, list[str]]:
    """The units' commands; the first web has this port, the others any."""
    commands = {}
    for name, words in unit_commands().items():
        if name.split("@")[0] in ONCE:
            continue
        words[0] = str(Path(sys.executable).parent / words[0])
        if "--bind" in words:
            place = port if name == _first_web() else free_port()
            words[words.index("--bind") + 1] = f"127.0.0.1:{place}"
        commands[name] = words
    return commands
