"""`script/test`: all checks and tests, the quick ones first; at the end what was left out, and the counts."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests import capabilities
from tests.servers import running_postgres

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
WITH_BROWSER = "with servers and a browser"
PICTURES = ROOT / "var" / "pictures"  # left by the tests in a browser, to be looked at
COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)")
CLOSING = re.compile(r"^=+ .* in [\d.]+s.* =+$")
PROCESSES = min(os.cpu_count() or 1, 4)
WAITERS = PROCESSES + 1  # servers and browsers wait for each other a third of their time
EVENLY = ("--dist", "worksteal")
SLOWEST = ("--durations", "12", "--durations-min", "5")  # named at the end of a pass: the whole run has its limit
ONE_BY_ONE = ("--dist", "load", "--maxschedchunk", "1")  # so that the long tests begin first, each in a process
SERVERS_AND_BROWSERS = ("tests/e2e", "tests/browser")
WITHOUT_THEM = [f"--ignore={folder}" for folder in SERVERS_AND_BROWSERS]
ON_BOTH_DATABASES = [
    *(f"tests/notifications/test_{about}.py" for about in (
        "admin", "batches", "batching", "bounded_lists", "bulk_write", "claims", "compiled_query", "converse",
        "crashes", "health", "one_call", "outbox", "preferences", "sending", "side_by_side", "ticks",
        "webhooks_at_once",
    )),
    "tests/games/people",
    "--ignore=tests/games/people/test_names.py",
    "tests/games/privacy",
    "tests/games/lobby",
    *(f"--ignore=tests/games/lobby/test_{about}.py" for about in ("changed_settings", "handover")),
    "tests/games/archive",
    "tests/games/moderation",
    "tests/games/operations",
    "tests/games/play",
    *(f"--ignore=tests/games/play/test_{about}.py" for about in (
        "cave", "clocks", "deadline_rule", "every_game", "following", "newer_rules", "orders", "pauses", "plans",
        "proposals", "state", "stewards", "unasked", "vacations",
    )),
    "tests/games/tables",
    "tests/games/tournaments/test_tournaments.py",
    "tests/games/test_kept.py",
    "tests/config/test_postgresql.py",
    "tests/config/test_compiled_queries.py",
    "tests/games/api/test_once.py",
    "tests/games/admin/test_pages.py",
    *(f"tests/games/web/test_{page}.py" for page in ("lobby", "players")),
]  # fmt: skip
"""What a database can change: services, outbox, claims, locks, and the pages that search, count and list. What a page,
a letter or a form says once its rows are read, and what a game's own rules do, is the same on both."""

CHECKS = {
    "style": [PYTHON, "-m", "ruff", "check", "."],
    "form": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "layers": [str(Path(PYTHON).parent / "lint-imports"), "--no-logo"],
    "settings": [PYTHON, "manage.py", "check", "--fail-level", "WARNING"],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
}


@dataclass
class Report:
    """What the run amounts to."""

    failed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    closing: dict[str, str] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    def show(self) -> int:
        """Print it; returns the exit status."""
        print()
        for name, line in self.closing.items():
            print(f"{name}: {line.strip('= ')}")
        for line in dict.fromkeys(self.left_out):
            print(line)
        if WITH_BROWSER in self.closing and PICTURES.exists():
            print(f"pictures of the pages: {PICTURES}")
        if self.failed:
            print(f"FAILED: {', '.join(self.failed)}")
        # xpassed and deselected say nothing about the whole: a pass leaves out what another one runs.
        counted = [
            f"{self.counts[word]} {word}" for word in ("failed", "errors", "passed", "skipped") if self.counts[word]
        ]
        print(f"===== {', '.join(counted) or 'no tests'} in {time.monotonic() - self.started:.2f}s =====")
        return 1 if self.failed else 0


def main(arguments: list[str]) -> int:
    """Run everything, or `fast`, or what is passed on to pytest; returns the exit status."""
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process of every pass compiles all that it imports
    if arguments == ["audit"]:
        return audit()
    if arguments and arguments != ["fast"]:
        return subprocess.run([PYTHON, "-m", "pytest", *arguments], check=False).returncode
    report = Report()
    end_types = run_checks(report)
    chosen = ["-m", "not slow"] if arguments == ["fast"] else []
    run_pytest(report, "on SQLite", [*chosen, *WITHOUT_THEM])
    end_types()
    if arguments != ["fast"]:
        run_on_postgres(report)
        only = [*SERVERS_AND_BROWSERS, *ONE_BY_ONE, "-vv"]  # each by name: a row of dots would take many minutes
        run_pytest(report, WITH_BROWSER, only, processes=WAITERS)
        report.left_out += known_holes(advisories())
    return report.show()


