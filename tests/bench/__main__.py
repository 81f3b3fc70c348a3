"""`script/bench [PART ...]`: all parts, or those named."""

import os
import sys
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


def main(names: list[str]) -> int:
    """Runs the parts; returns the exit status."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"No such part: {', '.join(unknown)}. There are: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from importlib import import_module

    started = time.monotonic()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; figures are medians, ranges in brackets.")
    for name in names or PARTS:
        begun = time.monotonic()
        import_module(f"tests.bench.{name}").run()
        print(f"  {name} took {time.monotonic() - begun:.0f} s", flush=True)
    print(f"\nDone in {time.monotonic() - started:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
