"""Games in packages of their own, installed beside the service."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "docs" / "examples"
PIG = EXAMPLES / "pig"

KIT = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "tests.game_author", "--game")
CODE = (ROOT / "script" / "test-game").read_text()
FILES = [word for word in CODE.split() if word.startswith("tests/") and word.endswith(".py")]
"""The tests for authors, by the command that runs them."""

OPENSPIEL = (
    "chess", "hex", "connect-four", "breakthrough", "goofspiel", "leduc-poker", "liars-dice", "tic-tac-toe",
)  # fmt: skip

pytestmark = pytest.mark.slow


def run(*command: str | Path, packages: Path, cwd: Path = ROOT) -> str:
    """Runs a command with the packages of that folder installed. Returns what it says; it must succeed."""
    environment = os.environ | {"PYTHONPATH": str(packages), "VENV": sys.prefix}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def offer(packages: Path, name: str, module: str) -> None:
    """Says there that a module offers games."""
    about = packages / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[caravanserai.games]\n{name} = {module}:GAMES\n")


def offer_another_pig(packages: Path, name: str, **changes: list[tuple[str, str]]) -> Path:
    """Offers the example under another name, with something changed in its modules. Returns its folder."""
    folder = packages / f"caravanserai_{name}"
    shutil.copytree(PIG / "caravanserai_pig", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.suffix == ".mo":
            path.rename(path.with_name(f"{name}.mo"))
            continue
        text = path.read_text().replace("pig", name).replace("Pig", name.capitalize())
        for old, new in changes.get(path.stem, []) if path.suffix == ".py" else []:
            assert old in text
            text = text.replace(old, new)
        path.unlink()
        path.with_name(path.name.replace("pig", name)).write_text(text)
    offer(packages, name, folder.name)
    return folder


def test_a_game_for_exactly_two_that_is_over_after_one_answer_passes_the_tests_for_authors(tmp_path: Path) -> None:
    offer_another_pig(
        tmp_path, "duel", __init__=[("(2, 3, 4)", "(2,)"), ("return any(", "return state.turn > 1 or any(")]
    )
    assert len(FILES) > 3
    assert " passed" in run(*KIT, "duel", *FILES, packages=tmp_path)


def install(name: str, packages: Path) -> None:
    """As pip does it, which puts in what the package says belongs to it."""
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--target", packages)
    run(sys.executable, "-m", "pip", "install", *options, EXAMPLES / name, packages=packages)


def test_an_example_of_a_game_is_installed_and_played_to_its_winner_in_every_way(tmp_path: Path) -> None:
    install("pig", tmp_path)
    assert " passed" in run(*KIT, "pig", *FILES, packages=tmp_path)


def test_an_example_of_a_game_with_sealed_answers_is_tested_from_its_own_folder_and_played_by_mail(
    tmp_path: Path,
) -> None:
    install("gops", tmp_path)
    said = run(ROOT / "script" / "test-game", "gops", "2", packages=tmp_path, cwd=EXAMPLES / "gops")
    assert "Winner: " in said
    assert "Nothing was wrong." in said


@pytest.mark.parametrize("options", ["--grid", "--hex --sealed", "--cards"])
def test_a_new_game_passes_the_tests_for_authors_and_is_played_in_every_way_at_once(
    tmp_path: Path, options: str
) -> None:
    run(ROOT / "script" / "new-game", "royal-goose", *options.split(), packages=ROOT, cwd=tmp_path)
    packages = tmp_path / "caravanserai-royal-goose"
    offer(packages, "royal-goose", "caravanserai_royal_goose")
    assert " passed" in run(*KIT, "royal-goose", *FILES, packages=packages)


@pytest.mark.open_spiel
def test_games_of_openspiel_are_as_the_service_needs_them_and_played_to_a_winner_by_mail(tmp_path: Path) -> None:
    """Each is in turns or at once, open or hidden; none was written for this service."""
    offer(tmp_path, "openspiel", "caravanserai_openspiel")
    shutil.copytree(EXAMPLES / "openspiel" / "caravanserai_openspiel", tmp_path / "caravanserai_openspiel")
    each = [f"--game=openspiel-{name}" for name in OPENSPIEL[1:]]
    assert f"{len(OPENSPIEL)} passed" in run(*KIT, "openspiel-chess", *each, FILES[-1], packages=tmp_path)
    at_once, hidden = "openspiel-goofspiel", "openspiel-leduc-poker"
    assert " passed" in run(*KIT, at_once, "--game", hidden, *FILES[:2], packages=tmp_path)


PLAYED = """
import sys
from pathlib import Path
from django.test import RequestFactory
from engine.records import model
from games.archive import verifier
from games.web import archive
from tests.engine.records.making import played
Path(sys.argv[1], "game.json").write_bytes(model.dump(played("sow", 2)))
assert verifier.package_of("sow") == "sow" and verifier.package_of("cave-of-wonders") == ""
Path(sys.argv[1], "plain.pyz").write_bytes(verifier.bundle())
offered = archive.download_verifier(RequestFactory().get("/"), "sow")
Path(sys.argv[1], "whole.pyz").write_bytes(offered.content)
assert verifier.name_of("sow") in offered["Content-Disposition"]
"""


def test_the_record_of_such_a_game_is_checked_by_the_archive_that_has_its_rules_and_by_no_other_called_wrong(
    tmp_path: Path,
) -> None:
    packages, alone = tmp_path / "packages", tmp_path / "alone"
    packages.mkdir()
    alone.mkdir()
    offer_another_pig(packages, "sow")
    script = f"import sys; sys.argv[1:] = [{str(alone)!r}]\n{PLAYED}"
    run(sys.executable, "manage.py", "shell", "-v", "0", "-c", script, packages=packages)

    def verify(program: str) -> tuple[int, str]:
        command = [sys.executable, "-I", program, "game.json", "--language", "en"]
        done = subprocess.run(command, cwd=alone, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    status, said = verify("whole.pyz")
    assert status == 0 and "The record is correct." in said
    status, said = verify("plain.pyz")
    assert status == 2 and "can't be checked here" in said and "rules “sow”, which isn't here" in said
    record = (alone / "game.json").read_text()
    (alone / "game.json").write_text(record.replace('"gain":', '"gain":1', 1))
    status, said = verify("whole.pyz")
    assert status == 1 and "The record is wrong." in said


PICTURED = (
    "    def ask(",
    "    def picture(self, *seen):\n        return {**super().picture(*seen), 'kit': self.name}\n\n    def ask(",
)
"""Draws the board with a template of the game's own."""


