"""The log of a game that is over is packed, and nobody who reads it can tell."""

import datetime as dt
import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records import model
from games import ticks
from games.api import game_shapes
from games.archive import player_profile, records, review_sentences, reviews
from games.lobby import guests
from games.models import (
    Comment,
    Decision,
    Extension,
    Game,
    Move,
    PackedLog,
    Report,
    Seat,
    SeatTenure,
    User,
)
from games.moderation.entries import exclude_own_games
from games.play import decision_links, history, queries, stored_moves
from games.play import replay as roll_backs
from games.play import roll_backs as moves_back
from games.play.replay import ReplayMismatch, replay
from games.privacy import erasure, personal_data
from notifications.clock import present
from tests.crashes import deaths
from tests.games.archive.storing import store
from tests.games.conftest import answer, cave_of_three, fresh, open_rows, play_to_the_end, seat_of, settle
from tests.games.letters.conftest import end_soon

DAY = dt.timedelta(days=1)
PLACES = (
    *("table", "history", "statistics", "last_tally", "record", "verify"),
    *("api_read_game", "api_read_log", "api_read_record", "api_read_statistics", "api_read_story", "api_read_tally"),
)  # of a game that is over
DRAWN = re.compile(rb"\b(\w{64}|[0-9a-f]{24})\b")  # keys of forms; the ETag of a page, which tells of one's last row
SOON = dt.timedelta(days=31)


@pytest.fixture
def over(placing: Game, anna: User, now: dt.datetime) -> Game:
    """A game that has ended early, with sealed answers, and a deadline that was moved."""
    row = open_rows(placing)[0]
    Extension.objects.create(decision=row, reason="host", old_due_at=now, new_due_at=now + DAY, created_at=now)
    answer(placing, row, now)
    return end_soon(placing, anna, now)


def rows_of(game: Game) -> list[list[dict[str, Any]]]:
    """All that packing takes out of rows."""
    asked = Decision.objects.filter(game=game)
    found = (Move.objects.filter(game=game), asked, Extension.objects.filter(decision__in=asked))
    return [list(rows.order_by("pk").values()) for rows in found]


def pack(game: Game, now: dt.datetime) -> Game:
    assert stored_moves.pack_log(game.pk, now + SOON)
    packed = fresh(game)
    assert packed.is_packed and not packed.moves.exists()
    return packed


def told(game: Game, viewers: list[User | None]) -> list[Any]:
    """What readers of the log get."""
    found: list[Any] = [model.dump(records.record_of(game)), replay(game).head, history.story(game)]
    for viewer in viewers:
        access = queries.Access(fresh(game), seat_of(game, viewer) if viewer else None)
        found += [
            history.log_lines(access),
            history.recent_lines(access, 3),
            history.since_last_answer(access),
            history.last_answer(access),
            *(game_shapes.log_data(access, after=after, limit=10) for after in (0, 1, 7, game.public_events)),
            history.newest_steps(game, 3),
            *(history.step_of(access, number) for number in (1, 2, None)),
        ]
    return found


