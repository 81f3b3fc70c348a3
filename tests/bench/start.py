"""How long `script/server` takes until it answers: in a fresh clone, with all that it downloads, and then again."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.measuring import Spread
from tests.bench.memory import SETTLED, show_idle
from tests.bench.report import Goal, heading, note
from tests.bench.surroundings import disk_folder

ROOT = Path(__file__).resolve().parents[2]
AGAIN = 3  # later starts
OPEN = "Caravanserai is open"
STEPS = {
    "[1/4]": "the virtual environment",
    "[2/4]": "pip: download and install",
    "[3/4]": "the database",
    "[4/4]": "web, worker and broker",
}
OURS = (
    "DATABASE_URL",
    "DJANGO_SETTINGS_MODULE",
    "REDIS_URL",
    "SECRET_KEY",
    "SITE_URL",
    "VAR_DIR",
    "VENV",
    "VIRTUAL_ENV",
)


def run() -> None:
    """Prints the part."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        note("start: this is no clone of the sources")
        return
    with disk_folder() as folder:
        clone = Path(folder) / "caravanserai"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        first, steps, _stop = _start(clone)
        heading("script/server until it answers, by the clock")
        note(f"{'in a fresh clone':<34}{first:>7.1f} s  {Goal('P13', most=60).verdict(round(first, 1))}")
        for name, seconds in steps.items():
            note(f"  {name:<32}{seconds:>7.1f} s")
        later = [_start(clone) for _ in range(AGAIN)]
        _line("again", 4, [one[0] for one in later])
        _line("until it has stopped", 3, [one[2] for one in later])
        _start(clone, looks=True)


def _line(name: str, most: float, seconds: list[float]) -> None:
    spread = Spread.of(seconds)
    ranged = f"({spread.low:.1f} .. {spread.high:.1f})"
    note(f"{name:<34}{spread.median:>7.1f} s  {ranged}  {Goal('P13', most=most).verdict(round(spread.median, 1))}")


def _start(clone: Path, *, looks: bool = False) -> tuple[float, dict[str, float], float]:
    """Starts it and stops it; returns the seconds until it was open, those of each step that it said it took, and those
    until it had stopped.

    Arguments:
        looks: whether it is looked at in between.
    """
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    environment |= {"PORT": "0", "PIP_NO_CACHE_DIR": "1"}
    begun, begins = time.monotonic(), {}
    command = [str(clone / "script" / "server")]
    with _stopped(subprocess.Popen(command, cwd=clone, env=environment, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if name := STEPS.get(line[:5]):
                begins[name] = time.monotonic()
            if line.startswith(OPEN):
                open_at = time.monotonic()
                break
        else:
            raise RuntimeError("script/server has ended")
        if looks:
            time.sleep(SETTLED)
            show_idle("script/server", [process.pid], Goal("P12", most=300), Goal("P12", most=6))
        stopping = time.monotonic()
    stopped = time.monotonic() - stopping
    ends = [*list(begins.values())[1:], open_at]
    return open_at - begun, {name: end - begins[name] for name, end in zip(begins, ends, strict=True)}, stopped


@contextlib.contextmanager
def _stopped(process: "subprocess.Popen[str]") -> "Iterator[subprocess.Popen[str]]":
    """As Ctrl-C does, and what it still says is heard: nobody blocks who writes to a full pipe."""
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
