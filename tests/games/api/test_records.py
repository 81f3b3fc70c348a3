"""Records by the API."""

import datetime as dt
import json
from typing import Any

import pytest

from engine.records import checking, model
from games.models import Game, Import, User
from tests.engine.records.making import played
from tests.engine.records.tampering import TAMPERINGS, tampered
from tests.games.api.conftest import Program
from tests.games.conftest import answer, open_rows
from tests.games.importing import check_all
from tests.games.letters.conftest import end_soon

pytestmark = pytest.mark.slow


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


def send(program: Program, data: bytes, now: dt.datetime) -> dict[str, Any]:
    """Sends a record, lets a worker check it, and asks what has come of it."""
    path = f"imports/{program.post('records/', data, 202)['ref']}/"
    assert program.get(path)["state"] == "waiting"
    check_all(now)
    settled: dict[str, Any] = program.get(path)
    return settled


def test_a_record_is_imported_once_and_removed_by_its_importer(
    sample: bytes, annas: Program, david: User, now: dt.datetime
) -> None:
    made = send(annas, sample, now)
    assert made["is_new"] and annas.get(f"games/{made['game_ref']}/")["status"] == "finished"
    assert (made["state"], made["checked"], made["refusal"]) == ("done", made["moves"], "")
    again = send(annas, sample, now)
    assert again | {"ref": made["ref"], "is_new": True} == made
    path = f"/api/v1/records/{made['game_ref']}/"
    davids = Program(david)
    assert davids.client.delete(path, headers=davids.headers).status_code == 404
    davids.get(f"imports/{made['ref']}/", 404)
    assert annas.client.delete(path, headers=annas.headers).status_code == 204
    assert not Game.objects.exists()


def test_a_record_is_taken_with_the_address_at_which_to_ask_and_one_at_a_time(sample: bytes, annas: Program) -> None:
    answered = annas.client.post("/api/v1/records/", sample, content_type="application/json", headers=annas.headers)
    taken = answered.json()
    assert answered.status_code == 202 and answered["Location"] == f"/api/v1/imports/{taken['ref']}/"
    assert (taken["state"], taken["moves"], taken["checked"], taken["game_ref"]) == ("waiting", 0, 0, None)
    assert annas.post("records/", sample, 409)["code"] == "conflict"


@pytest.mark.parametrize("data", [b"", b"7", b"[]", b'{"a":', b'"\\ud800"', b"\xff", b"[" * 9000, b"1" * 9000])
def test_what_is_no_json_object_is_refused_at_once(data: bytes, annas: Program) -> None:
    assert annas.post("records/", data, 400)["code"] == "malformed"
    assert not Import.objects.exists()


@pytest.mark.parametrize("data", [b"{}", b'{"a":7}', b'{"a":"\xff"}', b'{"a":' + b"[" * 300 + b"]" * 300 + b"}"])
def test_what_is_no_record_is_refused(data: bytes, annas: Program, now: dt.datetime) -> None:
    refused = send(annas, data, now)
    assert refused["state"] == "refused" and refused["refusal"].startswith("This isn't a game record: ")
    assert not Game.objects.exists()


def test_what_does_not_fit_and_what_is_too_long_is_refused(
    sample: bytes, annas: Program, settings: object, now: dt.datetime
) -> None:
    refused = send(annas, tampered(sample, TAMPERINGS[0][0]), now)
    assert refused["refusal"] == "The seed doesn't match the commitment." and refused["game_ref"] is None
    settings.LARGEST_RECORD = 1000  # type: ignore[attr-defined]
    assert annas.post("records/", sample, 413)["code"] == "too-large"
    assert not Game.objects.exists()
