"""What a setting may not drift away from. Each was chosen because the default loses, doubles or hangs something."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.celery import app

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task_acks_late", True),
        ("task_reject_on_worker_lost", True),
        ("task_ignore_result", True),
        ("result_backend", None),
        ("task_serializer", "json"),
        ("accept_content", ["json"]),
        ("task_always_eager", False),
        ("task_time_limit", 60),
        ("task_soft_time_limit", 45),
        ("worker_prefetch_multiplier", 1),
        ("worker_max_tasks_per_child", 1000),
        ("worker_max_memory_per_child", 300_000),
        ("worker_cancel_long_running_tasks_on_connection_loss", False),
        ("worker_soft_shutdown_timeout", 30),
        ("broker_connection_retry_on_startup", True),
        ("broker_connection_max_retries", None),
        ("timezone", "UTC"),
    ],
)
def test_celery_is_configured_so_that_nothing_is_lost(name, value):
    assert app.conf[name] == value


def test_a_frozen_broker_is_given_up_and_a_lost_worker_noticed():
    options = app.conf.broker_transport_options
    assert options["socket_timeout"] == 5
    assert options["socket_connect_timeout"] == 3
    assert options["socket_keepalive"] is True
    assert options["visibility_timeout"] == 300
    assert options["unacked_restore_interval"] == 5
    assert options["unacked_restore_throttle"] == 1


def test_a_task_taken_by_a_lost_worker_comes_back_only_after_it_must_have_ended():
    assert app.conf.broker_transport_options["visibility_timeout"] > app.conf.task_time_limit


def test_every_task_has_a_queue_the_worker_listens_to():
    from config.launcher.service import worker_command

    queues = worker_command()[worker_command().index("-Q") + 1].split(",")
    app.loader.import_default_modules()
    ours = [name for name in app.tasks if not name.startswith("celery.")]
    assert set(ours) == set(app.conf.task_routes)
    assert {route["queue"] for route in app.conf.task_routes.values()} <= set(queues)
    assert app.conf.task_default_queue in queues


def test_beat_only_sweeps():
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} == {"games.sweep"}


def test_nothing_waits_in_the_broker_for_its_time():
    """Deadlines are rows: no task is sent with an eta or a countdown, and none is sent past the waker."""
    faults = []
    for path in (path for area in ("games", "notifications") for path in (ROOT / area).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                words = {keyword.arg for keyword in node.keywords}
                if node.func.attr in ("delay", "apply_async", "delay_on_commit") or words & {"eta", "countdown"}:
                    faults.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert faults == []


def read_settings(expression, tmp_path, **environment):
    """What `expression` is in a process with only this environment."""
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "SECRET_KEY": "k" * 50} | environment
    code = f"from config import settings; print({expression})"
    return subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


PUBLIC = {
    "SITE_URL": "https://play.example.org",
    "DATABASE_URL": "postgres://u:p@db/x",
    "REDIS_URL": "redis://redis:6379/0",
}


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
@pytest.mark.parametrize("command", [["manage.py", "check"], ["-m", "config.prepare"]])
def test_what_is_forgotten_in_production_is_named_and_nothing_is_made(tmp_path, name, command):
    """Each would pass in silence: another database is made, or workers are never told."""
    env = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path / "var"), "SECRET_KEY": "k" * 50} | PUBLIC
    env |= {"EMAIL_URL": "smtp://localhost", name: ""}
    done = subprocess.run([sys.executable, *command], env=env, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"In production (SITE_URL is https://, or PRODUCTION is on) {name} must be set" in done.stderr
    assert not (tmp_path / "var").exists()


def test_sqlite_queues_writers_and_survives_a_power_cut(tmp_path):
    options = read_settings("settings.DATABASES['default']['OPTIONS']", tmp_path)
    assert "'transaction_mode': 'IMMEDIATE'" in options
    assert "journal_mode=WAL" in options
    assert "synchronous=FULL" in options


def test_a_folder_with_spaces_is_no_trouble(tmp_path):
    folder = tmp_path / "my games #1"
    assert read_settings("settings.DATABASES['default']['NAME']", folder) == str(folder / "caravanserai.sqlite3")


def test_database_url_moves_to_postgresql(tmp_path):
    engine = "settings.DATABASES['default']['ENGINE']"
    assert read_settings(engine, tmp_path, DATABASE_URL="postgres://u:p@db/x") == "config.database.limited_postgresql"


def test_what_a_connection_remembers_is_left_out_behind_a_pooler(tmp_path):
    told = "settings.DATABASES['default']['OPTIONS'], settings.DATABASES['default'].get('DISABLE_SERVER_SIDE_CURSORS')"
    url = {"DATABASE_URL": "postgres://u:p@db/x"}
    kept = read_settings(told, tmp_path, **url)
    assert "'server_side_binding': True, 'prepare_threshold': 2" in kept
    assert "idle_in_transaction_session_timeout=45s" in kept
    behind = read_settings(told, tmp_path, BEHIND_POOLER="on", **url)
    assert behind.endswith("} True") and "prepare_threshold" not in behind and "'options'" not in behind


def test_a_database_that_does_not_greet_and_packets_that_are_lost_are_given_up(tmp_path):
    told = "settings.DATABASES['default']['OPTIONS']"
    usual = read_settings(told, tmp_path, DATABASE_URL="postgres://u:p@db/x")
    assert "'connect_timeout': 2" in usual and "'tcp_user_timeout': 10000" in usual
    own = read_settings(told, tmp_path, DATABASE_URL="postgres://u:p@db/x?connect_timeout=9")
    assert "'connect_timeout': 9" in own


def test_an_https_site_has_secure_cookies_and_no_mailbox(tmp_path):
    values = (
        "settings.IS_PRODUCTION, settings.MAILBOX_ENABLED, settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_SECURE"
    )
    assert read_settings(values, tmp_path, **PUBLIC) == "True False __Host-session True"


def test_the_set_that_the_manual_gives_passes_every_check_of_ours_and_of_django():
    """deploy/env.example as it stands, but for the words that are to be replaced."""
    lines = (ROOT / "deploy/env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    key = {"SECRET_KEY": "".join(chr(33 + i % 90) for i in range(60))}
    env = {"PATH": os.environ["PATH"]} | PUBLIC | given | key
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"]
    for changes, is_fine in (({}, True), ({"SECRET_KEY": given["SECRET_KEY"]}, False)):
        done = subprocess.run(command, env=env | changes, cwd=ROOT, check=False, capture_output=True, text=True)
        assert (done.returncode == 0) == is_fine, done.stderr
