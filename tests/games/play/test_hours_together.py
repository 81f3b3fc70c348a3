"""An hour at which a table plays live together: proposed, agreed, told, begun, missed and over."""

import datetime as dt

import pytest

from games.errors import Conflict, ServiceError
from games.models import Decision, Extension, Game, User
from games.play import absences, deadline_rule, deadlines, game_moves, pauses
from notifications.models import Notice
from tests.games.conftest import answer, beat, fresh, open_rows, running, seat_of, settle
from tests.games.letters.conftest import mail, stale

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


def agree(game: Game, user: User, starts_at: dt.datetime, now: dt.datetime) -> Game:
    number = seat_of(game, user).number
    return pauses.agree_on_hour(game_id=game.pk, seat=number, starts_at=starts_at, now=now)


def decline(game: Game, user: User, now: dt.datetime) -> Game:
    return pauses.decline_hour(game_id=game.pk, seat=seat_of(game, user).number, now=now)


def step(now: dt.datetime) -> None:
    while pauses.step_one_hour(now):
        pass


@pytest.fixture
def people(anna: User, ben: User, carla: User) -> list[User]:
    return [anna, ben, carla]


@pytest.fixture
def at(now: dt.datetime) -> dt.datetime:
    return now.replace(second=0, microsecond=0) + 4 * HOUR


@pytest.fixture
def agreed(placing: Game, people: list[User], at: dt.datetime, now: dt.datetime) -> Game:
    for user in people:
        game = agree(placing, user, at, now)
    return game


@pytest.fixture
def live(agreed: Game, at: dt.datetime) -> Game:
    step(at)
    step(at)
    return fresh(agreed)


