"""A finished game goes out as a record and comes back as a table that everybody only looks at."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engine.records import checking, model
from games.archive import records
from games.errors import Conflict, LimitReached
from games.models import Decision, Game, Move, Seat, User
from games.moderation import tables
from games.people import staff
from games.play.replay import replay
from notifications.models import Notice
from tests.engine.records.making import played
from tests.games.conftest import answer, fresh, open_rows
from tests.games.letters.conftest import end_soon


@pytest.fixture
def over(placing: Game, anna: User, now: dt.datetime) -> Game:
    answer(placing, open_rows(placing)[0], now)
    return end_soon(placing, anna, now)


@pytest.fixture
def sample() -> bytes:
    """A game played elsewhere, with roll-backs and orders."""
    return model.dump(played("cave-of-wonders", 3))


def test_a_record_fits_and_tells_no_address_no_account_and_not_when_a_secret_answer_came(over: Game) -> None:
    record = records.record_of(over)
    assert checking.check(record).head == over.chain
    told = model.dump(record).decode()
    people = User.objects.all()
    assert not any(fact in told for person in people for fact in (person.email, person.ref))
    sealed = [move for move in record.moves if move.decision == "start-treasures"]
    assert [move.at is None for move in sealed] == [True, True, False]  # the last one shows them all
    assert {move.by for move in record.moves} == {"player", "service"}
    assert [seat.name for seat in record.seats] == over.seat_names()
    assert sorted(seat.joined for seat in record.seats) == [0, 1, 2]


def test_there_is_no_record_of_a_game_whose_seed_is_not_published(game: Game, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        records.record_of(game)
    tables.cancel(game=game, by=staff.make_moderator("eva@example.org"), reason="They left", now=now)
    with pytest.raises(Conflict):
        records.record_of(fresh(game))


def test_what_comes_back_is_the_same_game_of_names_without_accounts(over: Game, david: User, now: dt.datetime) -> None:
    data = model.dump(records.record_of(over))
    told = Notice.objects.count()
    game, is_new = records.take_in(data=data, by=david, now=now)
    assert is_new and game.ref != over.ref and replay(fresh(game)).moves == over.seq
    assert (game.status, game.host, game.is_listed, game.is_watchable) == ("finished", david, False, False)
    assert list(game.seats.filter(user__isnull=False)) == []
    assert game.seat_names() == over.seat_names()
    assert [move.first_public for move in game.moves.all()] == [move.first_public for move in over.moves.all()]
    assert not Decision.objects.filter(game=game).exists() and Notice.objects.count() == told
    assert model.dump(records.record_of(fresh(game))) == data


def test_the_same_record_twice_is_one_table_of_the_same_person(
    sample: bytes, anna: User, ben: User, now: dt.datetime
) -> None:
    first, _new = records.take_in(data=sample, by=anna, now=now)
    assert records.take_in(data=sample, by=anna, now=now) == (first, False)
    other, is_new = records.take_in(data=sample, by=ben, now=now)
    assert is_new and other != first
    assert records.imported_by(anna) == [first]


def _changed(**facts: object) -> bytes:
    return json.dumps(json.loads(model.dump(played("cave-of-wonders", 3))) | facts).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{}", "game record"),
        (_changed(server_seed="1" * 64), "match the commitment"),
        (_changed(title="\u200b\u200b"), "has no name"),
        (_changed(started_at="2026-13-41T00:00:00Z"), "game record"),
        (_changed(started_at="2025-11-31T00:00:00Z"), r"2025-11-31"),
        (_changed(finished_at="9999-12-31T23:59:59Z"), "9999"),
        (_changed(started_at="0001-01-01T00:00:00Z"), "started_at"),
    ],
    ids=["none", "tampered", "nameless", "no-date", "no-day", "future", "antiquity"],
)
def test_of_a_bad_record_nothing_is_stored(data: bytes, words: str, anna: User, now: dt.datetime) -> None:
    with pytest.raises(records.BadRecord, match=words):
        records.take_in(data=data, by=anna, now=now)
    assert (Game.objects.count(), Seat.objects.count(), Move.objects.count()) == (0, 0, 0)


def test_a_person_keeps_only_so_many(sample: bytes, anna: User, now: dt.datetime, settings: Any) -> None:
    settings.IMPORTED_GAMES_PER_PERSON = 0
    with pytest.raises(LimitReached, match="limit of imported games"):
        records.take_in(data=sample, by=anna, now=now)
    settings.IMPORTED_GAMES_PER_PERSON = 1
    assert records.take_in(data=sample, by=anna, now=now)[1]


def test_only_its_importer_removes_a_game_and_nobody_one_that_was_played_here(
    sample: bytes, over: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game, _new = records.take_in(data=sample, by=ben, now=now)
    for kept, by in ((game, anna), (over, anna)):
        with pytest.raises(Conflict):
            records.remove_import(game=kept, by=by)
    records.remove_import(game=game, by=ben)
    assert list(Game.objects.all()) == [over]


def test_the_commands_write_and_read_records(
    over: Game, david: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "game.json")
    call_command("export_game", over.ref, out=path)
    call_command("import_game", path, by=david.email)
    (game,) = records.imported_by(david)
    assert f"/table/{game.ref}/" in capsys.readouterr().out
    call_command("export_game", game.ref)
    assert capsys.readouterr().out == Path(path).read_text()
    for command, *wrong in (
        ("export_game", "nothere"),
        ("import_game", "nothere", "--by", david.email),
        ("import_game", path, "--by", "nobody@example.org"),
        ("export_game", over.ref, "--out", str(tmp_path / "no" / "such" / "folder")),
    ):
        with pytest.raises(CommandError):
            call_command(command, *wrong)