def test_what_everybody_reads_is_the_same_whether_or_not_a_log_is_packed(
    over: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    before = told(over, [None, anna, ben])
    assert told(pack(over, now), [None, anna, ben]) == before


def in_words(game: Game) -> review_sentences.ReviewInWords:
    review = reviews.review_of(game).review
    assert review is not None
    return review_sentences.ReviewSentences(queries.Access(game, None), review).told()


@pytest.mark.slow
def test_a_whole_game_that_was_taken_back_is_the_same_packed(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game = cave_of_three(now)
    for _answer in range(6):
        answer(game, open_rows(game)[0], now)
        settle(now)
    moves_back.branch_off(game_id=game.pk, step=4, actor=david, now=now)
    game = play_to_the_end(fresh(game), now)
    store(game, 0, now)
    before = [*told(game, [None, anna, carla]), roll_backs.roll_backs(game), in_words(game)]
    packed = pack(game, now)
    assert [*told(packed, [None, anna, carla]), roll_backs.roll_backs(packed), in_words(packed)] == before


def test_pages_and_programs_get_the_same_bytes(over: Game, anna: User, client: Client, now: dt.datetime) -> None:
    client.force_login(anna)
    paths = [reverse(name, args=[over.ref]) for name in PLACES]

    def seen() -> list[bytes]:
        return [DRAWN.sub(b"", b"".join(client.get(path))) for path in paths]

    before = seen()
    pack(over, now)
    assert seen() == before


def test_each_seat_keeps_its_newest_question_by_which_talk_is_answered(over: Game, now: dt.datetime) -> None:
    newest = {seat.decisions.order_by("-pk").first() for seat in over.seats.all()} - {None}
    old = over.decisions.exclude(pk__in=[row.pk for row in newest if row])[0]
    pack(over, now)
    assert set(over.decisions.all()) == newest
    assert (
        Client().get(decision_links.act_url(old)).status_code == 404
    )  # a page that says so; and where he stays he is heard
    assert all(Client().get(decision_links.act_url(row)).status_code == 200 for row in newest if row)


def test_a_reader_who_read_the_game_before_it_was_packed_finds_its_log(
    over: Game, anna: User, now: dt.datetime
) -> None:
    stale = fresh(over)
    before = stored_moves.find(stale)
    pack(over, now)
    assert stored_moves.find(stale) == before
    assert stored_moves.last_answer(fresh(over), 0) == stored_moves.last_answer(stale, 0)


def test_a_packed_log_that_was_tampered_with_does_not_replay(over: Game, now: dt.datetime) -> None:
    log = pack(over, now).packed_log
    facts = stored_moves.unpack_columns(Move, log.facts)
    log.facts = stored_moves.pack_columns(
        Move, {**facts, "source": ["bot" if one == "web" else one for one in facts["source"]]}
    )
    log.save()
    with pytest.raises(ReplayMismatch):
        replay(fresh(over))


def test_a_worker_packs_when_the_time_has_come_and_not_before(over: Game, now: dt.datetime) -> None:
    stored_moves.pack_due(now + 29 * DAY)
    assert not fresh(over).is_packed
    stored_moves.pack_due(now + SOON)
    stored_moves.pack_due(now + SOON)
    assert fresh(over).is_packed and fresh(over).pack_at is None


def test_every_tick_packs_what_is_due(over: Game, anna: User) -> None:
    Game.objects.filter(pk=over.pk).update(pack_at=present.now() - DAY)
    ticks.tick(lambda: None)
    assert fresh(over).is_packed


@pytest.mark.parametrize("change", [{"is_lesson": True}, {"status": "running"}, {"is_packed": True}])
def test_what_still_changes_or_is_removed_is_not_packed(over: Game, now: dt.datetime, change: dict[str, Any]) -> None:
    Game.objects.filter(pk=over.pk).update(**change)
    assert not stored_moves.pack_log(over.pk, now + SOON)
    assert over.moves.exists()


def test_nothing_is_due_where_a_service_packs_nothing(over: Game, now: dt.datetime) -> None:
    assert stored_moves.packing_due_at(over, now) == now + 30 * DAY
    with override_settings(PACK_AFTER_DAYS=0):
        assert stored_moves.packing_due_at(over, now) is None


def test_a_log_that_would_change_stays_in_rows_and_is_tried_again_a_day_later(
    over: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows_of(over)
    monkeypatch.setattr(stored_moves, "LONG", ("decision", "action", "events", "chain"))  # one is forgotten
    Move.objects.filter(game=over, seq=2).update(idempotency_key="once")
    stored_moves.pack_due(now + SOON)
    assert rows_of(over)[1:] == before[1:] and not PackedLog.objects.exists()
    assert fresh(over).pack_at == now + SOON + DAY


@pytest.mark.slow
@pytest.mark.both
def test_a_worker_that_dies_in_between_has_packed_the_log_or_nothing(over: Game, now: dt.datetime) -> None:
    rows, record = rows_of(over), model.dump(records.record_of(over))
    for where in deaths(lambda: stored_moves.pack_log(over.pk, now + SOON)):
        game = fresh(over)
        assert game.is_packed == PackedLog.objects.exists(), where
        assert game.is_packed or rows_of(over) == rows, where
        assert model.dump(records.record_of(game)) == record, where
        stored_moves.pack_log(over.pk, now + SOON)
        assert fresh(over).is_packed and model.dump(records.record_of(fresh(over))) == record, where


def test_who_goes_is_named_in_no_packed_log_and_the_game_stays_what_was_played(
    over: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    Comment.objects.create(game=over, author=ben, name="Ben", text="Well played, @Anna")
    before, names = records.record_of(over).moves, {anna.name, anna.email, anna.ref}
    pack(over, now)
    assert erasure.erase(anna, takes_words=True, now=now + SOON)
    game = fresh(over)
    assert records.record_of(game).moves == before and replay(game).moves == game.seq
    assert not any(name in model.dump(records.record_of(game)).decode() for name in names)
    assert over.comments.get().text == "Well played, @…"
    User.objects.filter(pk=ben.pk).update(name="")
    log = PackedLog.objects.get(pk=over.pk)
    assert all(isinstance(one, int | None) for one in stored_moves.unpack_columns(Move, log.facts)["actor_id"])
    assert max(one for one in stored_moves.unpack_columns(Move, log.facts)["actor_id"] if one is not None) < 3


def test_the_copy_of_a_persons_data_has_packed_moves_too(over: Game, anna: User, ben: User, now: dt.datetime) -> None:
    def copied(user: User) -> Any:
        return json.loads(personal_data.as_text(user, now))["moves"]

    before = copied(anna), copied(ben)
    assert all(before)
    pack(over, now)
    assert (copied(anna), copied(ben)) == before


def test_a_guests_packed_moves_go_to_who_takes_his_games_over(over: Game, ben: User, now: dt.datetime) -> None:
    guest = guests.create(language="en", now=now)
    seat = seat_of(over, ben)
    Move.objects.filter(game=over, actor=ben).update(actor=guest)
    Seat.objects.filter(pk=seat.pk).update(user=guest)
    SeatTenure.objects.filter(seat=seat).update(user=guest)
    pack(over, now)
    assert guests.adopt(key=guest.pk, user=ben) == 1
    assert {move.actor_id for move in stored_moves.find(fresh(over), seat=seat.number)} == {ben.pk}


def test_a_moderator_does_not_judge_a_table_where_he_has_played_though_its_log_is_packed(
    over: Game, ben: User, now: dt.datetime
) -> None:
    report = Report.objects.create(game=over, reporter=over.host, text="He waits for ever", created_at=now)
    Seat.objects.filter(pk=seat_of(over, ben).pk).update(user=None)
    pack(over, now)
    assert list(exclude_own_games(Report.objects.all(), ben)) == []
    SeatTenure.objects.filter(user=ben).delete()
    assert list(exclude_own_games(Report.objects.all(), ben)) == [report]


def test_a_profile_counts_packed_games_too(
    over: Game, anna: User, ben: User, now: dt.datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr(player_profile, "FEWEST_QUESTIONS", 1)
    monkeypatch.setattr(player_profile, "FEWEST_ANSWERS", 1)
    Move.objects.filter(game=over, actor=ben).update(source=Move.Source.DEADLINE)

    def seen() -> list[Any]:
        return [
            (player_profile.reliability(one, now + DAY), player_profile.hours(one, dt.UTC, now + DAY))
            for one in (anna, ben)
        ]

    before = seen()
    assert before[0][0] is not None and before[1][0] is not None and before[1][0].in_time < before[1][0].asked
    assert before[0][1]
    pack(over, now)
    Decision.objects.filter(game=over).delete()
    assert [one[1] for one in seen()] == [one[1] for one in before]


def test_a_profile_reads_many_packed_logs_in_as_many_queries_as_one(over: Game, anna: User, now: dt.datetime) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as asked:
            player_profile.reliability(anna, now + DAY)
            player_profile.hours(anna, dt.UTC, now + DAY)
        return len(asked)

    pack(over, now)
    one = count()
    pack(end_soon(cave_of_three(now), anna, now), now)
    assert count() == one


def test_no_key_is_looked_for_in_no_log(over: Game, now: dt.datetime) -> None:
    packed = pack(over, now)
    with CaptureQueriesContext(connection) as asked:
        assert stored_moves.with_key(packed, "") is None
    assert not asked.captured_queries


def test_the_command_packs_what_ended_while_none_were_packed(over: Game, now: dt.datetime) -> None:
    Game.objects.filter(pk=over.pk).update(pack_at=None, finished_at=now - SOON)
    out = StringIO()
    with pytest.raises(CommandError, match="Nothing to do for: nowhere12345"):
        call_command("pack_logs", "nowhere12345")
    call_command("pack_logs", stdout=out)
    call_command("pack_logs", stdout=out)
    assert out.getvalue() == "1 logs packed.\n0 logs packed.\n"
    assert fresh(over).is_packed


def test_an_imported_record_is_packed_and_goes_out_as_it_came(over: Game, david: User, now: dt.datetime) -> None:
    data = model.dump(records.record_of(over))
    game, _is_new = records.take_in(data=data, by=david, now=now)
    assert fresh(game).pack_at == now + 30 * DAY
    assert model.dump(records.record_of(pack(game, now))) == data


TIMES = st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2100, 1, 1), timezones=st.just(dt.UTC))  # noqa: DTZ001
HASHES = st.one_of(st.binary(min_size=32, max_size=32).map(bytes.hex), st.text(max_size=64))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
MOVES = st.fixed_dictionaries(
    {
        "id": st.integers(1, 2**60),
        "seq": st.integers(1, 2**31 - 1),
        "seat": st.none() | st.integers(0, 4),
        "actor_id": st.none() | st.integers(0, 9),
        "action": TEXTS,
        "events": TEXTS,
        "received_at": TIMES,
        "chain": HASHES,
    }
)
QUESTIONS = st.fixed_dictionaries(
    {
        "due_at": st.none() | TIMES,
        "left": st.none() | st.timedeltas(-999 * DAY, 999 * DAY),
        "is_sealed": st.booleans(),
        "code": TEXTS,
    }
)


@settings(max_examples=40)
@given(st.lists(MOVES, max_size=5), st.lists(QUESTIONS, max_size=5))
def test_whatever_is_packed_reads_as_it_was(moves: list[dict[str, Any]], asked: list[dict[str, Any]]) -> None:
    for table, rows in ((Move, moves), (Decision, asked)):
        packed: stored_moves.Columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
        assert stored_moves.unpack_columns(table, stored_moves.pack_columns(table, packed)) == packed
