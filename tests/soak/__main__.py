"""`python -m tests.soak [--notices 20000] [--kills 200] [--flushes 60] [--seed 1]`: see docs/reliability.md.

PostgreSQL, Redis, two webs, two Celery workers, Beat and the listener for answers run as the service runs them; a mail
server and a web server refuse, stall, and take and die. Then it counts. The exit status is 0 if every promise held.
"""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.servers import running_postgres

PACE_SECONDS = 60  # of the tables whose people never answer


def main(arguments: list[str]) -> int:
    """Run it; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--notices", type=int, default=20_000, help="how many to write in all")
    parser.add_argument("--kills", type=int, default=200, help="SIGKILLs of workers")
    parser.add_argument("--flushes", type=int, default=60, help="FLUSHALLs of Redis")
    parser.add_argument("--freezes", type=int, default=10, help="of PostgreSQL; as many of Redis and the mail server")
    parser.add_argument("--frozen", type=float, default=10.0, help="seconds of each")
    parser.add_argument("--crashes", type=int, default=5, help="of PostgreSQL, after which it starts anew")
    parser.add_argument("--minutes", type=float, default=0.0, help="of the storm at most; 0: until all is written")
    parser.add_argument("--silent", type=int, default=6, help="tables whose people never answer, and are passed")
    parser.add_argument("--passes", type=int, default=0, help="fewer than so many make the count of unheard a fault")
    parser.add_argument("--tables", type=int, default=60, help="games at a time")
    parser.add_argument("--calm", type=int, default=600, help="notices in each of the two timed phases")
    parser.add_argument("--rate", type=float, default=1.0, help="answers a second that people mean to give")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with surroundings(options.seed) as (programs_of, world, hook_url):
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        call_command("createcachetable", verbosity=0)
        from tests.soak.run import Run

        return Run(options, programs_of, world, hook_url).whole()


@contextlib.contextmanager
def surroundings(seed: int, **more: str) -> Iterator[tuple]:
    """A database, both receivers, and an environment that names them all, and more: Django is not loaded yet."""
    from tests.soak.programs import Programs, ports
    from tests.soak.receivers import World, receiving

    world = World(Random(seed))
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        running_postgres() as database_url,
        receiving(world) as (mail_url, hook_url),
    ):
        redis_port, door_port = ports()
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
            "EMAIL_URL": mail_url,
            "MAIL_LISTEN": f"smtp://127.0.0.1:{door_port}",
            "REPLY_ADDRESS": "reply+{token}@soak.example.org",
            "MAIL_AUTHSERV_ID": "mx.soak.example.org",
            "SITE_URL": "http://soak.example.org",
            "SECRET_KEY": "soak" * 16,
            "VAR_DIR": folder,
            "PRODUCTION": "0",
            "EXTRA_PACE": f"trial:{PACE_SECONDS}",
            "LOG_LEVEL": "WARNING",
            "OPEN_TABLES_PER_HOST": "1000000",
            "WEBHOOK_ALLOW_INSECURE": "1",
            "REMAP_SIGTERM": "SIGQUIT",
            "PYTHONUNBUFFERED": "1",
        } | more
        theirs = dict(os.environ)
        os.environ["PGAPPNAME"] = "soak"  # our own connections, which are left alone
        yield lambda: Programs(theirs, Path(folder), redis_port), world, hook_url


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
