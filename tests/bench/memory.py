"""What the service takes of a machine: memory of each of its processes after real work, and what an open page costs.

The processes are those that stand in deploy/: a web, a worker for each queue, and Beat, with a broker of their own.
What keeps them busy and looks at them: `working.py`; what leaves a page open: `following.py`.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from config.launcher.service import web_command
from tests import capabilities
from tests.bench.growth import COUNTING
from tests.bench.receivers import receiving
from tests.bench.report import note
from tests.bench.surroundings import surroundings
from tests.bench.waiting import until_listening
from tests.servers import free_port, running_postgres, running_redis

QUEUES = {"play": 2, "deliver": 2, "sweep": 1}  # and how many processes each worker's pool has
QUIET = ["--without-gossip", "--without-mingle"]


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
        environment = stack.enter_context(surroundings(url, **told_to))
        subprocess.run([sys.executable, "-m", "config.prepare"], env=environment, check=True)
        port = free_port()
        web = stack.enter_context(_running(web_command("127.0.0.1", port), environment))
        until_listening(port)
        with contextlib.ExitStack() as workers:
            pids = {"web": web}
            for name, command in _workers(environment["VAR_DIR"]).items():
                pids[name] = workers.enter_context(_running(command, environment))
            _measure("working", environment, port, *(f"{name}={pid}" for name, pid in pids.items()))
        _measure("following", environment, port, web)


def _measure(program: str, environment: dict[str, str], *facts: object) -> None:
    command = [sys.executable, "-m", f"tests.bench.{program}", *map(str, facts)]
    subprocess.run(command, env=environment, check=True)


@contextlib.contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator[int]:
    """Runs a program; gives its process. What it says is not wanted: errors are seen by what is not done."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def _workers(folder: str) -> dict[str, list[str]]:
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    commands = {}
    for queue, size in QUEUES.items():
        commands[f"worker of {queue}"] = [*celery, "worker", "-Q", queue, "-c", str(size), "-n", queue, *QUIET]
    return commands | {"Beat": [*celery, "beat", "-s", f"{folder}/beat", "--pidfile="]}
