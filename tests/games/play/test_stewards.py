"""Stewards: what is proposed is played for who has not answered after so many of his waking hours (A75, A76, A99)."""

import datetime as dt
import json

import pytest

from games.errors import Conflict, ServiceError
from games.lobby import lifecycle
from games.models import Decision, Game, Move, Seat, User
from games.play import absences, deadlines, game_moves, history, pauses, proposals, queries, stewards
from tests.games.conftest import (
    answer,
    beat,
    fresh,
    new_table,
    open_rows,
    propose_all,
    row_of,
    running,
    seat_of,
    to_placing,
)
from tests.games.play.test_deadlines import told

pytestmark = [pytest.mark.slow, pytest.mark.both]
HOUR = dt.timedelta(hours=1)
EMPTY = {"type": "sheet", "windows": "quiet", "tally": "later"}


def opt_in(game: Game, user: User, hours: int | None, now: dt.datetime) -> Seat:
    """This player chooses after how many hours his steward acts."""
    return stewards.change(game_id=game.pk, seat=seat_of(game, user).number, hours=hours, now=now)


def all_told(game: Game, now: dt.datetime) -> None:
    """Everybody was told what he is asked."""
    for row in open_rows(game):
        told(row, now)


def sources(game: Game) -> set[str]:
    """By which ways the sheets were answered."""
    codes = game.decisions.filter(kind="sheet").values_list("code", flat=True)
    return set(game.moves.filter(decision__in=list(codes)).values_list("source", flat=True))


@pytest.fixture
def late_bird(ben: User) -> User:
    """Ben, who sleeps from ten to eleven in the morning and never else."""
    ben.recipient.quiet_from, ben.recipient.quiet_until = dt.time(10), dt.time(11)
    ben.recipient.save()
    return ben


@pytest.fixture
def waiting(proposing: Game, anna: User, carla: User, ben: User, now: dt.datetime) -> Game:
    """Anna and Carla have given their sheets, Ben's steward acts after 4 of his waking hours; all were told."""
    opt_in(proposing, ben, 4, now)
    propose_all(now)
    all_told(proposing, now)
    for user in (anna, carla):
        answer(proposing, row_of(proposing, user), now, EMPTY)
    return fresh(proposing)


def test_it_plays_what_is_proposed_after_so_many_waking_hours_and_that_is_no_miss(
    waiting: Game, ben: User, now: dt.datetime
) -> None:
    row = row_of(waiting, ben)
    shown = proposals.load(row)
    assert row.steward_at == now + 4 * HOUR
    assert not stewards.act_one(now + 4 * HOUR - dt.timedelta(seconds=1))
    assert stewards.act_one(now + 4 * HOUR)
    move = waiting.moves.get(decision=row.code, seat=row.seat.number)
    assert shown is not None
    assert move.action == waiting.rules.dump_action(waiting.rules.parse(json.loads(shown.answer))).decode()
    assert (move.source, move.by, move.actor) == (Move.Source.STEWARD, "steward", None)
    assert seat_of(waiting, ben).misses == 0
    assert not stewards.act_one(now + 5 * HOUR)


def test_where_nobody_has_opted_in_none_ever_acts(proposing: Game, now: dt.datetime) -> None:
    propose_all(now)
    all_told(proposing, now)
    assert not any(row.steward_at for row in open_rows(proposing))
    assert not stewards.act_one(now + 100 * HOUR)


