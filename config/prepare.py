"""Prepares database and static files, in one process: `python -m config.prepare [--demo]`."""

import io
import multiprocessing
import os
import sys
import traceback

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from config.database import former

UNUSED = ["redoc", "rest_framework"]  # static files of libraries that no page of ours loads


def main(arguments: list[str]) -> None:
    """Check the settings, collect static files, migrate, make the cache's table; with --demo a demo account and table.

    Prints what the demo command prints: how to sign in.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("check", stdout=io.StringIO())  # its "no issues" is no news
    former.connect_once()
    static = multiprocessing.get_context("fork").Process(target=collect_static)  # a second core does it meanwhile
    static.start()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    await_backup()
    open_hall()
    if "--demo" in arguments:
        _make_demo()
    static.join()
    if static.exitcode:
        sys.exit("The static files could not be collected.")


def collect_static() -> None:
    """Gather what browsers load in STATIC_ROOT, packed, under addresses that change with their content."""
    call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=UNUSED)


def await_backup() -> None:
    """Lets the first backup be waited for from the first start on: without one its alarm would stay silent."""
    from config.management.commands.backup import BACKUP  # models are needed, which are loaded by now
    from games.play.models import Heartbeat
    from notifications.clock import present

    Heartbeat.objects.get_or_create(name=BACKUP, defaults={"beat_at": present.now()})


def open_hall() -> None:
    """Gives a new installation something to look at: the bots' season, and a weekly tournament to enter."""
    from games.archive import finished_games  # models are needed, which are loaded by now
    from games.tournaments import rounds
    from notifications.clock import present

    finished_games.lay_in_season(present.now())
    rounds.open_weekly(present.now())


def _make_demo() -> None:
    try:
        call_command("demo")
    except Exception:  # noqa: BLE001  # whatever is wrong with the demo, the tables of real people must open
        traceback.print_exc()
        print("The demo table could not be made; everything else goes on.")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ImproperlyConfigured as error:
        sys.exit(f"{error}")