def run_checks(report: Report) -> Callable[[], None]:
    """Style, types, layers, settings, migrations, catalogues.

    The types take longest, most of it on one core: they go on beside the first tests, until what is returned is called.
    """
    checks = dict(CHECKS)
    if shutil.which("msgfmt"):
        checks["catalogues"] = [PYTHON, "-m", "tests.catalogues"]
    else:
        report.left_out.append("left out: message catalogues (no msgfmt; apt install gettext)")
    started = time.monotonic()
    running = {name: _start(command) for name, command in checks.items()}  # side by side: most use one core

    def end(name: str) -> None:
        print(f"--- {name} ...", end=" ", flush=True)
        process = running[name]
        said, _ = process.communicate()
        print(f"{'FAILED' if process.returncode else 'ok'} (after {time.monotonic() - started:.1f} s)", flush=True)
        if process.returncode:
            print(said[-16000:])
            report.failed.append(name)

    for name in running:
        if name != "types":
            end(name)
    return partial(end, "types")


def audit() -> int:
    """`script/test audit`: the pinned packages alone against published advisories; returns the exit status."""
    found = known_holes(advisories())
    print("\n".join(found) or "no package has a published hole")
    return 1 if found else 0


def advisories() -> str:
    """What pip-audit says of the pinned packages, as JSON; "" if it takes too long."""
    packages = ["-r", "requirements.txt", "--no-deps", "--disable-pip", "--format", "json", "--timeout", "5"]
    command = [PYTHON, "-m", "pip_audit", "--progress-spinner", "off", *packages]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout
    except subprocess.TimeoutExpired:
        return ""


def known_holes(said: str) -> list[str]:
    """Lines for the end of a run. They fail no test: what was published since changes nothing about this commit."""
    try:
        packages = json.loads(said)["dependencies"]
    except (ValueError, KeyError):
        packages = []
    holes = [f"HOLE in {one['name']}: {hole['id']}" for one in packages for hole in one.get("vulns", [])]
    if not packages or any("skip_reason" in one for one in packages):
        holes.append("left out: audit of packages (the advisories cannot be reached)")
    return holes


def _start(command: list[str], env: dict[str, str] | None = None) -> "subprocess.Popen[str]":
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run_on_postgres(report: Report) -> None:
    """What the database can change once more, with PostgreSQL."""
    name = "on PostgreSQL"
    if capabilities.postgres_bin() is None:
        report.left_out.append(f"left out: the suites {name} ({capabilities.missing_capability('postgres_url')})")
        return
    with running_postgres() as url:
        only = ["--migrations", "-m", "not slow or both", *ON_BOTH_DATABASES]
        run_pytest(report, name, only, DATABASE_URL=url)


def run_pytest(
    report: Report, name: str, arguments: list[str], *, processes: int = PROCESSES, **environment: str
) -> None:
    """One pass of pytest, shown while it runs; its counts and what it left out are kept for the end."""
    print(f"--- tests {name} ...", flush=True)
    parallel = ["-n", str(processes), *EVENLY]
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SLOWEST, *parallel, *arguments]
    env = os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "100"} | environment
    process = _start(command, env)
    assert process.stdout is not None
    for line in process.stdout:
        print(line, end="", flush=True)
        note_line(report, name, line.rstrip())
    if process.wait() not in (0, 5):  # 5: this pass had no test to run
        report.failed.append(f"tests {name}")


def note_line(report: Report, name: str, line: str) -> None:
    """Keep what the end of the run repeats: the closing line with its counts, and what was left out."""
    if line.startswith("left out:") and "this pass runs on SQLite" not in line:
        report.left_out.append(line)
    if CLOSING.match(line) or re.match(r"^\d+ \w+.* in [\d.]+s", line):
        report.closing[name] = line
        for number, word in COUNT.findall(line):
            report.counts["errors" if word == "error" else word] += int(number)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(130)
