"""The verifier as its user has it: one file, run by a Python that has msgspec and nothing else of ours."""

import datetime as dt
import importlib.util
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from engine.records import checking, model
from games.archive import records, verifier
from games.models import Game, User
from tests.engine.records.making import played
from tests.engine.records.tampering import TAMPERINGS, name_of, tampered
from tests.games.conftest import answer, open_rows
from tests.games.letters.conftest import end_soon

pytestmark = pytest.mark.slow


class Bare:
    """A place with a Python of its own, the program and some records."""

    def __init__(self, place: Path) -> None:
        self.place = place
        venv.create(place / "venv", with_pip=False, symlinks=True)
        found = importlib.util.find_spec("msgspec")
        assert found is not None and found.origin is not None
        (packages,) = (place / "venv").glob("lib/python*/site-packages")
        (packages / "msgspec").symlink_to(Path(found.origin).parent)
        (place / verifier.name_of()).write_bytes(verifier.bundle())

    def keep(self, name: str, data: bytes) -> str:
        """Writes a record there."""
        (self.place / name).write_bytes(data)
        return name

    def verify(self, *arguments: str, **more: str) -> tuple[int, list[str]]:
        """Runs the program; its status, and the lines it writes."""
        python = self.place / "venv" / "bin" / "python"
        environment = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")} | more
        done = subprocess.run(
            [python, "-I", verifier.name_of(), *arguments],
            cwd=self.place,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, (done.stdout or done.stderr).splitlines()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Bare:
    """Made once."""
    return Bare(tmp_path_factory.mktemp("bare"))


def test_it_accepts_the_record_of_a_game_that_was_played_here(
    bare: Bare, placing: Game, anna: User, now: dt.datetime
) -> None:
    answer(placing, open_rows(placing)[0], now)
    game = end_soon(placing, anna, now)
    name = bare.keep("here.json", model.dump(records.record_of(game)))
    status, said = bare.verify(name, "--commitment", game.commitment, "--hash", game.chain)
    assert status == 0 and said[0] == "here.json: The record is correct."
    assert f"  Last hash: {game.chain}" in said
    assert "To be sure" not in " ".join(said)
    (unproven,) = [line for line in bare.verify(name, "--commitment", game.commitment)[1] if "To be sure" in line]
    assert "give --hash as well" in unproven
    other = bare.verify(name, "--commitment", "0" * 64)
    assert other == (1, ["here.json: The record is wrong. The commitment isn't the one you gave."])
    other = bare.verify(name, "--hash", "0" * 64)
    assert other == (1, ["here.json: The record is wrong. The last hash isn't the one you gave."])


def test_it_refuses_every_kind_of_tampering_and_names_what_is_wrong(bare: Bare) -> None:
    record = model.dump(played("cave-of-wonders", 3))
    names = [bare.keep(f"{name_of(tamper)}.json", tampered(record, tamper)) for tamper, _codes in TAMPERINGS]
    status, said = bare.verify(bare.keep("true.json", record), *names, LANG="es_ES.UTF-8")
    assert status == 1 and said[0] == "true.json: El registro es correcto."
    unchecked = [line for line in said if "Este registro no se puede comprobar aquí." in line]
    lacking = ["other-rules.json", "former-format.json"]
    assert [line.split(":")[0] for line in unchecked] == lacking, "rules that aren't here are no fraud"
    refused = [line for line in said if "El registro no es correcto." in line]
    assert [line.split(":")[0] for line in refused] == [name for name in names if name not in lacking]
    assert len(names) > 30 and len({line.split(".json: ")[1] for line in refused}) > 12
    assert any("El hash de la jugada" in line for line in refused)


def test_it_accepts_dragons_with_magic_plans_and_roll_backs(bare: Bare) -> None:
    record = played("aladdins-dragons", 3, most=500, version="magic", tally="plan")
    assert {"plan", "sheet"} <= {(move.action or {}).get("type") for move in record.moves}
    data = model.dump(record)
    (tamper,) = [tamper for tamper, _codes in TAMPERINGS if name_of(tamper) == "another-score"]  # the last thing seen
    changed = bare.keep("changed.json", tampered(data, tamper))
    status, said = bare.verify(bare.keep("magic.json", data), changed)
    assert status == 1 and said[0] == "magic.json: The record is correct."
    assert said[-1] == "changed.json: The record is wrong. The game ended differently from what the record says."


def test_what_cannot_be_read_and_what_is_missing_is_said_in_a_line(bare: Bare) -> None:
    status, said = bare.verify("nothere.json")
    assert status == 2 and said == ["nothere.json: There's no such file."]
    done = subprocess.run(
        [sys.executable, "-I", "-S", bare.place / verifier.name_of(), "x"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "pip install msgspec" in done.stderr and "Traceback" not in done.stderr


def test_a_record_whose_rules_or_format_it_lacks_is_called_unchecked_and_not_wrong(bare: Bare) -> None:
    record = json.loads(model.dump(played("cave-of-wonders", 3)))
    unknown = bare.keep("unknown.json", json.dumps(record | {"rules": "pig"}).encode())
    newer = bare.keep("newer.json", json.dumps(record | {"format_version": 3, "proof": "another"}).encode())
    wrong = bare.keep("wrong.json", json.dumps(record | {"ref": "Another12345"}).encode())
    assert bare.verify(unknown) == (
        2,
        ["unknown.json: This record can't be checked here. This needs version 1 of the rules “pig”, which isn't here."],
    )
    status, (said,) = bare.verify(newer)
    assert status == 2 and "can't be checked here" in said and "version 3 of the format" in said
    assert bare.verify(wrong)[0] == bare.verify(wrong, unknown)[0] == bare.verify(unknown, wrong)[0] == 1


def test_a_position_in_the_record_is_that_of_the_replay_and_older_files_without_are_unchecked(bare: Bare) -> None:
    record = json.loads(model.dump(played("cave-of-wonders", 3)))
    assert all(move["position"] for move in record["moves"])
    record["moves"][4]["position"] = "0" * 64
    status, (said,) = bare.verify(bare.keep("position.json", json.dumps(record).encode()))
    assert status == 1 and "The position's hash of move 5 is wrong." in said
    for move in record["moves"]:
        del move["position"]
    status, (said,) = bare.verify(bare.keep("older.json", json.dumps(record).encode()))
    assert status == 2 and "The verifier of release 0.1.0 reads it" in said


def test_all_that_it_prints_is_in_one_language(bare: Bare) -> None:
    record = model.dump(played("cave-of-wonders", 3))
    name = bare.keep("one.json", record)
    spoken = [
        *bare.verify(name, "--language", "de")[1],
        *bare.verify(name, "--language", "de", "--hash", "0" * 64)[1],
        *bare.verify("nothere.json", "--language", "de")[1],
        *bare.verify("--language", "de", "--no-such-option")[1],
        *bare.verify("--language", "de")[1],
        *bare.verify("--language", "de", "--help")[1],
    ]
    english = [one.partition("{")[0].strip() for one in checking.SENTENCES.values()]
    assert len(spoken) > 15
    assert [line for line in spoken if any(one in line for one in english if one and one != "Commitment:")] == []
    assert "Die Aufzeichnung stimmt." in spoken[0] and any(line.startswith("Aufruf:") for line in spoken)
    assert any("de, es" in line for line in bare.verify("--help")[1]), "and English says which languages there are"
    assert bare.verify("--no-such-option")[0] == 2 and bare.verify()[0] == 2


def test_the_same_sources_make_the_same_file_of_sources_alone(bare: Bare, tmp_path: Path) -> None:
    verifier.bundle.cache_clear()
    path = tmp_path / "again.pyz"
    call_command("make_verifier", str(path))
    assert path.read_bytes() == (bare.place / verifier.name_of()).read_bytes()
    with ZipFile(path) as archive:
        names = archive.namelist()
    assert {Path(name).suffix for name in names} == {".py", ".json", ".mo"}
    assert {name.split("/")[0] for name in names} == {"engine", "__main__.py"}


@pytest.mark.django_db
def test_everybody_downloads_it() -> None:
    response = Client().get(reverse("verifier"))
    assert response.content == verifier.bundle()
    assert verifier.name_of() in response["Content-Disposition"]
    assert Client().get(reverse("package_verifier", args=["nowhere"])).status_code == 404
