"""Records by the API."""

import datetime as dt
import json

import pytest

from engine.records import checking, model
from games.models import Game, User
from tests.engine.records.making import played
from tests.engine.records.tampering import TAMPERINGS, tampered
from tests.games.api.conftest import Program
from tests.games.conftest import answer, open_rows
from tests.games.letters.conftest import end_soon


@pytest.fixture
def sample() -> bytes:
    return model.dump(played("cave-of-wonders", 3))


def test_a_finished_game_has_a_record_and_a_running_one_has_none(
    game: Game, anna: User, david: User, annas: Program, now: dt.datetime
) -> None:
    path = f"games/{game.ref}/record/"
    assert annas.get(path, 409)["code"] == "conflict"
    answer(game, open_rows(game)[0], now)
    over = end_soon(game, anna, now)
    record = json.dumps(annas.get(path)).encode()
    assert checking.check(model.load(record)).head == over.chain
    Program(david).get(path, 404)


def test_a_record_is_imported_once_and_removed_by_its_importer(sample: bytes, annas: Program, david: User) -> None:
    made = annas.post("records/", sample, 201)
    assert made["is_new"] and annas.get(f"games/{made['ref']}/")["status"] == "finished"
    assert annas.post("records/", sample) == {"ref": made["ref"], "is_new": False}
    path = f"/api/v1/records/{made['ref']}/"
    davids = Program(david)
    assert davids.client.delete(path, headers=davids.headers).status_code == 404
    assert annas.client.delete(path, headers=annas.headers).status_code == 204
    assert not Game.objects.exists()


@pytest.mark.parametrize("data", [b"", b"7", b"[]", b'{"a":', b'"\\ud800"', b"\xff", b"[" * 9000, b"1" * 9000])
def test_what_is_no_record_is_refused(data: bytes, annas: Program) -> None:
    assert annas.post("records/", data, 422)["code"] == "bad-record"
    assert not Game.objects.exists()


def test_what_does_not_fit_and_what_is_too_long_is_refused(sample: bytes, annas: Program, settings: object) -> None:
    changed = tampered(sample, TAMPERINGS[0][0])
    refused = annas.post("records/", changed, 422)
    assert (refused["code"], refused["detail"]) == ("bad-record", "The seed is not the one that was committed to.")
    settings.LARGEST_RECORD = 1000  # type: ignore[attr-defined]
    assert annas.post("records/", sample, 413)["code"] == "too-large"
    assert not Game.objects.exists()