def test_it_does_not_act_while_somebody_is_missing_whose_steward_may_not(
    proposing: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    opt_in(proposing, ben, 4, now)
    opt_in(proposing, carla, 6, now)
    propose_all(now)
    all_told(proposing, now)
    assert not stewards.act_one(now + 5 * HOUR), "Anna and Carla are missing"
    answer(proposing, row_of(proposing, anna), now, EMPTY)
    assert not stewards.act_one(now + 5 * HOUR), "Carla's steward may not act yet"
    assert stewards.act_one(now + 6 * HOUR), "then both act"
    assert not open_rows(fresh(proposing))
    assert sources(proposing) == {Move.Source.STEWARD, Move.Source.WEB}


def test_its_player_may_answer_until_the_question_is_closed(waiting: Game, ben: User, now: dt.datetime) -> None:
    row = row_of(waiting, ben)
    answer(waiting, row, now + 3 * HOUR, EMPTY)
    assert not stewards.act_one(now + 5 * HOUR)
    assert Move.Source.STEWARD not in sources(waiting)


def test_hours_of_sleep_are_no_waking_hours_also_where_clocks_run_at_night(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    Game.objects.filter(pk=proposing.pk).update(stops_at_night=False)
    ben.recipient.quiet_from, ben.recipient.quiet_until = dt.time(14), dt.time(20)
    ben.recipient.save()
    opt_in(proposing, ben, 4, now)
    assert row_of(proposing, ben).steward_at == now + 10 * HOUR, "two hours from noon, and two after eight"


def test_a_pause_gives_time_back_to_it_as_to_the_deadline(
    late_bird: User, waiting: Game, ben: User, now: dt.datetime
) -> None:
    due = row_of(waiting, ben).due_at
    assert due is not None
    pauses.pause_by_moderator(game_id=waiting.pk, now=now + HOUR)
    assert row_of(waiting, ben).steward_at is None
    assert not stewards.act_one(now + 9 * HOUR)
    pauses.resume_by_moderator(game_id=waiting.pk, now=now + 10 * HOUR)
    row = row_of(waiting, ben)
    assert (row.steward_at, row.due_at) == (now + 13 * HOUR, due + 9 * HOUR)


def test_a_vacation_gives_time_back_to_it(late_bird: User, waiting: Game, ben: User, now: dt.datetime) -> None:
    before = row_of(waiting, ben)
    day = now.date()
    absences.plan(user=ben, first_day=day, last_day=day, now=now)
    row = row_of(waiting, ben)
    assert before.due_at is not None and row.due_at is not None and row.steward_at is not None
    assert row.due_at - row.steward_at == before.due_at - (now + 4 * HOUR)


def test_an_outage_gives_time_back_to_it(waiting: Game, ben: User, now: dt.datetime) -> None:
    beat(now)
    beat(now + 3 * HOUR)
    beat(now + 5 * HOUR)
    row = row_of(waiting, ben)
    assert row.steward_at is not None
    assert row.steward_at >= now + 6 * HOUR


def test_it_waits_for_who_was_not_told_in_time(
    late_bird: User, proposing: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    opt_in(proposing, ben, 4, now)
    propose_all(now)
    for user in (anna, carla):
        answer(proposing, row_of(proposing, user), now, EMPTY)
    assert stewards.act_one(now + 4 * HOUR), "it finds that he was not told"
    assert row_of(proposing, ben).steward_at == now + 8 * HOUR
    told(row_of(proposing, ben), now + 7 * HOUR)
    assert stewards.act_one(now + 8 * HOUR)
    assert row_of(proposing, ben).steward_at == now + 11 * HOUR, "four hours from then on"
    assert stewards.act_one(now + 11 * HOUR)
    assert Move.Source.STEWARD in sources(proposing)


def test_at_the_deadline_it_acts_though_others_are_missing_and_that_is_no_miss(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    opt_in(proposing, ben, 4, now)
    Game.objects.filter(pk=proposing.pk).update(missed="default", is_first_miss_excused=False)
    propose_all(now)
    all_told(proposing, now)
    assert not stewards.act_one(now + 23 * HOUR)
    while deadlines.expire_one(now + 24 * HOUR):
        pass
    row = Decision.objects.get(game=proposing, seat__user=ben, kind="sheet")
    assert proposing.moves.get(decision=row.code, seat=row.seat.number).source == Move.Source.STEWARD
    assert seat_of(proposing, ben).misses == 0
    assert set(proposing.seats.exclude(user=ben).values_list("misses", flat=True)) == {1}


def test_where_nothing_is_proposed_its_player_is_waited_for(
    waiting: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposals, "load_or_make", lambda *_arguments: None)
    assert stewards.act_one(now + 4 * HOUR)
    assert row_of(waiting, ben).steward_at is None
    assert not stewards.act_one(now + 9 * HOUR)


def test_it_answers_one_question_after_the_other(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    """Whoever places token by token has as many hours for each."""
    game = to_placing(running(anna, [ben, carla], now, proposals="on"), now)
    (row,) = open_rows(game)
    assert row.seat.user is not None
    opt_in(game, row.seat.user, 2, now)
    all_told(game, now)
    assert stewards.act_one(now + 2 * HOUR)
    move = fresh(game).moves.last()
    assert (move.source, json.loads(move.action)["type"]) == (Move.Source.STEWARD, "place")


def test_a_wave_is_placed_whole(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    options = {"version": "basic", "placing": "waves", "tokens_per_turn": "4"}
    game = to_placing(running(anna, [ben, carla], now, proposals="on", options=options), now)
    for user in (anna, ben, carla):
        opt_in(game, user, 2, now)
    all_told(game, now)
    while stewards.act_one(now + 2 * HOUR):
        pass
    assert not open_rows(fresh(game))
    placed = fresh(game).moves.filter(decision__contains="wave") | fresh(game).moves.filter(kind="answer", seq__gt=5)
    assert {move.source for move in placed} == {Move.Source.STEWARD}


def test_its_use_is_public_once_the_question_is_closed_and_sealed_until_then(
    proposing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    opt_in(proposing, ben, 4, now)
    propose_all(now)
    row = row_of(proposing, ben)
    told(row, now)
    stewards.has_acted(row, now + 4 * HOUR)
    words = "Ben’s steward has answered for Ben."
    for viewer in (None, seat_of(proposing, anna)):
        access = queries.Access(fresh(proposing), viewer)
        assert words not in [line.text for line in history.log_lines(access)]
    for other in open_rows(fresh(proposing)):
        answer(proposing, other, now + 5 * HOUR, EMPTY)
    for viewer in (None, seat_of(proposing, anna)):
        access = queries.Access(fresh(proposing), viewer)
        assert words in [line.text for line in history.log_lines(access)]


@pytest.mark.parametrize("hours", [0, -3, 25, 10_000])
def test_hours_that_are_none_are_refused_in_words(proposing: Game, ben: User, now: dt.datetime, hours: int) -> None:
    with pytest.raises(ServiceError, match="after 1 to 24 of your waking hours"):
        opt_in(proposing, ben, hours, now)
    assert seat_of(proposing, ben).steward_hours is None


def test_there_is_none_where_nothing_is_proposed_or_everybody_sits_at_the_table(
    game: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    with pytest.raises(Conflict, match="no proposals"):
        opt_in(game, ben, 4, now)
    live = new_table(anna, now, pace="live", proposals="on")
    with pytest.raises(Conflict, match="no proposals"):
        opt_in(live, anna, 4, now)


def test_a_seat_that_has_left_has_none(waiting: Game, ben: User, carla: User, now: dt.datetime) -> None:
    opt_in(waiting, carla, 4, now)
    game_moves.resign(game_id=waiting.pk, seat=seat_of(waiting, carla).number, actor=carla, source="web", now=now)
    absences.leave(absences.locked_seat(seat_of(waiting, ben).pk), now)
    for user in (ben, carla):
        assert seat_of(waiting, user).steward_hours is None
        with pytest.raises(Conflict, match="Only active players"):
            opt_in(waiting, user, 4, now)
    assert not any(row.steward_at for row in open_rows(fresh(waiting)))
    assert not stewards.act_one(now + 9 * HOUR)


def test_who_has_chosen_no_quiet_hours_sleeps_at_night_all_the_same(
    proposing: Game, ben: User, now: dt.datetime
) -> None:
    assert ben.recipient.quiet is None
    evening = now.replace(hour=21, minute=0)  # where Ben lives
    opt_in(proposing, ben, 4, evening)
    row = row_of(proposing, ben)
    assert row.steward_at == evening + (2 + 8 + 2) * HOUR


def test_who_changes_his_mind_has_none_for_what_is_asked_either(waiting: Game, ben: User, now: dt.datetime) -> None:
    opt_in(waiting, ben, None, now + HOUR)
    assert row_of(waiting, ben).steward_at is None
    opt_in(waiting, ben, 2, now + HOUR)
    assert row_of(waiting, ben).steward_at == now + 3 * HOUR


def test_at_the_pace_swift_all_who_sit_down_have_one(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    options = {"version": "magic", "tally": "plan"}
    game = to_placing(running(anna, [ben, carla], now, pace="swift", proposals="on", options=options), now)
    assert set(game.seats.values_list("steward_hours", flat=True)) == {8}
    assert all(row.steward_at == now + 8 * HOUR for row in open_rows(game))
    with pytest.raises(Conflict, match="all players agreed"):
        opt_in(game, ben, None, now)
    assert opt_in(game, ben, 2, now).steward_hours == 2
    all_told(game, now)
    assert stewards.act_one(now + 8 * HOUR)
    assert sources(game) == {Move.Source.STEWARD}


def test_a_swift_table_has_proposals(anna: User, now: dt.datetime) -> None:
    assert new_table(anna, now, pace="swift", proposals="", is_listed=True).proposals == "on"
    with pytest.raises(ServiceError, match="proposals"):
        new_table(anna, now, pace="swift", proposals="off")


def test_a_bot_has_no_steward(anna: User, now: dt.datetime) -> None:
    table = new_table(anna, now, pace="swift", proposals="on")
    seat = lifecycle.add_bot(game_id=table.pk, host=anna, bot="greedy", now=now)
    assert seat.steward_hours is None
