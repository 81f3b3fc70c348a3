"""One clock for everything, and the database's where machines share one (RELIABILITY check 49)."""

import ast
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from notifications.clock import present

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
ROOT = Path(__file__).resolve().parents[3]


class Machine:
    """A database's clock, a host's clock, and a count of seconds, each going its own way."""

    def __init__(self) -> None:
        self.database: datetime | None = NOON
        self.host = NOON
        self.count = 100.0
        self.looks = 0

    def look(self) -> datetime | None:
        self.looks += 1
        return self.database

    def pass_time(self, seconds: float) -> None:
        self.count += seconds
        self.host += seconds * SECOND
        if self.database is not None:
            self.database += seconds * SECOND


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def follower(machine: Machine) -> present.Follower:
    return present.Follower(machine.look, lambda: machine.host, lambda: machine.count)


def test_a_process_goes_by_another_clock_until_it_is_told_otherwise():
    with present.going_by(lambda: NOON):
        assert present.now() == NOON
        with present.going_by(lambda: NOON + SECOND):
            assert present.now() == NOON + SECOND
        assert present.now() == NOON
    assert abs(present.now() - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize("skew", [90, -90])
def test_the_clock_of_the_database_counts_however_wrong_the_machines_is(machine, follower, skew):
    machine.host += skew * SECOND
    assert follower() == NOON
    machine.pass_time(3)
    assert follower() == NOON + 3 * SECOND


def test_a_clock_that_steps_back_moves_nothing(machine, follower):
    assert follower() == NOON
    machine.pass_time(1)
    machine.host -= 3600 * SECOND
    assert follower() == NOON + SECOND


def test_the_database_is_asked_every_five_seconds_at_most(machine, follower):
    for _moment in range(49):
        follower()
        machine.pass_time(0.1)
    assert machine.looks == 1
    machine.pass_time(0.2)
    machine.database += SECOND  # it has drifted
    assert follower() == machine.database
    assert machine.looks == 2


@pytest.mark.parametrize(("seconds", "is_believed"), [(0.9, True), (1.1, False), (30, False)])
def test_what_a_look_says_that_took_longer_than_a_second_does_not_count(machine, seconds, is_believed):
    def look():
        told = machine.look()
        machine.pass_time(seconds)
        return told

    follower = present.Follower(look, lambda: machine.host, lambda: machine.count)
    machine.host += 90 * SECOND
    assert (abs(follower() - machine.database) < SECOND) == is_believed
    assert machine.looks == 1 and follower() > NOON and machine.looks == 1


def test_while_the_database_cannot_be_asked_the_process_counts_on(machine, follower):
    follower()
    machine.database = None
    machine.pass_time(60)
    machine.host += 90 * SECOND
    assert follower() == NOON + 60 * SECOND


def test_before_the_database_has_been_seen_the_machines_clock_must_do(machine, follower):
    machine.database = None
    assert follower() == machine.host


def test_a_machine_that_is_off_by_more_than_a_second_is_reported_once_a_minute(machine, follower, caplog):
    machine.host += 2 * SECOND
    for _look in range(12):
        follower()
        machine.pass_time(6)
    assert follower.skew == 2 * SECOND
    assert len(caplog.records) == 2
    assert "+2.0 s" in caplog.text


FORBIDDEN = {
    ("timezone", "now"), ("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"),
    ("time", "time"), ("time", "time_ns"), ("time", "localtime"), ("time", "gmtime"), ("timezone", "localdate"),
    ("django_timezone", "now"),
}  # fmt: skip
NAMES = {"Now", "CurrentTimestamp", "TimestampSigner", "dumps_timed"}  # functions that look at a clock of their own
KEYWORDS = {"auto_now", "auto_now_add", "db_default"}


def is_constant_default(node: ast.keyword) -> bool:
    """Whether it is the database's default for a column, and says what that is: a constant, a choice or a duration."""
    is_duration = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "timedelta"
    return node.arg == "db_default" and (is_duration or isinstance(node.value, ast.Constant | ast.Attribute))


def other_clocks(path: Path) -> list[str]:
    """Every place in a file where time is taken from anywhere else than `notifications.clock.present`."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id, node.attr) in FORBIDDEN:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.value.id}.{node.attr}")
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".")[-1]
            taken = [alias.name for alias in node.names if (module, alias.name) in FORBIDDEN or alias.name in NAMES]
            found += [f"{path.relative_to(ROOT)}:{node.lineno}: {name}" for name in taken]
        elif isinstance(node, ast.keyword) and node.arg in KEYWORDS and not is_constant_default(node):
            found.append(f"{path.relative_to(ROOT)}:{node.value.lineno}: {node.arg}")
    return found


@pytest.mark.slow
def test_games_and_notifications_take_the_time_from_one_place():
    files = [path for area in ("games", "notifications") for path in sorted((ROOT / area).rglob("*.py"))]
    files = [path for path in files if "migrations" not in path.parts and path.name != "present.py"]
    assert [line for path in files for line in other_clocks(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        "timezone.now()", "datetime.now(UTC)", "time.time()", "from time import time", "f(auto_now_add=True)",
        "from django.db.models.functions import Now", "Field(default=timezone.now)", "date.today()",
    ],
)  # fmt: skip
def test_the_search_for_other_clocks_finds_them(line, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.notifications.clock.test_present.ROOT", tmp_path)
    path = tmp_path / "some.py"
    path.write_text(line)
    assert len(other_clocks(path)) == 1
