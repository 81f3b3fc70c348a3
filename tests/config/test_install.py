"""deploy/install: one command to a service with administrator, backup and check; again it keeps what is there."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deployment import ROOT

ANSWERS = {
    "SITE_URL": "https://play.example.org",
    "EMAIL_URL": "smtp+tls://user:p%40ss&more@mail.example.org:587",
    "DEFAULT_FROM_EMAIL": "Caravanserai <games@play.example.org>",
    "OPERATOR_ADDRESS": "anna@example.org",
}
STUBS = "docker apt-get useradd systemctl runuser python3 caravanserai id install git tar"
STUB = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
case "$(basename "$0") $*" in
    "id -u") echo 0 ;;
    "id caravanserai") exit 1 ;;
    tar*) cp -R "$SOURCE/deploy" "$SOURCE/pyproject.toml" "$SOURCE/requirements.txt" "$3" ;;
    "python3 -m venv"*) mkdir -p "$3/bin"; cp "$0" "$3/bin/pip"; cp "$0" "$3/bin/python" ;;
    "caravanserai check"* | *"manage.py check"*) exit "${UNWELL-0}" ;;
    runuser*) cat >>"$CALLS" </dev/stdin ;;
esac
"""


class Machine:
    """A folder in the place of /, with programs that note how they were called."""

    def __init__(self, folder: Path) -> None:
        self.root, self.source, self.calls = folder / "root", folder / "source", folder / "calls"
        for path in ("etc/systemd/system", "etc/caddy", "opt", "usr/local/bin", "var/backups"):
            (self.root / path).mkdir(parents=True)
        shutil.copytree(ROOT / "deploy", self.source / "deploy", ignore=shutil.ignore_patterns(".env"))
        for name in ("pyproject.toml", "requirements.txt"):
            shutil.copy(ROOT / name, self.source)
        for name in STUBS.split():
            path = folder / "bin" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(STUB)
            path.chmod(0o755)
        self.bin = folder / "bin"

    def install(self, way: str, **answers: str) -> "subprocess.CompletedProcess[str]":
        """Installs; `caravanserai` is a stub, too."""
        self.calls.write_text("")
        text = (self.source / "deploy" / "install").read_text().replace("ln -sf ", "true ")
        (self.source / "deploy" / "install").write_text(text)
        shutil.copy(self.bin / "caravanserai", self.root / "usr/local/bin/caravanserai")
        environment = {
            "PATH": f"{self.bin}:{os.environ['PATH']}", "CARAVANSERAI_ROOT": str(self.root), "CALLS": str(self.calls),
            "SOURCE": str(self.source), "CARAVANSERAI_PAUSE": "0",
        }  # fmt: skip
        command = ["sh", self.source / "deploy" / "install", way]
        return subprocess.run(command, env=environment | answers, input="", capture_output=True, text=True, check=False)

    def settings(self, way: str) -> Path:
        return self.source / "deploy" / ".env" if way == "docker" else self.root / "etc" / "caravanserai.env"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("way", ["docker", "systemd"])
def test_one_command_ends_in_an_administrator_a_backup_and_a_check(machine: Machine, way: str) -> None:
    done = machine.install(way, **ANSWERS)
    assert done.returncode == 0, done.stderr
    file = machine.settings(way)
    values = dict(line.split("=", 1) for line in file.read_text().splitlines() if line and line[0] != "#")
    assert values.items() >= ANSWERS.items() and len(values["SECRET_KEY"]) == 50
    assert file.stat().st_mode & 0o777 == 0o600
    calls = machine.calls.read_text().splitlines()
    ends = ("make_staff anna@example.org --administrator", "backup", "check")
    assert all(end in call for end, call in zip(ends, calls[-3:], strict=True))
    if way == "systemd":
        password = values["DATABASE_URL"].split(":")[2].split("@")[0]
        assert f"CREATE ROLE caravanserai LOGIN CREATEDB PASSWORD '{password}'" in calls
        proxy = machine.root / "etc/caddy/Caddyfile"
        assert "https://play.example.org {" in proxy.read_text()
        proxy.write_text(f"{proxy.read_text()}# ours\n")
    before = file.read_text()
    assert machine.install(way).returncode == 0  # it asks nothing now
    assert file.read_text() == before
    if way == "systemd":
        assert proxy.read_text().endswith("# ours\n")
        link = machine.root / "opt/caravanserai"
        link.unlink()
        link.symlink_to("caravanserai-0.9")
        done = machine.install(way)
        assert done.returncode == 1 and "docs/upgrading.md" in done.stderr


@pytest.mark.parametrize(
    ("way", "answers", "words"),
    [
        ("", {}, "say 'docker' or 'systemd'"),
        ("docker", {"SITE_URL": "http://play.example.org"}, "must begin with https://"),
        ("docker", {"EMAIL_URL": "smtp://u:$x@mail"}, "EMAIL_URL must be without"),
        ("systemd", {"OPERATOR_ADDRESS": ""}, "OPERATOR_ADDRESS is not set, and nobody answers"),
    ],
)
def test_a_wrong_answer_is_refused_in_words_and_nothing_is_written(
    machine: Machine, way: str, answers: dict[str, str], words: str
) -> None:
    done = machine.install(way, **(ANSWERS | answers))
    assert done.returncode == 1 and words in done.stderr
    assert not machine.settings(way or "docker").exists()


def test_a_service_that_does_not_work_in_the_end_is_said_to_be_so(machine: Machine) -> None:
    done = machine.install("docker", UNWELL="1", **ANSWERS)
    assert done.returncode == 1 and "not all of it works" in done.stderr
