"""`script/bench [PART ...]`: all parts, or those named; `carry` only if it is named, for it takes an hour."""

import argparse
import os
import time

PARTS = (
    "engine",
    "submit",
    "steps",
    "deliver",
    "visit",
    "pages",
    "bots",
    "sweep",
    "growth",
    "stored",
    "memory",
    "start",
)
CARRY = "carry"


def main() -> None:
    """Runs the parts."""
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join((*PARTS, CARRY)))
    parser.add_argument("--games", type=int, default=10_000, help="carry: that run")
    parser.add_argument("--hours", type=float, default=1.0, help="carry: of the week that are played, a quarter each")
    parser.add_argument("--year", type=float, default=1.0, help="carry: share of the year's finished games")
    options = parser.parse_args()
    if unknown := {*options.parts} - {*PARTS, CARRY}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from importlib import import_module

    started = time.monotonic()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; figures are medians, ranges in brackets.")
    for name in options.parts or PARTS:
        begun = time.monotonic()
        more = {"games": options.games, "hours": options.hours, "year": options.year} if name == CARRY else {}
        import_module(f"tests.bench.{name}").run(**more)
        print(f"  {name} took {time.monotonic() - begun:.0f} s", flush=True)
    print(f"\nDone in {time.monotonic() - started:.0f} s.")


if __name__ == "__main__":
    main()