def test_it_stands_once_all_have_agreed_and_everyone_is_reminded_once_an_hour_before(
    placing: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    anna, ben, carla = people
    agree(placing, anna, at, now)
    assert {row.recipient.user for row in Notice.objects.filter(kind="hour")} == {ben, carla}
    assert mail("hour", ben).subject.startswith("Thursday: play live together on ")
    assert agree(placing, ben, at, now).hour_state == "proposed"
    assert agree(placing, carla, at, now).hour_state == agree(placing, carla, at, now).hour_state == "agreed"
    step(at - HOUR - MINUTE)
    assert fresh(placing).hour_state == "agreed"
    step(at - HOUR)
    step(at - MINUTE)
    assert fresh(placing).hour_state == "reminded"
    assert Notice.objects.filter(kind="hour").count() == 5
    assert mail("hour", anna).subject.startswith("Thursday plays live together on ")


def test_clocks_run_by_the_live_pace_and_whoever_is_asked_in_it_has_his_whole_time_after_it(
    live: Game, at: dt.datetime
) -> None:
    (row,) = open_rows(live)
    assert live.hour_state == "live" and row.due_at == at + 15 * MINUTE
    answer(live, row, at + 5 * MINUTE)
    settle(at + 5 * MINUTE)
    (row,) = open_rows(live)
    assert row.due_at == at + 20 * MINUTE
    Decision.objects.filter(pk=row.pk).update(due_at=at + 3 * HOUR)
    step(at + 2 * HOUR)
    (row,) = open_rows(live)
    assert (fresh(live).hour_state, row.due_at) == ("", at + 2 * HOUR + DAY)
    assert Extension.objects.filter(decision=row, reason="hour").exists()


def test_an_hour_nobody_keeps_ends_with_the_old_deadlines_and_nobody_is_passed(
    live: Game, at: dt.datetime, now: dt.datetime
) -> None:
    seq = fresh(live).seq
    late = at + 15 * MINUTE + deadline_rule.patience() + MINUTE
    assert deadlines.expire_one(late) and not deadlines.expire_one(late)
    (row,) = open_rows(live)
    assert (fresh(live).hour_state, row.due_at, fresh(live).seq) == ("missed", now + DAY, seq)
    assert not live.seats.filter(misses__gt=0).exists()
    assert not Notice.objects.filter(kind="passed").exists()


def test_whoever_had_minutes_left_before_it_still_has_them_after_it(
    placing: Game, people: list[User], now: dt.datetime
) -> None:
    at = now.replace(second=0, microsecond=0) + DAY - 10 * MINUTE
    for user in people:
        agree(placing, user, at, now)
    step(at)
    step(at)
    (row,) = open_rows(placing)
    assert row.due_at == at + 15 * MINUTE
    late = at + 30 * MINUTE
    assert deadlines.expire_one(late)
    (row,) = open_rows(placing)
    assert row.due_at == late + (now + DAY - at)


def test_an_answer_that_is_late_by_the_live_pace_counts(
    live: Game, at: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline_rule, "was_told_in_time", lambda _row: True)
    (row,) = open_rows(live)
    beat(at + 25 * MINUTE)
    live.seats.update(is_excused=True)
    answer(live, row, at + 25 * MINUTE)
    assert fresh(live).hour_state == "live"


def test_it_ends_when_everyone_has_left_it_and_when_the_game_is_paused(
    live: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    decline(live, people[0], at + MINUTE)
    decline(live, people[1], at + MINUTE)
    assert fresh(live).hour_state == "live"
    decline(live, people[2], at + MINUTE)
    (row,) = open_rows(live)
    assert (fresh(live).hour_state, row.due_at) == ("", now + DAY)


def test_a_pause_ends_it_and_keeps_what_the_clocks_showed_before(live: Game, at: dt.datetime, now: dt.datetime) -> None:
    pauses.pause_by_moderator(game_id=live.pk, now=at + 5 * MINUTE)
    (row,) = open_rows(live)
    assert (fresh(live).hour_state, row.due_at, row.hour_left) == ("", None, None)
    assert row.left == now + DAY - at - 5 * MINUTE


def test_one_who_declines_calls_it_off_and_the_others_are_told(
    agreed: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    decline(agreed, people[1], now + 2 * HOUR)
    assert fresh(agreed).hour_at is None and not agreed.seats.filter(agrees_to_hour=True).exists()
    assert mail("hour", people[0]).subject == "Thursday: no hour together"
    decline(agreed, people[1], now + 2 * HOUR)
    agree(agreed, people[0], at + HOUR, now + 2 * HOUR)
    assert stale("hour", people[2]) == "hour_changed"


def test_two_proposals_at_once_and_times_that_cannot_be_are_refused_in_words(
    placing: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    for wrong in (now - MINUTE, now, now + 15 * DAY):
        with pytest.raises(ServiceError, match="between now and two weeks"):
            agree(placing, people[0], wrong, now)
    agree(placing, people[0], at, now)
    with pytest.raises(Conflict, match="Another time is already proposed"):
        agree(placing, people[1], at + HOUR, now)
    assert fresh(placing).hour_at == at
    step(at)
    assert fresh(placing).hour_state == ""


def test_paused_finished_and_live_tables_have_none(
    placing: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    evening = running(people[0], people[1:2], now, pace="live", rules_name="cave-of-wonders", seat_count=2, options={})
    with pytest.raises(Conflict, match="no clocks"):
        agree(evening, people[0], at, now)
    pauses.pause_by_moderator(game_id=placing.pk, now=now)
    with pytest.raises(Conflict, match="paused"):
        agree(placing, people[0], at, now)
    Game.objects.filter(pk=placing.pk).update(status="finished")
    for act in (lambda: agree(placing, people[0], at, now), lambda: decline(placing, people[0], now)):
        with pytest.raises(Conflict, match="over"):
            act()


def test_absent_players_need_not_agree_and_whoever_resigns_is_not_waited_for(
    placing: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    anna, ben, carla = people
    absences.leave(absences.locked_seat(seat_of(placing, carla).pk), now)
    with pytest.raises(Conflict, match="active players"):
        agree(placing, carla, at, now)
    agree(placing, anna, at, now)
    assert agree(placing, ben, at, now).hour_state == "agreed"
    decline(placing, ben, now)
    absences.come_back(seat_id=seat_of(placing, carla).pk, now=now)
    agree(placing, anna, at, now)
    assert agree(placing, ben, at, now).hour_state == "proposed"
    number = seat_of(placing, carla).number
    game_moves.resign(game_id=placing.pk, seat=number, actor=carla, source="web", now=now)
    assert fresh(placing).hour_state == "agreed"


def test_a_pause_before_it_lets_it_fall(agreed: Game, at: dt.datetime) -> None:
    step(at - HOUR)
    pauses.pause_by_moderator(game_id=agreed.pk, now=at - MINUTE)
    step(at)
    assert fresh(agreed).hour_state == "" and Notice.objects.filter(kind="hour", data__is_off=True).count() == 3


def test_where_names_are_hidden_the_one_who_proposes_is_a_number(
    placing: Game, people: list[User], at: dt.datetime, now: dt.datetime
) -> None:
    placing.seats.update(hides_name=True)
    agree(placing, people[0], at, now)
    letter = mail("hour", people[1])
    assert f"Player {seat_of(placing, people[0]).number + 1} proposes" in letter.text and "Anna" not in letter.text
