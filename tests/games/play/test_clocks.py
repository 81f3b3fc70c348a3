"""Each seat's own clock: quiet hours, weekends, time banks, reminders, and one deadline for what is sealed."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from games.errors import ServiceError
from games.models import Decision, Extension, Game, Heartbeat, Seat, User
from games.moderation import repair
from games.play import absences, clocks, deadline_rule, deadlines, pauses
from notifications import ledger
from notifications.models import Endpoint, Notice
from tests.games.conftest import answer, beat, deliveries, fresh, open_rows, running, settle, to_placing

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
TOKYO = ZoneInfo("Asia/Tokyo")


def lives(user: User, zone: str = "UTC", quiet: tuple[int, int] | None = None) -> None:
    """Where somebody lives, and the hours in which he sleeps."""
    user.recipient.zone = zone
    if quiet:
        user.recipient.quiet_from, user.recipient.quiet_until = (dt.time(hour) for hour in quiet)
    user.recipient.save()


def told(row: Decision, at: dt.datetime) -> None:
    taken = {"state": "accepted", "accepted_at": at, "attempt_after": None}
    deliveries().filter(notice__dedupe_key=row.due_key).update(**taken)


def placing(people: list[User], now: dt.datetime, **changes: object) -> Decision:
    """The first placement of a game of these people, asked at `now`."""
    game = to_placing(running(people[0], people[1:], now, is_first_miss_excused=False, **changes), now)
    (row,) = open_rows(game)
    return row


def restart(row: Decision, at: dt.datetime) -> Decision:
    """The decision as if it had been asked then."""
    row = Decision.objects.select_related("game", "seat__user__recipient").get(pk=row.pk)
    clocks.start(row.game, [row], at)
    row.save()
    return row


@pytest.fixture
def people(anna: User, ben: User, carla: User) -> list[User]:
    return [anna, ben, carla]


def test_quiet_hours_stop_the_clock_in_the_players_own_zone(people: list[User], now: dt.datetime) -> None:
    for user in people:
        lives(user, "Asia/Tokyo", (22, 8))
    row = placing(people, now, pace="brisk")
    asked = dt.datetime(2026, 3, 4, 21, 0, tzinfo=TOKYO)
    row = restart(row, asked)
    assert row.allowed_until == dt.datetime(2026, 3, 5, 19, 0, tzinfo=TOKYO)  # an hour, and eleven after the night


def test_a_table_may_ignore_quiet_hours(people: list[User], now: dt.datetime) -> None:
    for user in people:
        lives(user, quiet=(13, 20))
    assert placing(people, now, stops_at_night=False).due_at == now + DAY


def test_a_day_is_a_day_for_people_who_sleep(people: list[User], now: dt.datetime) -> None:
    for user in people:
        lives(user, quiet=(23, 7))
    assert placing(people, now).due_at == now + DAY


def test_weekends_do_not_count_where_the_table_says_so(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, stops_on_weekends=True)
    friday = dt.datetime(2026, 3, 6, 12, 0, tzinfo=dt.UTC)
    assert restart(row, friday).due_at == dt.datetime(2026, 3, 9, 12, 0, tzinfo=dt.UTC)


def test_at_a_live_table_the_clock_never_stands_still(people: list[User], now: dt.datetime) -> None:
    for user in people:
        lives(user, quiet=(12, 20))
    row = placing(people, now, pace="live", stops_on_weekends=True)
    assert row.due_at == now + dt.timedelta(minutes=15)


def test_a_sealed_question_has_one_deadline_for_all_the_latest_of_theirs(people: list[User], now: dt.datetime) -> None:
    lives(people[1], quiet=(13, 21))
    game = running(people[0], people[1:], now, pace="brisk")
    dues = {row.due_at for row in open_rows(game)}
    assert dues == {now + 20 * HOUR}


def test_a_sealed_question_keeps_one_deadline_when_a_broken_game_goes_on(people: list[User], now: dt.datetime) -> None:
    lives(people[1], quiet=(13, 21))
    game = running(people[0], people[1:], now, pace="brisk")
    (answered, *_others) = open_rows(game)
    answer(game, answered, now)
    Game.objects.update(quarantined_at=now)
    assert repair.release(game_id=game.pk, now=now + HOUR) == 0
    rows = list(game.decisions.filter(code=answered.code))
    assert {row.due_at for row in rows} == {now + 21 * HOUR}
    assert len(rows) == 3 and game.decisions.get(pk=answered.pk).status == "answered"
    assert Extension.objects.filter(reason="outage", new_due_at=rows[0].due_at).count() == 3
    told = Notice.objects.filter(kind="extended").values_list("recipient__user", flat=True)
    assert sorted(told) == sorted(user.pk for user in people)


def test_whoever_takes_a_seat_over_begins_with_a_full_bank_and_an_unused_excuse(
    people: list[User], now: dt.datetime
) -> None:
    row = placing(people, now, pace="brisk")
    Seat.objects.filter(pk=row.seat_id).update(is_excused=True, bank=dt.timedelta(0))
    seat = absences.hand_over(Seat.objects.get(pk=row.seat_id), User.objects.create_user("x@example.org"), now)
    seat.refresh_from_db()
    assert (seat.is_excused, seat.bank) == (False, 24 * HOUR)
    Game.objects.update(pace="daily")
    seat = absences.hand_over(Seat.objects.get(pk=row.seat_id), User.objects.create_user("y@example.org"), now)
    assert Seat.objects.get(pk=seat.pk).bank is None


def test_the_time_bank_runs_when_the_allowance_is_used_up(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, pace="brisk")
    assert (row.allowed_until, row.due_at) == (now + 12 * HOUR, now + 36 * HOUR)
    answer(row.game, row, now + 15 * HOUR)
    row.seat.refresh_from_db()
    assert row.seat.bank == 21 * HOUR


def test_an_answer_in_time_fills_the_bank(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, pace="brisk")
    answer(row.game, row, now + HOUR)
    row.seat.refresh_from_db()
    assert row.seat.bank == 25 * HOUR


def test_who_is_passed_has_used_up_his_bank(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, pace="brisk")
    told(row, now)
    assert deadlines.expire_one(now + 36 * HOUR)
    row.seat.refresh_from_db()
    assert row.seat.bank == 0 * HOUR


def test_an_excused_miss_starts_the_allowance_again_but_not_the_bank(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, pace="brisk")
    Game.objects.update(is_first_miss_excused=True)
    told(row, now)
    late = now + 36 * HOUR
    assert deadlines.expire_one(late)
    row.refresh_from_db()
    assert row.due_at == late + 12 * HOUR


def test_a_sealed_answer_neither_uses_nor_fills_a_bank_so_nothing_tells_when_it_was_given(
    people: list[User], now: dt.datetime
) -> None:
    game = running(people[0], people[1:], now, pace="brisk")
    early, late, _other = open_rows(game)
    assert early.due_at == late.due_at == now + 12 * HOUR
    answer(game, early, now + HOUR)
    answer(game, late, now + 12 * HOUR)
    assert set(game.seats.values_list("bank", flat=True)) == {24 * HOUR}


def test_reminders_come_at_the_times_the_player_chose(people: list[User], now: dt.datetime) -> None:
    for user in people:
        user.remind_before = [180, 720]
        user.save()
    row = placing(people, now)
    assert row.remind_at == now + 12 * HOUR
    assert deadlines.remind_one(now + 12 * HOUR)
    row.refresh_from_db()
    assert row.remind_at == now + 21 * HOUR
    assert deadlines.remind_one(now + 21 * HOUR)
    assert not deadlines.remind_one(now + DAY)
    assert Notice.objects.filter(kind="reminder", subject=row.subject).count() == 2


def test_nobody_is_reminded_after_the_deadline(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now)
    assert deadlines.remind_one(now + DAY)
    assert not deadlines.remind_one(now + DAY)
    assert not Notice.objects.filter(kind="reminder", subject=row.subject).exists()


def test_one_table_reminds_at_times_of_its_own_and_its_next_player_as_he_is_used_to(
    people: list[User], now: dt.datetime
) -> None:
    row = placing(people, now)
    clocks.change_reminders(seat=row.seat, remind_before=[60], now=now)
    row.refresh_from_db()
    assert row.due_at is not None and row.remind_at == row.due_at - HOUR
    assert deadlines.remind_one(row.remind_at) and not deadlines.remind_one(row.due_at - HOUR / 2)
    for wrong in ([5], [60, 120, 180, 240]):
        with pytest.raises(ServiceError):
            clocks.change_reminders(seat=row.seat, remind_before=wrong, now=now)
    Seat.objects.update(remind_before=[60])
    seat = absences.hand_over(Seat.objects.get(pk=row.seat_id), User.objects.create_user("x@example.org"), now)
    assert Seat.objects.get(pk=seat.pk).remind_before is None


def test_who_wants_no_reminders_gets_none_and_his_ledger_says_why(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now)
    clocks.change_reminders(seat=row.seat, remind_before=[], now=now)
    Endpoint.objects.create(recipient=row.seat.user.recipient, url="https://anna.example.org/hook")
    assert deadlines.remind_one(now + DAY - HOUR) and not deadlines.remind_one(now + DAY - HOUR)
    deliveries()
    (entry,) = ledger.entries(Notice.objects.filter(kind="reminder"))
    (line,) = entry.lines
    assert (line.words, line.reason) == ("wasn't sent, as you asked", "you've turned reminders off")


def test_told_in_time_means_in_the_players_own_time(people: list[User], now: dt.datetime) -> None:
    for user in people:
        lives(user, quiet=(0, 11))
    row = placing(people, now)
    told(row, now + 14 * HOUR)  # ten hours before the deadline, nine of them asleep
    assert not deadline_rule.was_told_in_time(row)


@pytest.mark.parametrize(("minutes", "moved"), [(1, False), (20, False), (9 * 60, True), (3 * 24 * 60, True)])
def test_an_outage_gives_everybody_at_least_a_quarter_of_his_time_afterwards_check_47(
    people: list[User], now: dt.datetime, minutes: int, moved: bool
) -> None:
    row = placing(people, now)
    told(row, now)
    start = now + 12 * HOUR
    end = start + dt.timedelta(minutes=minutes)
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=start)
    beat(end)
    row.refresh_from_db()
    assert row.due_at is not None
    assert row.due_at - end >= 6 * HOUR
    assert (row.due_at != now + DAY) == moved
    assert row.extensions.count() == int(moved)
    if moved:
        assert row.due_at == end + 12 * HOUR  # his clock stood still
    assert not deadlines.expire_one(end)
    assert fresh(row.game).seq == row.game.seq


def test_a_deadline_far_behind_an_outage_stays_where_it_was(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, pace="relaxed")
    Heartbeat.objects.create(name=deadline_rule.HEART, beat_at=now + HOUR)
    beat(now + 4 * HOUR)
    row.refresh_from_db()
    assert row.due_at == now + 3 * DAY


def test_what_everybody_reads_of_a_moved_deadline_does_not_tell_whose_mail_does_not_arrive(
    people: list[User], now: dt.datetime
) -> None:
    row = placing(people, now)
    refused = {"state": "failed", "attempt_after": None}
    deliveries().filter(notice__dedupe_key=row.due_key).update(**refused)
    assert deadlines.expire_one(now + DAY)
    extension = row.extensions.get()
    assert extension.reason == "not_told"
    assert extension.get_reason_display() == "the service gave more time"


def test_a_new_zone_counts_from_the_next_question_on(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now)
    for user in people:
        lives(user, "Pacific/Kiritimati", (20, 9))
    (open_row,) = open_rows(row.game)
    assert open_row.due_at == now + DAY
    answer(row.game, row, now)
    settle(now)
    (following,) = open_rows(row.game)
    assert following.due_at == now + DAY + 7 * HOUR  # noon is two in the night there, seven hours before his day


def test_changing_ones_hours_wins_no_time_even_when_a_clock_is_stopped_and_goes_on(
    people: list[User], now: dt.datetime
) -> None:
    row = placing(people, now, pace="brisk")
    pauses.pause_by_moderator(game_id=row.game_id, now=now + 6 * HOUR)
    for user in people:
        lives(user, quiet=(12, 23))
    pauses.resume_by_moderator(game_id=row.game_id, now=now + DAY)
    row.refresh_from_db()
    assert (row.allowed_until, row.due_at) == (now + DAY + 6 * HOUR, now + DAY + 30 * HOUR)


def test_changing_ones_hours_wins_nothing_back_for_the_bank(people: list[User], now: dt.datetime) -> None:
    row = placing(people, now, pace="brisk")
    for user in people:
        lives(user, quiet=(0, 12))
    answer(row.game, row, now + 15 * HOUR)
    row.seat.refresh_from_db()
    assert row.seat.bank == 21 * HOUR


def test_a_clock_keeps_zone_nights_and_weekends_as_they_were(people: list[User], now: dt.datetime) -> None:
    for user in people:
        lives(user, "Asia/Tokyo", (22, 8))
    row = placing(people, now, stops_on_weekends=True)
    kept = clocks.calendar_of(row, now)
    for user in people:
        lives(user, "UTC", (1, 2))
    assert clocks.calendar_of(Decision.objects.get(pk=row.pk), now) == kept
    assert (kept.zone, kept.days_off) == (TOKYO, frozenset({5, 6}))
