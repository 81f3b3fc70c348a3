"""Pauses by vote and by a moderator: all clocks stand still, and go on with what was left."""

import datetime as dt

import pytest

from games.errors import Conflict
from games.models import Decision, Game, Move, Seat, User
from games.play import absences, deadlines, game_moves, pauses, queries
from notifications.models import Notice
from tests.games.conftest import answer, fresh, open_rows, running, seat_of, settle

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


def wish(game: Game, user: User, now: dt.datetime, is_wanted: bool = True) -> Game:
    pauses.set_wish(game_id=game.pk, seat=seat_of(game, user).number, is_wanted=is_wanted, now=now)
    return fresh(game)


def paused(game: Game, users: list[User], now: dt.datetime) -> Game:
    for user in users:
        game = wish(game, user, now)
    return game


def placement(game: Game) -> Decision:
    (row,) = open_rows(game)
    return row


def test_one_of_three_cannot_hold_a_game_up_but_two_can(placing: Game, anna: User, ben: User, now: dt.datetime) -> None:
    assert wish(placing, anna, now).paused_at is None
    game = wish(placing, ben, now + HOUR)
    assert (game.paused_at, game.paused_by) == (now + HOUR, "vote")
    row = placement(game)
    assert (row.due_at, row.left) == (None, 23 * HOUR)
    assert queries.due_at(game) is None
    assert Notice.objects.filter(kind="paused").count() == 3
    assert not deadlines.expire_one(now + 10 * DAY)
    assert not deadlines.remind_one(now + 10 * DAY)


