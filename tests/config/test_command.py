"""deploy/caravanserai: commands have the settings and the user of the service, wherever it runs."""

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deployment import DEPLOY, ROOT

COMMAND = DEPLOY / "caravanserai"
ME = pwd.getpwuid(os.getuid()).pw_name
ANOTHER = "nobody"
PYTHON = '#!/bin/sh\necho "user=$(id -un) arguments=$*"\nenv\ncat\n'
"""Stands in for Python where a test asks what it is given."""


class Machine:
    """A folder with units as deploy/README.md installs them, open to other users as /etc and /opt are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = folder / "caravanserai.env"
        self.settings.write_text("")
        self.python = self.program("python")
        self.unit(ME)

    def program(self, name: str) -> Path:
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(PYTHON)
        path.chmod(0o755)
        return path

    def unit(self, user: str, python: str = "", folder: Path = ROOT) -> None:
        text = (DEPLOY / "caravanserai-prepare.service").read_text()
        text = text.replace("/opt/caravanserai/.venv/bin/python", python or str(self.python))
        text = text.replace("WorkingDirectory=/opt/caravanserai", f"WorkingDirectory={folder}")
        text = text.replace("/etc/caravanserai.env", str(self.settings)).replace("User=caravanserai", f"User={user}")
        (self.folder / "caravanserai-prepare.service").write_text(text)

    def run(self, *words: str, command: Path = COMMAND, **environment: str) -> "subprocess.CompletedProcess[str]":
        variables = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "CARAVANSERAI_UNITS": str(self.folder)}
        return subprocess.run(
            [command, *words], env=variables | environment, capture_output=True, text=True, input="", check=False
        )

    def variables(self) -> dict[str, str]:
        lines = self.run("check").stdout.splitlines()
        return dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line))


@pytest.fixture
def machine() -> Iterator[Machine]:
    folder = Path(tempfile.mkdtemp(prefix="units-"))  # pytest's own folders are closed to other users
    folder.chmod(0o755)
    yield Machine(folder)
    shutil.rmtree(folder)


def test_it_gives_the_command_on_and_reads_the_settings_of_the_unit(machine: Machine) -> None:
    machine.settings.write_text("DATABASE_URL=postgres://u:p@db/x\n")
    done = machine.run("make_staff", "anna@example.org", "--administrator")
    assert done.stdout.startswith(f"user={ME} arguments={ROOT}/manage.py make_staff anna@example.org --administrator\n")
    assert (
        machine.variables().items()
        >= {
            "DATABASE_URL": "postgres://u:p@db/x",
            "VAR_DIR": "/var/lib/caravanserai",
        }.items()
    )


def test_it_runs_as_the_user_of_the_unit_or_says_who_may_call_it(machine: Machine) -> None:
    machine.unit(ANOTHER)
    done = machine.run("check")
    if os.getuid() == 0:
        assert done.stdout.startswith(f"user={ANOTHER} ")
    else:
        assert (done.returncode, done.stderr) == (1, "caravanserai: Run this as root, such as with sudo.\n")


def test_settings_that_cannot_be_read_or_are_not_there_are_refused_in_words(machine: Machine) -> None:
    machine.settings.unlink()
    done = machine.run("check")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == f"caravanserai: {machine.settings} cannot be read. Run this as root, such as with sudo.\n"


def test_nothing_of_the_callers_own_environment_comes_along(machine: Machine) -> None:
    done = machine.run("check", DATABASE_URL="postgres://another/database", DEBUG="on", HOME="/root")
    assert "another/database" not in done.stdout and "DEBUG" not in done.stdout and "HOME" not in done.stdout


def test_drop_ins_count_as_for_the_unit(machine: Machine) -> None:
    for name, text in (("caravanserai-.service.d", "Environment=TZ=UTC"), ("caravanserai-prepare.service.d", "")):
        (machine.folder / name).mkdir()
        own = machine.folder / f"{name}.env"
        own.write_text(f"FROM_{len(name)}=yes\n")
        (machine.folder / name / "own.conf").write_text(
            f"[Service]\n{text}\nEnvironmentFile={own}\nEnvironmentFile=-/nowhere\n"
        )
    assert machine.run("check").stdout.startswith(f"user={ME} arguments={ROOT}/manage.py check --deploy --running\n")
    assert machine.variables().items() >= {"TZ": "UTC", "FROM_23": "yes", "FROM_30": "yes"}.items()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=Caravanserai <games@play.example.org>", "Caravanserai <games@play.example.org>"),
        ('A={"POSTMARK_SERVER_TOKEN": "x y"}', '{"POSTMARK_SERVER_TOKEN": "x y"}'),
        ('A="with spaces  "', "with spaces  "),
        ("A='single $HOME `id`'", "single $HOME `id`"),
        ("A=$HOME `id` $(id) * ; # no comment", "$HOME `id` $(id) * ; # no comment"),
        ("  A=  blanks around  ", "blanks around"),
        ("A=", ""),
        ('A=""', ""),
        ("A=a=b&c", "a=b&c"),
        ("# A=no\n;A=no\n\nno sign of equality\nA=yes", "yes"),
        ("A=first\nA=second", "second"),
        ("A=windows\r", "windows"),
    ],
)
def test_a_file_of_settings_is_read_as_systemd_reads_it(machine: Machine, line: str, value: str) -> None:
    for end in ("\n", ""):
        machine.settings.write_text(line + end)
        assert machine.variables()["A"] == value


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (r"A=back\slash", "write the value of A without a backslash"),
        ("A='two' 'parts'", "write the value of A without quotes"),
        ('A="open', "a quote of A does not end"),
        ('A="', "write the value of A without quotes"),
        ("export A=b", "export A is not the name of a variable"),
        ("=b", " is not the name of a variable"),
    ],
)
def test_what_systemd_might_read_otherwise_is_refused_by_its_line(machine: Machine, line: str, why: str) -> None:
    machine.settings.write_text(f"# settings\n{line}\n")
    done = machine.run("check")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"caravanserai: {machine.settings}, line 2: {why}.\n"


@pytest.mark.slow
def test_it_finds_nothing_wrong_with_the_set_that_the_manual_gives_and_names_what_is_forgotten(
    machine: Machine,
) -> None:
    key = "SECRET_KEY=" + "".join(chr(33 + i % 58) for i in range(57))  # no backslash among them
    text = re.sub(r"^SECRET_KEY=.*$", lambda _: key, (DEPLOY / "env.example").read_text(), flags=re.M)
    text = re.sub(r"^# (DATABASE_URL|REDIS_URL)=", r"\1=", text, flags=re.M)
    machine.unit(ME, python=sys.executable)
    unit = machine.folder / "caravanserai-prepare.service"
    unit.write_text(unit.read_text().replace("/var/lib/caravanserai", str(machine.folder / "var")))
    machine.settings.write_text(text)
    done = machine.run("check", "--deploy", "--fail-level", "INFO")
    assert done.returncode == 0, done.stderr
    for name in ("DATABASE_URL", "REDIS_URL"):
        machine.settings.write_text(re.sub(rf"^{name}=", "# ", text, flags=re.M))
        done = machine.run("make_staff", "anna@example.org", "--administrator")
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert f"In production (SITE_URL is https://, or PRODUCTION is on) {name} must be set" in done.stderr
        assert not (machine.folder / "var").exists()


@pytest.mark.parametrize("is_docker", [True, False])
def test_without_a_unit_it_is_docker_with_its_settings_else_what_script_server_has(
    machine: Machine, is_docker: bool
) -> None:
    (machine.folder / "caravanserai-prepare.service").unlink()
    (machine.folder / "deploy").mkdir()
    command = machine.folder / "deploy" / "caravanserai"
    shutil.copy(COMMAND, command)
    link = machine.folder / "bin" / "caravanserai"
    link.symlink_to(command)
    if is_docker:
        (machine.folder / "deploy" / ".env").touch()
        machine.program("docker")
        container = "run --rm --no-deps backup python manage.py told anna"
        expected = f"compose -f {machine.folder}/deploy/compose.yaml {container}"
    else:
        (machine.folder / ".venv").mkdir()
        (machine.folder / "bin").rename(machine.folder / ".venv" / "bin")
        link = command
        expected = "-m config.launcher told anna"
    assert f"arguments={expected}\n" in machine.run("told", "anna", command=link).stdout


@pytest.mark.slow
def test_commands_of_script_server_have_its_database_and_broker(tmp_path: Path) -> None:
    """In production too, where each of them would be refused alone."""
    environment = {
        "PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path / "my games #1"), "SITE_URL": "https://play.example.org",
        "SECRET_KEY": "k" * 50, "EMAIL_URL": "smtp://localhost",
    }  # fmt: skip
    shown = "from django.conf import settings as s; print(s.DATABASES['default']['NAME'], s.REDIS_URL)"
    command = [sys.executable, "-m", "config.launcher", "shell", "-v", "0", "-c", shown]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    folder = tmp_path / "my games #1"
    assert done.stdout.splitlines()[-1].startswith(f"{folder / 'caravanserai.sqlite3'} redis+socket://")


def test_shellcheck_finds_nothing() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "shellcheck", COMMAND, DEPLOY / "install"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_docs_for_hosts_name_the_command_and_not_manage_py() -> None:
    """A command there with the settings of nobody hits another database than the service's."""
    hosts = ("operations", "moderation", "privacy", "self-hosting-mail", "self-hosting-replies", "ratings", "scaling")
    for page in [DEPLOY / "README.md", *(ROOT / "docs" / f"{name}.md" for name in hosts)]:
        named = re.findall(r"manage\.py (\w+)", page.read_text())
        assert named == [], page
