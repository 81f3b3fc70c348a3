"""The whole service in processes of its own: it starts, heals, and stops without leaving anything behind."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from config.launcher.service import Service

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120


FILLED = """
import json
import os
import resource
from django.conf import settings
from django.db import OperationalError, connection
from games.models import Game, User
from games.lobby import lifecycle as tables
from notifications.clock import present

def open_one():
    plan = tables.TablePlan(title="T", rules_name="cave-of-wonders", seat_count=2, bots=("random",))
    game = tables.open_table(host=anna, plan=plan, now=present.now())
    tables.start(game_id=game.pk, host=anna, now=present.now())

def started():
    return Game.objects.filter(status="running", moves__isnull=False).distinct().count()

anna = User.objects.create_user("anna@example.org", name="Anna")
open_one()
name = str(settings.DATABASES["default"]["NAME"])
largest = max(os.path.getsize(path) for path in (name, name + "-wal"))
resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 100_000, resource.RLIM_INFINITY))
refused = 0
for _ in range(1000):
    try:
        open_one()
    except OperationalError:
        refused += 1
    if refused == 3:
        break
kept = started()
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
open_one()
with connection.cursor() as cursor:
    (verdict,) = cursor.execute("PRAGMA integrity_check").fetchone()
half = Game.objects.filter(status="open", moves__isnull=False).count()
half += Game.objects.filter(status="running", moves__isnull=True).count()
print(json.dumps([refused, kept > 2, started() - kept, half, verdict]))
"""
"""Opens tables until the disk takes nothing more, here by a limit for the size of files; then there is room again."""


def until(condition, what):
    """Wait for something another process does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.05)


@pytest.fixture
def start(environment):
    """Starts a service, ready when returned; all are stopped afterwards."""
    started = []

    def run(**more):
        said = []
        service = Service(environment | more, report=said.append)
        service.said = said
        service.prepare()
        service.start()
        started.append(service)
        service.wait_ready(PATIENCE)
        return service

    yield run
    for service in started:
        service.stop()


def status_of(service, path="/"):
    """What the web answers; 0 if it does not."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{service.port}{path}", timeout=5) as answer:
            return answer.status
    except OSError:
        return 0


def ticks_again(service):
    """Wait for a tick that ended after now."""
    before = service.tick_file.stat().st_mtime_ns
    until(lambda: service.tick_file.stat().st_mtime_ns > before, "another tick")


def processes_of(service):
    """The ids of all processes that were given this service's folder."""
    mark = f"VAR_DIR={service.var_dir}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = mark in (folder / "environ").read_bytes().split(b"\0")
        except (OSError, PermissionError):
            continue
        if is_ours and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def test_on_a_fresh_machine_it_starts_whatever_is_killed_comes_back_it_stops_cleanly_and_starts_again(start, tmp_path):
    service = start(VAR_DIR=str(tmp_path / "fresh"))
    for name in ("web", "worker", "broker"):
        first = service.children[name].process.pid
        service.kill(name)
        until(lambda name=name, first=first: service.children[name].process.pid != first, f"a new {name}")
        until(lambda: status_of(service) == 200, "an answer")
        ticks_again(service)
        assert any(f"{name} was killed by signal 9" in line for line in service.said)
    service.stop()
    assert processes_of(service) == []
    assert [child.process.returncode for child in service.children.values()] == [0, 0, 0, 0]
    assert status_of(start(VAR_DIR=str(service.var_dir))) == 200


def test_it_ticks_and_answers_without_a_broker(start):
    service = start(REDIS_URL="redis://127.0.0.1:1/0")
    ticks_again(service)
    assert status_of(service) == 200


def test_a_full_disk_refuses_what_it_cannot_keep_whole_and_all_is_well_when_there_is_room(environment):
    def manage(*words):
        command = [sys.executable, "manage.py", *words]
        variables = environment | {"OPEN_TABLES_PER_HOST": "1000"}
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert json.loads(manage("shell", "-v", "0", "-c", FILLED).splitlines()[-1]) == [3, True, 1, 0, "ok"]
    manage("replay_games")


@pytest.fixture
def launcher(environment, tmp_path):
    """The launcher as script/server runs it, ready; its output is in the file `out`."""
    out = tmp_path / "out"
    with out.open("w") as file:
        command = [sys.executable, "-m", "config.launcher", "--no-demo"]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT)
    process.out = out
    process.var_dir = Path(environment["VAR_DIR"])
    until(lambda: "Ctrl-C stops" in out.read_text() or process.poll() is not None, "the greeting")
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_launcher_refuses_a_second_one_in_its_folder_and_stops_when_told_without_a_traceback(
    launcher, environment, number
):
    command = [sys.executable, "-m", "config.launcher", "--no-demo"]
    second = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "running already" in second.stdout
    launcher.send_signal(number)
    assert launcher.wait(PATIENCE) == 0
    said = launcher.out.read_text()
    assert said.rstrip().endswith("Stopped.")
    assert "Traceback" not in said
    until(lambda: processes_of(launcher) == [], "the end of all processes")


def copies_of(launcher):
    """The programs that are copies of the launcher, by name."""
    children = Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
    return {Path(f"/proc/{pid}/comm").read_text().strip(): int(pid) for pid in children}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_a_killed_copy_of_the_launcher_is_made_anew_and_a_killed_launcher_leaves_no_orphan(launcher):
    before = copies_of(launcher)
    assert set(before) > {"gunicorn", "celery", "config.listener"}
    for name in ("celery", "gunicorn"):
        os.kill(before[name], signal.SIGKILL)
        until(lambda name=name: copies_of(launcher).get(name, before[name]) != before[name], f"a new {name}")
    until((launcher.var_dir / "tick").exists, "a tick")
    said = launcher.out.read_text()
    assert said.count("was killed by signal 9; starting it again") == 2
    launcher.kill()
    launcher.wait()
    until(lambda: processes_of(launcher) == [], "the end of all processes")
