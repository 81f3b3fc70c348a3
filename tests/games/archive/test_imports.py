"""A worker checks what strangers give us, in a process that is bound."""

import datetime as dt
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import DataError, OperationalError
from django.utils import translation

from engine.records import model
from games import ticks
from games.archive import records
from games.archive.verifier import bounded
from games.errors import Conflict, LimitReached, NotFound, TooMany
from games.models import Game, Import, User
from games.privacy import erasure
from tests.engine.records.making import played
from tests.engine.records.tampering import TAMPERINGS, tampered
from tests.games.importing import PATIENCE, check_all
from tests.games.privacy.test_retention import clear

SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)
BURN = "import games.archive.verifier.bounded as b; b.MOST_SECONDS = 1; b._bind()\nwhile True: pass"
HANG = "import time; time.sleep(600)"
DIE = "raise SystemExit(3)"
pytestmark = pytest.mark.slow  # each begins a process


@pytest.fixture
def sample() -> bytes:
    return model.dump(played("cave-of-wonders", 3))


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    while records._now_checking:
        records._forget()


def instead(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """The process that checks does something else."""
    monkeypatch.setattr(bounded, "COMMAND", (sys.executable, "-c", program))


def wait_for_its_end() -> None:
    stop = time.monotonic() + PATIENCE
    while records._now_checking[0].status is None:
        assert time.monotonic() < stop
        time.sleep(0.02)


@pytest.mark.both
def test_a_record_that_was_sent_becomes_a_game_without_the_request_looking_at_it(
    sample: bytes, anna: User, now: dt.datetime
) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    assert (row.state, row.moves, Game.objects.count()) == ("waiting", 0, 0)
    check_all(now)
    row = records.find_import(anna, row.ref)
    moves = len(played("cave-of-wonders", 3).moves)
    assert (row.state, row.moves, row.checked, row.is_new, row.refusal) == ("done", moves, moves, True, "")
    assert row.game is not None and row.game.chain == model.load(sample).moves[-1].chain
    assert not row.data
    again = records.request_import(data=sample, by=anna, now=now)
    check_all(now)
    again = records.find_import(anna, again.ref)
    assert (again.game, again.is_new) == (row.game, False)


@pytest.mark.parametrize(("tamper", "_codes"), TAMPERINGS[::18])
def test_what_does_not_fit_is_refused_in_the_words_of_the_verifier_and_in_the_readers_language(
    sample: bytes, anna: User, now: dt.datetime, tamper: Any, _codes: str
) -> None:
    data = tampered(sample, tamper)
    with pytest.raises(records.BadRecord) as refused:
        records.take_in(data=data, by=anna, now=now)
    row = records.request_import(data=data, by=anna, now=now)
    check_all(now)
    row = records.find_import(anna, row.ref)
    assert (row.state, Game.objects.count()) == ("refused", 0)
    assert row.refusal_in_words == refused.value.message
    assert row.refusal_code == refused.value.fault.code
    with translation.override("es"):
        assert row.refusal_in_words not in ("", refused.value.message)


def test_a_refusal_that_an_older_version_stored_as_a_sentence_is_shown_as_it_was_written(anna: User) -> None:
    row = Import(user=anna, state="refused", refusal="Este registro no vale.")
    assert (row.refusal_in_words, row.refusal_code) == ("Este registro no vale.", "")


def test_a_record_whose_table_has_no_name_is_refused_by_a_code_of_its_own(
    sample: bytes, anna: User, now: dt.datetime
) -> None:
    records.request_import(data=json.dumps(json.loads(sample) | {"title": "\u200b"}).encode(), by=anna, now=now)
    check_all(now)
    row = Import.objects.get()
    assert (row.refusal_code, row.refusal_in_words) == ("import.title", "The table in this record has no name.")


def test_its_progress_is_on_the_row(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = 'import sys, time; print(\'{"moves":90,"checked":7}\\n{"mov\', end=\'\', flush=True); time.sleep(600)'
    instead(monkeypatch, told)
    row = records.request_import(data=sample, by=anna, now=now)
    stop = time.monotonic() + PATIENCE
    while not row.checked:
        assert time.monotonic() < stop
        records.check_next_import(now)
        row.refresh_from_db()
    assert (row.state, row.moves, row.checked) == ("running", 90, 7)


@pytest.mark.parametrize("bot", ["greedy\0", "nobody"])
def test_a_record_with_a_bot_that_its_rules_do_not_have_is_refused_and_the_next_one_is_checked_at_once(
    bot: str, sample: bytes, anna: User, ben: User, now: dt.datetime
) -> None:
    data = json.loads(sample)
    data["seats"][0]["bot"] = bot
    refused = records.request_import(data=json.dumps(data).encode(), by=anna, now=now)
    good = records.request_import(data=sample, by=ben, now=now)
    check_all(now)
    assert records.find_import(anna, refused.ref).state == "refused"
    assert records.find_import(ben, good.ref).state == "done"


@pytest.mark.both
@pytest.mark.parametrize("error", [ValueError("A string literal cannot contain NUL"), DataError("value too long")])
def test_a_record_that_cannot_be_kept_is_refused_and_holds_up_nobody(
    error: Exception, sample: bytes, anna: User, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    with monkeypatch.context() as broken:
        broken.setattr(records, "_store", Mock(side_effect=error))
        check_all(now)
    assert records.find_import(anna, row.ref).refusal_code == "import.unchecked"
    good = records.request_import(data=sample, by=ben, now=now)
    check_all(now)
    assert records.find_import(ben, good.ref).state == "done"


def test_a_database_that_is_away_while_a_record_is_kept_refuses_no_record_and_frees_the_lease(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    records.check_next_import(now)
    wait_for_its_end()
    with monkeypatch.context() as broken:
        broken.setattr(records, "_store", Mock(side_effect=OperationalError("the connection is lost")))
        with pytest.raises(OperationalError):
            records.check_next_import(now)
    assert records.find_import(anna, row.ref).state == "running"
    check_all(now)
    assert records.find_import(anna, row.ref).state == "done"


def test_a_process_that_cannot_be_begun_holds_no_lease(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    with monkeypatch.context() as broken:
        broken.setattr(records, "Checking", Mock(side_effect=OSError("no memory")))
        with pytest.raises(OSError):
            records.check_next_import(now)
    check_all(now)
    assert records.find_import(anna, row.ref).state == "done"


def test_what_takes_too_much_time_is_refused_in_words(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, BURN)
    row = records.request_import(data=sample, by=anna, now=now)
    check_all(now)
    assert "8 seconds of processor time" in records.find_import(anna, row.ref).refusal_in_words


COSTLY = {
    "lists": (b'"events": [{"a": [', b"[]", b"]}]"),
    "objects": (b'"events": [', b"{}", b"]"),
    "names": (b'"events": [', b'{"a":[{}]}', b"]"),
}


def costly(sample: bytes, kind: str, size: int) -> bytes:
    """A record of one move, in which as much is as there is room for."""
    record = json.loads(sample)
    record["moves"] = [record["moves"][0] | {"events": []}]
    before, after = json.dumps(record).encode().split(b'"events": []')
    first, unit, last = COSTLY[kind]
    room = size - len(before + first + last + after)
    return before + first + b",".join([unit] * (room // (len(unit) + 1))) + last + after


@pytest.mark.parametrize("kind", ["objects", "names"])
def test_four_megabytes_of_the_smallest_things_stay_within_their_bounds(
    sample: bytes, kind: str, anna: User, now: dt.datetime, settings: Any
) -> None:
    row = records.request_import(data=costly(sample, kind, settings.LARGEST_RECORD), by=anna, now=now)
    check_all(now)
    assert (
        "Move 1 leads to something other than the record says." in records.find_import(anna, row.ref).refusal_in_words
    )


def test_memory_beyond_the_bound_is_refused_in_words(sample: bytes, anna: User, now: dt.datetime) -> None:
    data = costly(sample, "lists", 8 * 1024**2)  # larger than any that a request would take
    row = records.request_import(data=data, by=anna, now=now)
    check_all(now)
    assert (
        records.find_import(anna, row.ref).refusal_in_words == "Checking this record takes more than 200 MB of memory."
    )


def test_the_bounds_are_the_kernels(tmp_path: Path) -> None:
    program = (
        "import resource as r, os, games.archive.verifier.bounded as b; b._bind()\n"
        "print(r.getrlimit(r.RLIMIT_CPU), r.getrlimit(r.RLIMIT_AS)[0], os.nice(0))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=bounded.ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert said.split() == ["(8,", "9)", str(200 * 1024**2), str(min(os.nice(0) + 10, 19))]


def test_the_largest_games_pass(anna: User, now: dt.datetime) -> None:
    game = played("aladdins-dragons", 5, version="magic", tally="plan")
    assert len(game.moves) > 2000 and {"branch", "orders"} <= {move.kind for move in game.moves}
    row = records.request_import(data=model.dump(game), by=anna, now=now)
    check_all(now)
    assert records.find_import(anna, row.ref).state == "done"


def test_a_person_has_one_import_at_a_time_and_another_one_waits_for_nobody(
    sample: bytes, anna: User, ben: User, now: dt.datetime
) -> None:
    records.request_import(data=sample, by=anna, now=now)
    with pytest.raises(Conflict, match="One import at a time"):
        records.request_import(data=sample, by=anna, now=now)
    records.request_import(data=b"{}", by=ben, now=now)
    check_all(now)
    assert records.request_import(data=sample, by=anna, now=now).state == "waiting"


def test_nobody_keeps_or_sends_more_than_so_many(
    sample: bytes, anna: User, now: dt.datetime, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORTED_GAMES_PER_PERSON = 0
    with pytest.raises(LimitReached, match="limit of imported games"):
        records.request_import(data=sample, by=anna, now=now)
    settings.IMPORTED_GAMES_PER_PERSON = 5
    monkeypatch.setattr(records, "MOST_A_DAY", 1)
    records.request_import(data=b"", by=anna, now=now)
    check_all(now)
    with pytest.raises(TooMany, match="tomorrow"):
        records.request_import(data=sample, by=anna, now=now + DAY / 2)
    records.request_import(data=sample, by=anna, now=now + 2 * DAY)


@pytest.mark.both
def test_only_one_record_is_checked_at_a_time_by_all_workers(
    sample: bytes, anna: User, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, HANG)
    records.request_import(data=sample, by=anna, now=now)
    records.request_import(data=sample, by=ben, now=now)
    records.check_next_import(now)
    assert records._claim(now) is None  # another worker
    assert sorted(Import.objects.values_list("state", flat=True)) == ["running", "waiting"]


def test_a_worker_whose_tick_takes_long_keeps_its_record(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, HANG)
    records.request_import(data=sample, by=anna, now=now)
    records.check_next_import(now)
    assert records._claim(now + dt.timedelta(minutes=3)) is None, "everything else a tick does may take so long"


@pytest.mark.both
def test_a_record_whose_worker_died_is_checked_again_and_at_last_refused(
    sample: bytes, anna: User, now: dt.datetime
) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    for _try in range(records.MOST_TRIES):
        assert records._claim(now) == row  # and then the worker dies
        assert records._claim(now) is None
        now += records.LEASE + SECOND
    assert records._claim(now) is None
    row.refresh_from_db()
    assert (row.state, row.refusal_in_words) == ("refused", "This record couldn't be checked here.")


@pytest.mark.both
def test_after_a_death_the_next_worker_finishes_and_the_first_one_if_it_lives_writes_nothing(
    sample: bytes, anna: User, now: dt.datetime
) -> None:
    records.request_import(data=sample, by=anna, now=now)
    records.check_next_import(now)
    wait_for_its_end()
    later = now + records.LEASE + SECOND
    row = records._claim(later)  # by another worker
    assert row is not None and row.tries == 2
    records.check_next_import(later)
    assert not records._now_checking and Game.objects.count() == 0
    row.refresh_from_db()
    assert (row.state, row.tries) == ("running", 2)
    check_all(later + records.LEASE + SECOND)
    assert Game.objects.count() == 1


def test_a_process_that_somebody_ends_is_begun_anew(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    with monkeypatch.context() as dying:
        instead(dying, DIE)
        records.check_next_import(now)
        wait_for_its_end()
        records.check_next_import(now)
    assert records.find_import(anna, row.ref).state == "running"
    check_all(now + SECOND)
    assert records.find_import(anna, row.ref).state == "done"


def test_an_import_whose_person_is_gone_is_given_up(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, HANG)
    records.request_import(data=sample, by=anna, now=now)
    records.check_next_import(now)
    process = records._now_checking[0]._process
    Import.objects.all().delete()
    records.check_next_import(now)
    assert process.returncode is not None and not records._now_checking


def test_the_ticker_waits_for_no_record(
    sample: bytes, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, HANG)
    row = records.request_import(data=sample, by=anna, now=now)
    for _tick in range(3):
        ticks.look_at_processes()
    assert records.find_import(anna, row.ref).state == "running"


def test_an_import_is_its_persons_alone(sample: bytes, anna: User, ben: User, now: dt.datetime) -> None:
    row = records.request_import(data=sample, by=anna, now=now)
    assert records.open_import_of(anna) == row and records.open_import_of(ben) is None
    with pytest.raises(NotFound):
        records.find_import(ben, row.ref)


def test_what_came_of_imports_is_forgotten_after_a_while_and_with_the_account(
    anna: User, ben: User, now: dt.datetime, settings: Any
) -> None:
    for person in (anna, ben):
        records.request_import(data=b"{}", by=person, now=now)
    check_all(now)
    clear(now + (settings.KEEP_DAYS["imports"] - 1) * DAY)
    assert Import.objects.count() == 2
    clear(now + (settings.KEEP_DAYS["imports"] + 2) * DAY)
    assert not Import.objects.exists()
    waiting = records.request_import(data=b"{}", by=anna, now=now)
    erasure.erase(anna, takes_words=False, now=now)
    assert not Import.objects.filter(pk=waiting.pk).exists()
