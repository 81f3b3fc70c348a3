"""What lies in deploy/ fits the service: each command is one that there is, each variable one that is read."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = (ROOT / "config" / "settings.py").read_text()
OF_COMPOSE = {"POSTGRES_PASSWORD"}
UNITS = sorted(DEPLOY.glob("*.service"))


def services():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]


def check(command: list[str]) -> None:
    """The part of a command that names a program of ours."""
    words = [word.rsplit("/", 1)[-1] for word in command]
    if "manage.py" in words:
        assert words[words.index("manage.py") + 1] in get_commands()
    elif "-m" in words:
        assert (ROOT / f"{words[words.index('-m') + 1].replace('.', '/')}.py").exists()
    else:
        assert words[0] in ("gunicorn", "celery")


@pytest.mark.parametrize("name", ["prepare", "worker", "answers"])
def test_each_service_of_the_compose_file_runs_what_there_is(name):
    check(services()[name]["command"])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_each_unit_runs_what_there_is(unit):
    (line,) = re.findall(r"^ExecStart=(.+)$", unit.read_text(), re.MULTILINE)
    check(shlex.split(line))


def test_web_worker_and_answers_are_there_in_both():
    assert {"web", "worker", "answers"} <= set(services())
    assert {unit.stem.removeprefix("caravanserai-") for unit in UNITS} == {"web", "worker", "answers"}


def test_every_variable_of_the_example_is_read():
    names = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)) - OF_COMPOSE
    assert {"REPLY_ADDRESS", "MAIL_AUTHSERV_ID", "MAIL_LISTEN", "MAIL_PROVIDER"} <= names
    assert [name for name in sorted(names) if f'"{name}"' not in SETTINGS] == []