def test_it_goes_on_when_no_more_than_half_wish_the_pause(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game = paused(placing, [anna, ben], now + 6 * HOUR)
    back = now + 5 * DAY
    game = wish(game, anna, back, is_wanted=False)
    assert game.paused_at is None
    row = placement(game)
    assert (row.due_at, row.left) == (back + 18 * HOUR, None)
    (extension,) = queries.extensions(game)
    assert (extension.reason, extension.old_due_at) == ("pause", now + DAY)
    assert not Seat.objects.filter(wants_pause=True).exists()
    assert Notice.objects.filter(kind="resumed").count() == 3


def test_nobody_is_left_with_the_last_minute_when_a_moderator_goes_on(placing: Game, now: dt.datetime) -> None:
    pauses.pause_by_moderator(game_id=placing.pk, now=now + 23.9 * HOUR)
    pauses.resume_by_moderator(game_id=placing.pk, now=now + 3 * DAY)
    assert placement(placing).due_at == now + 3 * DAY + 6 * HOUR


def test_a_vote_just_before_a_deadline_gains_no_time(placing: Game, anna: User, ben: User, now: dt.datetime) -> None:
    game = placing
    for _again in range(3):
        due_at = placement(game).due_at
        assert due_at is not None
        at = due_at - dt.timedelta(minutes=1)
        game = wish(paused(game, [anna, ben], at), ben, at, is_wanted=False)
        assert placement(game).due_at == due_at == now + DAY


def test_pauses_by_vote_come_to_an_end_however_often_they_are_repeated(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game, at, count = placing, now, 0
    while count < 100:
        try:
            game = paused(game, [anna, ben], at)
        except Conflict:
            break
        count, at = count + 1, at + dt.timedelta(seconds=10)
        game = wish(game, ben, at, is_wanted=False)
    assert count == 30 and game.paused_at is None
    pauses.pause_by_moderator(game_id=game.pk, now=at)


def test_long_pauses_by_vote_last_thirty_days_all_together(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game = paused(placing, [anna, ben], now)
    game = wish(game, ben, now + 20 * DAY, is_wanted=False)
    game = paused(game, [anna, ben], now + 20 * DAY)
    assert game.pause_ends_at == now + 30 * DAY
    assert pauses.end_one(now + 30 * DAY)
    with pytest.raises(Conflict, match="30 days"):
        wish(game, anna, now + 30 * DAY)
    assert not Seat.objects.filter(wants_pause=True).exists()


def test_a_pause_by_vote_ends_by_itself_after_thirty_days(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game = paused(placing, [anna, ben], now)
    assert not pauses.end_one(now + 30 * DAY - HOUR)
    assert pauses.end_one(now + 30 * DAY)
    assert not pauses.end_one(now + 30 * DAY)
    assert fresh(game).paused_at is None
    assert placement(game).due_at == now + 31 * DAY


def test_in_a_pause_one_may_answer_and_what_follows_has_its_whole_time_when_the_game_goes_on(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    game = paused(placing, [anna, ben], now)
    answer(game, placement(game), now + 2 * DAY)
    settle(now + 2 * DAY)
    row = placement(game)
    assert (row.due_at, row.left) == (None, DAY)
    wish(game, ben, now + 3 * DAY, is_wanted=False)
    assert placement(game).due_at == now + 4 * DAY
    assert row.extensions.count() == 0


def test_a_moderator_pauses_for_as_long_as_he_likes_and_only_a_moderator_ends_it(
    placing: Game, anna: User, now: dt.datetime
) -> None:
    pauses.pause_by_moderator(game_id=placing.pk, now=now)
    assert not pauses.end_one(now + 400 * DAY)
    with pytest.raises(Conflict):
        wish(placing, anna, now)
    assert pauses.resume_by_moderator(game_id=placing.pk, now=now + 400 * DAY).paused_at is None
    with pytest.raises(Conflict):
        pauses.resume_by_moderator(game_id=placing.pk, now=now)


def test_a_pause_that_ends_before_it_begins_is_refused(placing: Game, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        pauses.pause_by_moderator(game_id=placing.pk, now=now, until=now)
    assert fresh(placing).paused_at is None


def test_who_leaves_takes_his_wish_with_him(placing: Game, anna: User, ben: User, now: dt.datetime) -> None:
    game = paused(placing, [anna, ben], now)
    number = seat_of(game, ben).number
    game_moves.resign(game_id=game.pk, seat=number, actor=ben, source=Move.Source.WEB, now=now + HOUR)
    assert fresh(game).paused_at is None  # one of two is not more than half


def test_an_absence_can_tip_the_scales_and_a_return_tip_them_back(
    placing: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = wish(placing, anna, now)
    row = placement(game)
    for user in (ben, carla):
        seat = seat_of(game, user)
        absences.make_absent(seat, row, now)
    assert fresh(game).paused_at == now  # Anna is alone now
    absences.come_back(seat_id=seat_of(game, ben).pk, now=now + DAY)
    assert fresh(game).paused_at is None


def test_the_pause_of_a_sealed_question_tells_nobody_who_has_answered(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = running(anna, [ben, carla], now)
    rows = open_rows(game)
    answer(game, rows[0], now + HOUR)
    before = queries.due_at(game)
    game = paused(game, [anna, ben], now + 2 * HOUR)
    assert queries.due_at(game) is None
    wish(game, anna, now + 2 * HOUR, is_wanted=False)
    assert queries.due_at(fresh(game)) == before
    assert set(queries.waiting(fresh(game), None)[0]) == {row.seat for row in rows}


def test_only_players_who_are_waited_for_vote(placing: Game, anna: User, now: dt.datetime) -> None:
    seat = seat_of(placing, anna)
    absences.make_absent(seat, placement(placing), now)
    with pytest.raises(Conflict):
        wish(placing, anna, now)


def test_one_of_two_is_not_more_than_half(anna: User, ben: User, now: dt.datetime) -> None:
    game = running(anna, [ben], now, bots=("greedy",))
    assert wish(game, anna, now).paused_at is None
    assert wish(game, ben, now).paused_at == now


@pytest.mark.parametrize("answers", [False, True])
def test_who_answers_in_secret_during_a_pause_leaves_no_trace_in_the_deadline_after_it(
    anna: User, ben: User, carla: User, now: dt.datetime, answers: bool
) -> None:
    ben.recipient.quiet_from, ben.recipient.quiet_until = dt.time(13), dt.time(21)
    ben.recipient.save()
    game = running(anna, [ben, carla], now, pace="brisk")
    pauses.pause_by_moderator(game_id=game.pk, now=now)
    if answers:
        answer(game, next(row for row in open_rows(game) if row.seat.user == ben), now)
    pauses.resume_by_moderator(game_id=game.pk, now=now + HOUR)
    assert queries.due_at(fresh(game)) == now + 21 * HOUR  # Ben's night is eight hours, from one to nine
