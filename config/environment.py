"""Reads the environment variables of config/variables.py, and writes docs/configuration.md about them.

Usage: python -m config.environment
"""

import json
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from config.variables import ALL, GROUPS, Variable

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "configuration.md"
TYPES = {str: "text", bool: "on, off", int: "number", float: "number", list: "list", json.loads: "JSON"}
HEAD = """# Settings

Every setting is an environment variable, or a line of a file `.env` beside the README. Each has a default with which
the service runs on one machine with nothing installed. [deploy/env.example](../deploy/env.example) is a set to start
from on a real server; `caravanserai check --deploy` says which settings do not fit together.

This page is made of `config/variables.py` by `python -m config.environment`: change it there.
"""


def read_environment() -> environ.Env:
    """The environment and `.env`, each variable with its type and default. An undeclared name is an error."""
    env = environ.Env(**{variable.name: (variable.cast, variable.default) for variable in ALL.values()})
    if (ROOT / ".env").exists():
        env.read_env(str(ROOT / ".env"))
    return env


def refuse_missing(env: environ.Env, *names: str) -> None:
    """Raises ImproperlyConfigured if one of these variables is not set: its default is for one's own machine."""
    for name in names:
        if not env(name):
            raise ImproperlyConfigured(
                f"In production (SITE_URL is https://, or PRODUCTION is on) {name} must be set: {ALL[name].meaning} "
                "`caravanserai` in place of `manage.py` has the settings of the service."
            )


def as_markdown() -> str:
    """The text of docs/configuration.md."""
    parts = [HEAD]
    head = "| Variable | Type | Default | What it does |\n|---|---|---|---|\n"
    for title, variables in GROUPS.items():
        rows = [f"| `{one.name}` | {TYPES[one.cast]} | {_default(one)} | {one.meaning} |\n" for one in variables]
        parts.append(f"\n## {title}\n\n{head}{''.join(rows)}")
    return "".join(parts)


def _default(variable: Variable) -> str:
    if variable.shown:
        return variable.shown
    if variable.cast is bool:
        return "on" if variable.default else "off"
    if variable.default == "":
        return "none"
    return f"`{json.dumps(variable.default)}`" if isinstance(variable.default, dict | list) else str(variable.default)


if __name__ == "__main__":
    TABLE.write_text(as_markdown())
