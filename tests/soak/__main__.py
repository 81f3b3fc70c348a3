"""`python -m tests.soak [--seed 1] [--seeds 4] [--faults 60]`: see docs/reliability.md.

PostgreSQL, Redis, two webs, two Celery workers, Beat and the listener run as the service runs them (`--small`: one web,
one worker, no Beat), beside mail servers, web servers and push services. Each seed draws the kinds of faults that
exist. After the storm a core is healed and the rest stays broken for ever; what is due must be done all the same. Then
it counts. The exit status is 0 if every promise held and every rare state was met by one of the seeds.
"""

import argparse
import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

from tests.servers import free_port, running_postgres

PACE_SECONDS = 20  # of the tables whose people never answer
SPED_UP = {
    "DJANGO_SETTINGS_MODULE": "tests.soak.settings",
    "EXTRA_PACE": f"trial:{PACE_SECONDS}",
    "DEADLINE_GRACE_SECONDS": "3",
    "TICK_SECONDS": "0.5",
}
MET = "met: "
RARE = (
    "an answer in the last second",
    "a lease that lapsed in mid-send",
    "a thaw during a commit",
    "a phase boundary in an outage",
    "a reply that came twice",
    "an answer to a question that had just closed",
    "a message that was taken without an answer",
    "a worker that died in mid-send",
    "an outage that was given back",
    "the mail channel rested",
    "healed: a deadline passed",
    "healed: a phase boundary was crossed",
    "healed: a bot moved",
    "healed: an answer by link",
    "healed: an answer by mail",
    "healed: an email reached a living host",
    "healed: a webhook reached a living host",
    "healed: a dead mailbox host was tried",
    "healed: a dead web server was tried",
    "healed: an email instead of a dead web server or push service",
)
"""States that every run has to meet, over all its seeds: else it has not tested what it is for."""


def main(arguments: list[str]) -> int:
    """Run it; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--seeds", type=int, default=1, help="how many, one after the other")
    parser.add_argument("--notices", type=int, default=4_000, help="how many to write in the storm of each")
    parser.add_argument(
        "--faults", type=int, default=80, help="that strike; each kind that exists does so once at least"
    )
    parser.add_argument("--frozen", type=float, default=8.0, help="seconds of each program that is frozen or away")
    parser.add_argument("--trouble", type=float, default=1.0, help="that receivers make, 1 for 3 messages of 100")
    parser.add_argument("--minutes", type=float, default=0.0, help="of the storm at most; 0: until all is written")
    parser.add_argument("--silent", type=int, default=6, help="tables whose people never answer, and are passed")
    parser.add_argument("--tables", type=int, default=20, help="games at a time")
    parser.add_argument("--guests", type=int, default=60, help="people who sit at tables that are closed again")
    parser.add_argument("--calm", type=int, default=0, help="notices in each of two timed phases before the storm")
    parser.add_argument("--rate", type=float, default=2.0, help="answers a second that people mean to give")
    parser.add_argument("--small", action="store_true", help="one web, one worker, no Beat, as it is installed")
    options = parser.parse_args(arguments)
    if options.seeds > 1:
        return _each(range(options.seed, options.seed + options.seeds), arguments)
    status, met = _one(options)
    print(f"{MET}{' | '.join(met)}", flush=True)
    return status or _untested(met)


def _each(seeds: range, arguments: list[str]) -> int:
    """Runs seeds in processes of their own; returns the exit status of all."""
    met: set[str] = set()
    failed: list[str] = []
    for seed in seeds:
        command = [sys.executable, "-m", "tests.soak", *arguments, "--seed", str(seed), "--seeds", "1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            is_broken = True
            for line in process.stdout:
                print(line, end="", flush=True)
                is_broken = is_broken and not line.startswith("every promise held")
                met |= {*line.removeprefix(MET).strip().split(" | ")} if line.startswith(MET) else set()
        if is_broken:
            failed.append(shlex.join(["python", *command[1:]]))
    for line in failed:
        print(f"FAILED: {line}", flush=True)
    return 1 if failed else _untested(met)


def _untested(met: set[str]) -> int:
    """Says which rare states nobody met; returns the exit status."""
    missed = [state for state in RARE if state not in met]
    for state in missed:
        print(f"UNTESTED: {state}", flush=True)
    return 2 if missed else 0


def _one(options: argparse.Namespace) -> tuple[int, set[str]]:
    """Runs one seed; returns its exit status and the rare states it met."""
    with surroundings(options.seed, is_small=options.small, **SPED_UP) as (programs_of, world, port):
        from tests.soak.run import Run

        count = Run(options, programs_of, world, port, timedelta(seconds=PACE_SECONDS)).whole()
    return (1 if count.faults else 0), {state for state, times in count.met.items() if times}


@contextlib.contextmanager
def surroundings(seed: int, *, is_small: bool = False, **more: str) -> Iterator[tuple]:
    """A database with its tables, both receivers, and an environment that names them all, and more."""
    from tests.soak.programs import Programs
    from tests.soak.receivers import World, receiving

    world = World(Random(seed))
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        running_postgres() as database_url,
        receiving(world) as (mail_url, port),
    ):
        redis_port = free_port()
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
            "EMAIL_URL": mail_url,
            "MAIL_LISTEN": f"smtp://127.0.0.1:{free_port()}",
            "REPLY_ADDRESS": "reply+{token}@soak.example.org",
            "MAIL_AUTHSERV_ID": "mx.soak.example.org",
            "SITE_URL": "http://soak.example.org",
            "SECRET_KEY": "soak" * 16,
            "VAR_DIR": folder,
            "PRODUCTION": "0",
            "LOG_LEVEL": "WARNING",
            "OPEN_TABLES_PER_HOST": "1000000",
            "WEBHOOK_ALLOW_INSECURE": "1",
            "REMAP_SIGTERM": "SIGQUIT",
            "PYTHONUNBUFFERED": "1",
        } | more
        theirs = dict(os.environ)
        os.environ["PGAPPNAME"] = "soak"  # our own connections, which are left alone
        import django  # the environment is complete now

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
        call_command("createcachetable", verbosity=0)
        yield lambda: Programs(theirs, Path(folder), redis_port, is_small=is_small), world, port


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
