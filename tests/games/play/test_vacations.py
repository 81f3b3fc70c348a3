"""Vacations: whole days of one's own calendar, from a budget, that move deadlines and tell no secret."""

import datetime as dt
from datetime import date

import pytest

from games.errors import Conflict, NotFound, ServiceError
from games.models import Decision, Game, User, Vacation
from games.play import absences, clocks, pauses, queries
from tests.games.conftest import answer, fresh, open_rows, running, settle, to_placing

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


def plan(user: User, first: date, last: date, now: dt.datetime) -> Vacation:
    return absences.plan(user=user, first_day=first, last_day=last, now=now)


@pytest.fixture
def row(placing: Game, now: dt.datetime) -> Decision:
    """The first placement, due on 5 March at noon."""
    (asked,) = open_rows(placing)
    return asked


def player(row: Decision) -> User:
    assert row.seat.user is not None
    return row.seat.user


def due(row: Decision) -> dt.datetime | None:
    return Decision.objects.get(pk=row.pk).due_at


def test_a_vacation_from_today_on_stops_the_clock_at_once(row: Decision, now: dt.datetime) -> None:
    plan(player(row), date(2026, 3, 4), date(2026, 3, 13), now + 6 * HOUR)
    assert due(row) == dt.datetime(2026, 3, 14, 18, 0, tzinfo=dt.UTC)
    extension = row.extensions.get()
    assert (extension.reason, extension.old_due_at) == ("vacation", now + DAY)


def test_one_that_begins_before_the_deadline_leaves_the_time_before_it(row: Decision, now: dt.datetime) -> None:
    plan(player(row), date(2026, 3, 5), date(2026, 3, 6), now)
    assert due(row) == dt.datetime(2026, 3, 7, 12, 0, tzinfo=dt.UTC)


def test_one_after_the_deadline_moves_nothing_now_but_what_is_asked_later(row: Decision, now: dt.datetime) -> None:
    plan(player(row), date(2026, 3, 6), date(2026, 3, 8), now)
    assert due(row) == now + DAY
    assert not row.extensions.exists()
    clocks.start(row.game, [row], dt.datetime(2026, 3, 5, 18, 0, tzinfo=dt.UTC))
    assert row.due_at == dt.datetime(2026, 3, 9, 18, 0, tzinfo=dt.UTC)


def test_the_days_are_those_of_the_players_own_zone(row: Decision, now: dt.datetime) -> None:
    user = player(row)
    user.recipient.zone = "Pacific/Auckland"
    user.recipient.save()
    vacation = plan(user, date(2026, 3, 5), date(2026, 3, 5), now)  # at noon it is one in the night there
    assert (vacation.begins_at, vacation.ends_at) == (now, dt.datetime(2026, 3, 5, 11, 0, tzinfo=dt.UTC))


def test_a_table_may_know_no_vacation(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = to_placing(running(anna, [ben, carla], now, allows_vacation=False), now)
    (row,) = open_rows(game)
    plan(player(row), date(2026, 3, 4), date(2026, 3, 13), now)
    assert due(row) == now + DAY
    assert queries.on_vacation(game, now + HOUR) == {}


@pytest.mark.parametrize("answers_first", [False, True])
def test_whether_somebody_has_answered_in_secret_does_not_show_when_he_goes_on_vacation(
    game: Game, now: dt.datetime, answers_first: bool
) -> None:
    row, *others = open_rows(game)
    if answers_first:
        answer(game, row, now)
    plan(player(row), date(2026, 3, 4), date(2026, 3, 13), now + HOUR)
    later = dt.datetime(2026, 3, 14, 23, 0, tzinfo=dt.UTC)
    assert queries.due_at(fresh(game)) == later
    assert {due(other) for other in others} == {later}
    assert [extension.reason for extension in queries.extensions(fresh(game))] == ["vacation"]


def test_days_come_from_a_budget_for_each_year(anna: User, now: dt.datetime) -> None:
    assert absences.days_left(anna, 2026) == 30
    plan(anna, date(2026, 8, 1), date(2026, 8, 20), now)
    assert absences.days_left(anna, 2026) == 10
    with pytest.raises(Conflict) as refusal:
        plan(anna, date(2026, 9, 1), date(2026, 9, 11), now)
    assert "10 vacation days left in 2026; this would use 11" in refusal.value.message
    assert Vacation.objects.count() == 1


def test_a_vacation_over_new_year_takes_from_both_years(anna: User, now: dt.datetime) -> None:
    plan(anna, date(2026, 12, 20), date(2027, 1, 5), now)
    assert (absences.days_left(anna, 2026), absences.days_left(anna, 2027)) == (18, 25)


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        (date(2026, 3, 10), date(2026, 3, 9), "before the first"),
        (date(2026, 3, 3), date(2026, 3, 9), "can't start before today"),
        (date(2027, 6, 1), date(2027, 6, 2), "twelve months"),
    ],
)
def test_days_that_cannot_be_are_refused_in_words(
    anna: User, now: dt.datetime, first: date, last: date, why: str
) -> None:
    with pytest.raises(ServiceError) as refusal:
        plan(anna, first, last, now)
    assert why in refusal.value.message
    assert not Vacation.objects.exists()