def test_a_game_that_cannot_be_loaded_or_played_is_left_out_and_stops_nothing(tmp_path: Path) -> None:
    for name, code in {
        "absent": "from nowhere_at_all import GAMES",
        "again": "from engine.registry import _OURS as GAMES",
        "mute": "class Rules:\n    name, version, seat_counts = 'mute', 1, (2,)\n\nGAMES = [Rules()]",
    }.items():
        (tmp_path / f"{name}.py").write_text(code)
        offer(tmp_path, name, name)
    offer_another_pig(tmp_path, "bare", __init__=[PICTURED])
    boxless = offer_another_pig(tmp_path, "boxless", __init__=[PICTURED]) / "jinja2/games/boards/boxless.svg"
    boxless.parent.mkdir(parents=True)
    boxless.write_text("<svg></svg>")
    offer_another_pig(tmp_path, "formless", __init__=[("points: list[int]", "points: 'Nowhere'")])
    said = run(sys.executable, "manage.py", "check", packages=tmp_path)
    assert "'bare' of another package is left out: TemplateDoesNotExist" in said
    assert "'boxless' of another package is left out: ValueError: the picture's <svg> has no viewBox" in said
    assert "'formless' of another package is left out: NameError" in said
    assert "'absent' of another package is left out: ModuleNotFoundError" in said
    assert "'again' of another package is left out: " in said
    assert "'mute' of another package is left out: AttributeError" in said
    code = "from engine.registry import newest; print([rules.name for rules in newest()])"
    assert "['aladdins-dragons', 'cave-of-wonders']" in run(
        sys.executable, "manage.py", "shell", "-v", "0", "-c", code, packages=tmp_path
    )
