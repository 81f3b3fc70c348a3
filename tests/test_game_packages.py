"""Games in packages of their own, installed beside the service."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PIG = ROOT / "docs" / "examples" / "pig"

pytestmark = pytest.mark.slow


def run(*command: str | Path, packages: Path, cwd: Path = ROOT) -> str:
    """Runs a command with the packages of that folder installed. Returns what it says; it must succeed."""
    environment = os.environ | {"PYTHONPATH": str(packages), "VENV": sys.prefix}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def offer(packages: Path, name: str, code: str) -> None:
    """Puts a package there that offers a game."""
    (packages / f"{name}.py").write_text(code)
    about = packages / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[caravanserai.games]\n{name} = {name}:GAMES\n")


def test_the_example_of_a_game_is_installed_tested_from_its_own_folder_and_played_by_mail(tmp_path: Path) -> None:
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--target", tmp_path)
    run(sys.executable, "-m", "pip", "install", *options, PIG, packages=tmp_path)
    said = run(ROOT / "script" / "test-game", "pig", packages=tmp_path, cwd=PIG)
    assert "Winner: " in said
    assert "Nothing was wrong." in said


def test_a_game_that_cannot_be_loaded_or_played_is_left_out_and_stops_nothing(tmp_path: Path) -> None:
    offer(tmp_path, "absent", "from nowhere_at_all import GAMES")
    offer(tmp_path, "again", "from engine.registry import _OURS as GAMES")
    offer(tmp_path, "mute", "class Rules:\n    name, version, seat_counts = 'mute', 1, (2,)\n\nGAMES = [Rules()]")
    said = run(sys.executable, "manage.py", "check", packages=tmp_path)
    assert "'absent' of another package is left out: ModuleNotFoundError" in said
    assert "'again' of another package is left out: " in said
    assert "'mute' of another package is left out: AttributeError" in said
    code = "from engine.registry import newest; print([rules.name for rules in newest()])"
    assert "['aladdins-dragons', 'cave-of-wonders']" in run(sys.executable, "-c", code, packages=tmp_path)
