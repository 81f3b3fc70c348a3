"""`python -m tests.lab simulate|tournaments|clubs`: a command of the laboratory; `--help` says more."""

import os
import sys
from importlib import import_module

import django

COMMANDS = ("simulate", "tournaments", "clubs")

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"Which of these: {', '.join(COMMANDS)}?")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    import_module(f"tests.lab.{sys.argv[1]}").Command().run_from_argv(["tests.lab", *sys.argv[1:]])