def test_two_vacations_share_no_day(anna: User, now: dt.datetime) -> None:
    plan(anna, date(2026, 5, 1), date(2026, 5, 3), now)
    with pytest.raises(Conflict):
        plan(anna, date(2026, 5, 3), date(2026, 5, 4), now)
    plan(anna, date(2026, 5, 4), date(2026, 5, 5), now)


def test_calling_off_a_vacation_that_moved_nothing_gives_all_its_days_back(anna: User, now: dt.datetime) -> None:
    vacation = plan(anna, date(2026, 5, 1), date(2026, 5, 3), now)
    absences.end(user=anna, ref=vacation.ref, now=now)
    assert absences.days_left(anna, 2026) == 30


def test_coming_back_early_gives_back_the_days_that_have_not_come(anna: User, now: dt.datetime) -> None:
    vacation = plan(anna, date(2026, 3, 4), date(2026, 3, 13), now)
    absences.end(user=anna, ref=vacation.ref, now=now + DAY)
    assert absences.days_left(anna, 2026) == 28
    with pytest.raises(Conflict):
        absences.end(user=anna, ref=vacation.ref, now=now + 2 * DAY)


def test_a_deadline_made_with_a_vacation_stays_and_so_does_its_price(row: Decision, now: dt.datetime) -> None:
    user = player(row)
    vacation = plan(user, date(2026, 3, 4), date(2026, 3, 13), now)
    moved = due(row)
    absences.end(user=user, ref=vacation.ref, now=now + HOUR)
    assert due(row) == moved
    assert absences.days_left(user, 2026) == 20
    answer(row.game, row, now + 2 * HOUR)
    while (following := open_rows(row.game)[0]).seat_id != row.seat_id:
        answer(row.game, following, now + 2 * HOUR)
        settle(now + 2 * HOUR)
    assert following.due_at == now + 2 * HOUR + DAY


def test_nobody_ends_anothers_vacation(anna: User, ben: User, now: dt.datetime) -> None:
    vacation = plan(anna, date(2026, 5, 1), date(2026, 5, 3), now)
    with pytest.raises(NotFound):
        absences.end(user=ben, ref=vacation.ref, now=now)


def test_a_vacation_in_a_pause_counts_when_the_game_goes_on(row: Decision, now: dt.datetime) -> None:
    pauses.pause_by_moderator(game_id=row.game_id, now=now)
    plan(player(row), date(2026, 3, 4), date(2026, 3, 13), now)
    pauses.resume_by_moderator(game_id=row.game_id, now=now + HOUR)
    assert due(row) == dt.datetime(2026, 3, 15, 0, 0, tzinfo=dt.UTC)


def test_the_table_sees_who_is_on_vacation_until_when(row: Decision, now: dt.datetime) -> None:
    vacation = plan(player(row), date(2026, 3, 4), date(2026, 3, 13), now)
    assert queries.on_vacation(fresh(row.game), now + HOUR) == {row.seat.number: vacation.ends_at}
    assert queries.on_vacation(fresh(row.game), vacation.ends_at) == {}
