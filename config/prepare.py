"""Makes the database ready, in one process because each costs a second: `python -m config.prepare [--demo]`."""

import io
import os
import sys
import traceback
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command


def main(arguments: list[str]) -> None:
    """Check the settings, migrate, make the cache's table; with --demo the demo account and table as well.

    Prints what the demo command prints: how to sign in.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("check", stdout=io.StringIO())  # its "no issues" is no news
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)  # WhiteNoise warns where it is missing
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    if "--demo" in arguments:
        _make_demo()


def _make_demo() -> None:
    try:
        call_command("demo")
    except Exception:  # noqa: BLE001  # whatever is wrong with the demo, the tables of real people must open
        traceback.print_exc()
        print("The demo table could not be made; everything else goes on.")


if __name__ == "__main__":
    main(sys.argv[1:])
