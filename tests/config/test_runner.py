"""What the test command says at its end: counts of all passes together, and what was left out."""

import os
import subprocess
from types import SimpleNamespace

import pytest

from tests import capabilities
from tests.conftest import long_ones_first
from tests.runner import ON_BOTH_DATABASES, ROOT, Report, known_holes, main, note_line


def test_the_counts_of_all_passes_are_added_up(capsys):
    report = Report()
    note_line(report, "on SQLite", "12 passed, 3 deselected in 1.50s")
    note_line(report, "on PostgreSQL", "= 2 failed, 5 passed, 1 warning, 1 error in 61.50s (0:01:01) =")
    assert report.counts["passed"] == 17
    assert report.counts["failed"] == 2
    assert report.counts["errors"] == 1
    report.show()
    assert "===== 2 failed, 1 errors, 17 passed in" in capsys.readouterr().out.splitlines()[-1]


def test_a_line_that_only_looks_like_counts_is_not_counted():
    report = Report()
    note_line(report, "on SQLite", "E   assert 3 passed")
    assert not report.counts


def test_what_is_left_out_is_repeated_at_the_end_once(capsys):
    report = Report()
    for _ in range(2):
        note_line(report, "any", "left out: 3 of browser (no chromium; apt install chromium)")
    note_line(report, "any", "left out: 2 of postgres (this pass runs on SQLite)")
    report.show()
    said = capsys.readouterr().out
    assert said.count("no chromium; apt install chromium") == 1
    assert "this pass runs on SQLite" not in said


def test_a_failed_part_makes_the_whole_fail(capsys):
    assert Report().show() == 0
    assert Report(failed=["types"]).show() == 1
    assert "FAILED: types" in capsys.readouterr().out


def test_a_suite_whose_program_is_missing_is_left_out_with_a_reason(monkeypatch):
    for name, (_finder, reason) in list(capabilities.NEEDS.items()):
        monkeypatch.setitem(capabilities.NEEDS, name, (lambda: None, reason))
    assert capabilities.missing_capability("browser") == "no chromium; apt install chromium"
    assert capabilities.missing_capability("postgres_url") == "no PostgreSQL; apt install postgresql"
    assert capabilities.missing_capability("redis_url") == "no Redis; apt install redis-server"
    assert capabilities.missing_capability("slow") is None


def test_tests_that_need_postgresql_run_only_on_it(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://postgres@127.0.0.1/x")
    assert capabilities.missing_capability("postgres") is None
    monkeypatch.setenv("DATABASE_URL", "")
    assert capabilities.missing_capability("postgres") == "this pass runs on SQLite"


def test_long_tests_begin_first_each_with_a_short_one_behind_it():
    def order(*names):
        items = [SimpleNamespace(name=name, get_closest_marker=name[1:].__eq__) for name in names]
        return [item.name[0] for item in long_ones_first(items)]

    assert order("1", "2", "3long", "4", "5long") == ["3", "1", "5", "2", "4"]
    assert order("1long", "2long", "3") == ["1", "3", "2"]
    assert order("1", "2") == ["1", "2"]


def test_what_python_has_compiled_is_kept_for_the_next_process(monkeypatch):
    def run(command, check):
        return SimpleNamespace(returncode=int("PYTHONDONTWRITEBYTECODE" in os.environ))

    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(subprocess, "run", run)
    assert main(["tests/config"]) == 0


def test_what_runs_on_both_databases_is_there():
    suites = [ROOT / name.removeprefix("--ignore=") for name in ON_BOTH_DATABASES]
    assert [suite for suite in suites if not suite.exists()] == []
    assert ROOT / "tests" / "games" / "play" in suites


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ('{"dependencies": [{"name": "django", "version": "5", "vulns": []}]}', []),
        (
            '{"dependencies": [{"name": "django", "version": "5", "vulns": [{"id": "CVE-1"}]}]}',
            ["HOLE in django: CVE-1"],
        ),
        ('{"dependencies": [{"name": "django", "skip_reason": "not found"}]}', ["left out"]),
        ('{"dependencies": []}', ["left out"]),
        ("", ["left out"]),
        ("no JSON", ["left out"]),
    ],
)
def test_a_known_hole_is_named_and_what_cannot_be_asked_is_said(said, begins):
    lines = known_holes(said)
    assert len(lines) == len(begins) and all(line.startswith(words) for line, words in zip(lines, begins, strict=True))
