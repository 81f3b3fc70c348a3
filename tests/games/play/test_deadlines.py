"""Deadlines, reminders, excused misses, absences, outages."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from games.errors import Conflict
from games.models import Decision, Extension, Game, Heartbeat, Move, Seat, User
from games.people import accounts, notification_preferences
from games.play import absences, automatic_answers, deadline_rule, deadlines, game_moves, queries
from games.tables import pace
from notifications.clock.calendar import Calendar
from notifications.models import Notice
from tests.games.conftest import answer, beat, deliveries, fresh, open_rows, running, seat_of, settle, to_placing

DAY = dt.timedelta(days=1)
SECOND = dt.timedelta(seconds=1)


def told(row: Decision, at: dt.datetime) -> None:
    """The question of this decision was handed to the mail server at that moment."""
    taken = {"state": "accepted", "accepted_at": at, "attempt_after": None}
    deliveries().filter(notice__dedupe_key=row.due_key).update(**taken)


def placement(game: Game) -> Decision:
    (row,) = open_rows(game)
    return row


def kinds(row: Decision) -> set[str]:
    return set(Notice.objects.filter(subject=row.subject).values_list("kind", flat=True))


def test_nothing_happens_before_the_deadline(strict: Game, now: dt.datetime) -> None:
    told(placement(strict), now)
    assert not deadlines.expire_one(now + DAY - SECOND)
    assert fresh(strict).seq == strict.seq


def test_at_the_deadline_the_placement_is_forfeited_for_the_player_a21(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    told(row, now)
    assert deadlines.expire_one(now + DAY)
    row.refresh_from_db()
    move = fresh(strict).moves.last()
    assert (row.status, move.source, move.action) == ("answered", Move.Source.DEADLINE, '{"type":"forfeit"}')
    assert kinds(row) == {"due", "passed"}
    row.seat.refresh_from_db()
    assert row.seat.misses == 1
    assert not deadlines.expire_one(now + DAY)


def test_nobody_is_passed_without_being_told_even_if_the_process_dies_between(
    strict: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = placement(strict)
    told(row, now)

    def die(*_arguments: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("games.play.notify.passed", die)
        with pytest.raises(SystemExit):
            deadlines.expire_one(now + DAY)
    assert fresh(strict).seq == strict.seq
    assert deadlines.expire_one(now + DAY)
    assert kinds(row) == {"due", "passed"}


def test_a_bot_places_where_the_table_says_so(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = to_placing(running(anna, [ben, carla], now, is_first_miss_excused=False, missed="proposal"), now)
    row = placement(game)
    told(row, now)
    deadlines.expire_one(now + DAY)
    move = fresh(game).moves.last()
    assert move.source == Move.Source.DEADLINE
    assert '"type":"place"' in move.action


def test_the_first_miss_is_excused_once(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = to_placing(running(anna, [ben, carla], now), now)
    row = placement(game)
    told(row, now)
    assert deadlines.expire_one(now + DAY)
    row.refresh_from_db()
    assert (row.status, row.due_at) == ("open", now + 2 * DAY)
    assert [extension.reason for extension in queries.extensions(game)] == ["excused"]
    assert kinds(row) == {"due", "excused"}
    assert not deadlines.expire_one(now + 2 * DAY - SECOND)
    assert deadlines.expire_one(now + 2 * DAY)
    row.refresh_from_db()
    assert row.status == "answered"


def test_what_is_missed_at_the_same_moment_is_one_miss_that_is_excused(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    """Treasures are asked beside the first sheet; who misses both has time for both again."""
    game = running(anna, [ben, carla], now, options={"version": "magic", "tally": "plan"})
    bens = [row for row in open_rows(game) if row.seat.user == ben]
    assert {row.kind for row in bens} == {"take_treasures", "sheet"}
    for row in open_rows(game):
        told(row, now)
        if row not in bens:
            answer(game, row, now)
    assert deadlines.expire_one(now + DAY)
    assert not deadlines.expire_one(now + DAY)
    for row in bens:
        row.refresh_from_db()
        assert (row.status, row.due_at) == ("open", now + 2 * DAY)
    assert [row.seat.misses for row in bens] == [0, 0]


def test_nobody_is_passed_who_was_not_told_in_time(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    told(row, now + DAY - dt.timedelta(hours=6) + SECOND)
    assert deadlines.expire_one(now + DAY)
    row.refresh_from_db()
    assert (row.status, row.due_at) == ("open", now + 2 * DAY)
    assert row.extensions.get().reason == Extension.Reason.NOT_TOLD


def test_a_wish_for_peace_wins_no_time(game: Game, now: dt.datetime) -> None:
    """Who wants no mail for three days is written to in time for his deadline to count."""
    for seat in game.seats.select_related("user__recipient"):
        assert seat.user is not None
        notification_preferences.snooze(user=seat.user, until=now + 3 * DAY, now=now)
    row = placement(to_placing(game, now))
    mail = deliveries(now).get(notice__dedupe_key=row.due_key)
    assert mail.attempt_after is not None
    assert dt.timedelta(hours=12) < mail.attempt_after - now < DAY - dt.timedelta(hours=6)
    told(row, mail.attempt_after)
    assert deadlines.expire_one(now + DAY)
    assert [extension.reason for extension in queries.extensions(game)] == ["excused"], (
        "and not because he was not told"
    )


def test_a_game_does_not_die_of_a_player_who_can_never_be_reached(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    deliveries().filter(notice__dedupe_key=row.due_key).update(state="failed", attempt_after=None)
    for number in range(1, 4):
        assert deadlines.expire_one(now + number * DAY)
        row.refresh_from_db()
        assert row.status == "open"
    assert deadlines.expire_one(now + 4 * DAY)
    row.refresh_from_db()
    assert row.status == "answered"


def test_after_repeated_misses_a_seat_is_absent_and_comes_back_with_one_click(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = to_placing(running(anna, [ben, carla], now, is_first_miss_excused=False, absent_after=2), now)
    seat = placement(game).seat
    for _miss in range(2):
        while (row := placement(game)).seat != seat:
            answer(game, row, now)
        told(row, now)
        assert deadlines.expire_one(now + DAY)
        row.refresh_from_db()
    seat.refresh_from_db()
    assert seat.status == Seat.Status.ABSENT
    assert Notice.objects.filter(kind="absent", recipient=seat.user.recipient).count() == 1
    moves = fresh(game).moves.filter(source=Move.Source.ABSENT).count()
    while placement(game).seat != seat:
        answer(game, placement(game), now)
    assert placement(game).is_automatic
    settle(now)
    assert fresh(game).moves.filter(source=Move.Source.ABSENT).count() == moves + 1
    while placement(game).seat != seat:
        answer(game, placement(game), now)
    absences.come_back(seat_id=seat.pk, now=now)
    row = placement(game)
    assert (row.is_automatic, row.due_at) == (False, now + DAY)
    assert Notice.objects.filter(kind="due", subject=row.subject).count() == 1
    seat.refresh_from_db()
    assert (seat.status, seat.misses) == ("active", 0)


def test_an_answer_of_ones_own_forgets_the_misses(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    Seat.objects.filter(pk=row.seat.pk).update(misses=2)
    answer(strict, row, now)
    row.seat.refresh_from_db()
    assert row.seat.misses == 0


def make_absent(game: Game, now: dt.datetime) -> Seat:
    row = placement(game)
    absences.make_absent(row.seat, row, now)
    return row.seat


def test_an_absent_seat_is_played_by_a_bot_where_the_table_says_so(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = to_placing(running(anna, [ben, carla], now, absent_seats="bot"), now)
    make_absent(game, now)
    assert automatic_answers.answer_one(now)
    move = fresh(game).moves.last()
    assert (move.source, move.action != '{"type":"forfeit"}') == (Move.Source.BOT, True)


def test_a_game_whose_people_are_all_away_sleeps_until_one_comes_back(strict: Game, now: dt.datetime) -> None:
    seats = [make_absent(strict, now)]
    for seat in strict.seats.exclude(pk=seats[0].pk):
        settle(now)
        absences.make_absent(seat, strict.decisions.last(), now)
    seq = fresh(strict).seq
    assert not automatic_answers.answer_one(now)
    assert fresh(strict).seq == seq
    absences.come_back(seat_id=seats[0].pk, now=now)
    settle(now)
    assert [row.seat for row in open_rows(strict)] == [seats[0]]


def test_an_offered_seat_can_be_taken_and_the_former_player_is_told(
    anna: User, ben: User, carla: User, david: User, now: dt.datetime
) -> None:
    game = to_placing(running(anna, [ben, carla], now, absent_seats="takeover", is_listed=True), now)
    seat = make_absent(game, now)
    former = seat.user
    other = next(user for user in (anna, ben, carla) if user != former)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=other, now=now)
    taken = absences.take_over(seat_id=seat.pk, user=david, now=now)
    assert (taken.user, taken.name, taken.status, taken.link_generation) == (david, "David", "active", 1)
    assert Notice.objects.filter(kind="taken_over", recipient=former.recipient).count() == 1
    assert Notice.objects.filter(kind="due", recipient=david.recipient).count() == 1
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=david, now=now)


def test_a_seat_is_not_offered_where_the_table_does_not_say_so(strict: Game, david: User, now: dt.datetime) -> None:
    seat = make_absent(strict, now)
    with pytest.raises(Conflict):
        absences.take_over(seat_id=seat.pk, user=david, now=now)


def test_a_resigned_player_does_not_come_back(strict: Game, ben: User, now: dt.datetime) -> None:
    seat = seat_of(strict, ben)
    game_moves.resign(game_id=strict.pk, seat=seat.number, actor=ben, source=Move.Source.WEB, now=now)
    with pytest.raises(Conflict):
        absences.come_back(seat_id=seat.pk, now=now)


def test_a_reminder_is_written_once_when_four_fifths_of_the_time_have_gone(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    assert not deadlines.remind_one(now + DAY * 0.8 - SECOND)
    assert deadlines.remind_one(now + DAY * 0.8)
    assert not deadlines.remind_one(now + DAY * 0.9)
    assert kinds(row) == {"due", "reminder"}


def test_nobody_is_reminded_of_what_is_answered(strict: Game, now: dt.datetime) -> None:
    answer(strict, placement(strict), now)
    Decision.objects.filter(status="answered").update(remind_at=now)
    assert not deadlines.remind_one(now)


def test_an_answer_that_comes_before_anybody_acted_on_the_deadline_counts(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    told(row, now)
    answer(strict, row, now + DAY + SECOND)
    assert not deadlines.expire_one(now + DAY + SECOND)


def test_after_an_outage_the_lost_time_is_given_back(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    told(row, now)
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now + DAY - dt.timedelta(hours=3))
    back = now + DAY + dt.timedelta(hours=6)
    beat(back)
    row.refresh_from_db()
    assert row.due_at == now + DAY + dt.timedelta(hours=9) + dt.timedelta(hours=3)
    assert row.extensions.get().reason == Extension.Reason.OUTAGE
    assert not deadlines.expire_one(back)
    beat(back)
    assert row.extensions.count() == 1


def test_a_short_pause_of_the_ticker_is_no_outage(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now)
    beat(now + dt.timedelta(seconds=119))
    assert row.extensions.count() == 0
    assert Heartbeat.objects.get().beat_at == now + dt.timedelta(seconds=119)


def test_every_pace_has_a_time() -> None:
    calendar = Calendar(ZoneInfo("UTC"))
    given = {name: pace.find(name).allowance.on(calendar) for name, _label in pace.paces()}
    assert given == {
        "relaxed": 3 * DAY, "daily": DAY, "brisk": DAY / 2, "swift": DAY, "live": dt.timedelta(minutes=15),
    }  # fmt: skip
    with pytest.raises(KeyError):
        pace.find("warp")


def test_time_lost_in_an_outage_is_given_back_even_if_the_process_dies_between(
    strict: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = placement(strict)
    told(row, now)
    beat(now + DAY - dt.timedelta(hours=8))
    back = now + DAY + dt.timedelta(hours=1)
    with monkeypatch.context() as patch:
        patch.setattr(deadline_rule, "_give_back_in", lambda *_args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            beat(back)
    assert not deadlines.expire_one(back), "not before the time is given back"
    beat(back + SECOND)
    row.refresh_from_db()
    assert row.due_at > back


def test_while_the_time_of_an_outage_is_given_back_no_deadline_counts_and_no_answer_is_late(
    strict: Game, now: dt.datetime
) -> None:
    row = placement(strict)
    told(row, now)
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now + DAY - dt.timedelta(hours=1))
    back = now + DAY + dt.timedelta(hours=1)
    deadline_rule.beat(back)
    assert not deadlines.expire_one(back)
    answer(strict, row, back)
    assert deadline_rule.give_back_one(back) is True and row.extensions.count() == 0
    while deadline_rule.give_back_one(back):
        pass
    assert deadline_rule.is_settled()


def test_time_is_given_back_game_by_game_and_what_was_asked_afterwards_keeps_its_own(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    rows = [placement(to_placing(running(anna, [ben, carla], now), now)) for _ in range(3)]
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now + DAY - dt.timedelta(hours=1))
    back = now + DAY + dt.timedelta(hours=1)
    deadline_rule.beat(back)
    Decision.objects.filter(pk=rows[2].pk).update(opened_at=back, due_at=back + dt.timedelta(hours=1))
    moved = []
    while deadline_rule.give_back_one(back):
        moved.append([Decision.objects.get(pk=row.pk).due_at > back + dt.timedelta(hours=2) for row in rows])
    assert moved == [[True, False, False], [True, True, False], [True, True, False]]


def test_who_comes_back_is_asked_even_if_the_question_was_dropped_while_he_was_away(
    strict: Game, now: dt.datetime
) -> None:
    row = placement(strict)
    absences.make_absent(row.seat, row, now)
    deliveries().filter(notice__dedupe_key=row.due_key).update(state="stale", attempt_after=None)
    absences.come_back(seat_id=row.seat.pk, now=now + SECOND)
    asked = deliveries().filter(notice__subject=row.subject, notice__kind="due", state="waiting")
    assert asked.exists()


def test_a_new_mail_address_is_no_excuse_for_who_was_asked_there_in_time(strict: Game, now: dt.datetime) -> None:
    row = placement(strict)
    told(row, now)
    user = row.seat.user
    assert user is not None
    change = accounts.request_address_change(user=user, new_address="new@example.org", now=now)
    for side in (accounts.OLD, accounts.NEW):
        accounts.confirm_address_change(
            token=accounts.address_change_link(change, side).rstrip("/").rsplit("/", 1)[1], now=now + SECOND
        )
    asked = deliveries().filter(notice__subject=row.subject, state="waiting")
    assert asked.update(state="accepted", accepted_at=now + 2 * SECOND, attempt_after=None)
    assert deadlines.expire_one(now + DAY)
    assert not row.extensions.exists()
    row.refresh_from_db()
    assert row.status == "answered"


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_moved_deadlines_of_a_sealed_question_do_not_tell_how_many_have_answered(
    game: Game, now: dt.datetime, answers: int
) -> None:
    rows = open_rows(game)
    for row in rows:
        told(row, now)
    for row in rows[:answers]:
        answer(game, row, now)
    while deadlines.expire_one(now + DAY):
        pass
    (shown,) = queries.extensions(fresh(game))
    assert (shown.reason, shown.new_due_at) == (Extension.Reason.EXCUSED, now + 2 * DAY)
