"""A host who plays, and what his tools can do to the others: each test is the script of a hostile one."""

import datetime as dt
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest

from games.errors import Conflict, ServiceError, TooMany
from games.lobby import hosting, lifecycle
from games.models import Extension, Game, User
from games.moderation import tables
from games.play import table_talk
from games.tables.settings import TablePlan
from notifications.models import Notice
from tests.games.conftest import answer, deliveries, fresh, open_rows, row_of, running, seat_of, settle, to_placing

pytestmark = [pytest.mark.slow, pytest.mark.both]
HOUR, MINUTE, DAY = dt.timedelta(hours=1), dt.timedelta(minutes=1), dt.timedelta(days=1)
WHY = "I am busy."


def attempts(act: Callable[[dt.datetime], object], count: int, now: dt.datetime, step: dt.timedelta) -> int:
    """How many of these tries succeed."""
    done = 0
    for number in range(count):
        with suppress(ServiceError):
            act(now + number * step)
            done += 1
    return done


def until_asked(game: Game, user: User, now: dt.datetime) -> Game:
    """Answers for the others until the game waits for this person alone."""
    while [row.seat.user for row in open_rows(game)] != [user]:
        answer(game, next(row for row in open_rows(game) if row.seat.user != user), now)
        settle(now)
        game = fresh(game)
    return game


def deliver(now: dt.datetime) -> None:
    """All that is due is sent."""
    deliveries().filter(attempt_after__lte=now).update(state="accepted", accepted_at=now, attempt_after=None)


def test_sixty_extensions_of_a_host_give_three_days_to_a_question_and_no_more(
    placing: Game, anna: User, now: dt.datetime
) -> None:
    game = until_asked(placing, anna, now)
    before = row_of(game, anna).due_at
    attempts(lambda at: tables.extend(game=fresh(game), by=anna, hours=72, reason=WHY, now=at), 60, now, MINUTE)
    after = row_of(game, anna).due_at
    assert before is not None and after is not None and after - before == 3 * DAY
    attempts(lambda at: tables.extend(game=fresh(game), by=anna, hours=1, reason=WHY, now=at), 60, now + 2 * DAY, HOUR)
    assert row_of(game, anna).due_at == after


def test_small_extensions_are_counted_together_by_the_day(placing: Game, anna: User, now: dt.datetime) -> None:
    done = attempts(
        lambda at: tables.extend(game=fresh(placing), by=anna, hours=1, reason=WHY, now=at), 60, now, MINUTE
    )
    assert done == tables.EXTENSIONS_A_DAY
    with pytest.raises(TooMany) as refused:
        tables.extend(game=fresh(placing), by=anna, hours=1, reason=WHY, now=now + HOUR)
    assert refused.value.wait == 23 * 3600


def test_a_new_question_has_its_own_measure_but_a_day_has_one(placing: Game, anna: User, now: dt.datetime) -> None:
    tables.extend(game=placing, by=anna, hours=48, reason=WHY, now=now)
    answer(placing, open_rows(placing)[0], now)
    settle(now)
    with pytest.raises(TooMany):
        tables.extend(game=fresh(placing), by=anna, hours=48, reason=WHY, now=now + HOUR)
    tables.extend(game=fresh(placing), by=anna, hours=24, reason=WHY, now=now + HOUR)
    tables.extend(game=fresh(placing), by=anna, hours=48, reason=WHY, now=now + 26 * HOUR)


def test_in_a_rated_game_a_host_gives_no_time_to_himself_alone(
    anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = to_placing(running(anna, [ben, carla], now, is_listed=True), now)
    game = until_asked(game, anna, now)
    with pytest.raises(Conflict, match="rated"):
        tables.extend(game=game, by=anna, hours=1, reason=WHY, now=now)
    assert not Extension.objects.filter(reason="host").exists()
    answer(game, open_rows(game)[0], now)
    settle(now)
    tables.extend(game=fresh(game), by=anna, hours=1, reason=WHY, now=now)
    eva = User.objects.create_superuser("eva@example.org", name="Eva")
    tables.extend(game=until_asked(fresh(game), anna, now), by=eva, hours=1, reason=WHY, now=now)


def test_a_moderator_is_not_bound_by_the_measure_of_hosts(placing: Game, now: dt.datetime) -> None:
    eva = User.objects.create_superuser("eva@example.org", name="Eva")
    game = placing
    assert (
        attempts(lambda at: tables.extend(game=fresh(game), by=eva, hours=72, reason=WHY, now=at), 8, now, MINUTE) == 8
    )


def test_a_host_moves_no_deadline_while_the_game_is_paused(placing: Game, anna: User, now: dt.datetime) -> None:
    Game.objects.filter(pk=placing.pk).update(paused_at=now, paused_by="moderator")
    with pytest.raises(Conflict, match="paused"):
        tables.extend(game=fresh(placing), by=anna, hours=1, reason=WHY, now=now)


def test_three_minutes_of_a_host_who_presses_all_his_tools_are_a_handful_of_notices(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    before = Notice.objects.count()
    for second in range(0, 180, 3):
        at = now + dt.timedelta(seconds=second)
        deliver(at)
        for act in (
            lambda at=at: tables.extend(game=fresh(placing), by=anna, hours=1, reason=WHY, now=at),
            lambda at=at: tables.nudge(game=fresh(placing), by=anna, reason=WHY, now=at),
            lambda at=at: hosting.offer_role(game_id=placing.pk, host=anna, seat=seat_of(placing, ben).number, now=at),
            lambda at=at: hosting.withdraw_offer(game_id=placing.pk, host=anna),
            lambda at=at: table_talk.say(game_id=placing.pk, user=anna, text=f"@Ben hurry {at}", now=at),
        ):
            with suppress(ServiceError):
                act()
    rows = list(Notice.objects.order_by("pk")[before:])
    told = Counter((row.recipient_id, row.kind) for row in rows if row.not_before is None)
    later = Counter((row.recipient_id, row.kind) for row in rows if row.not_before is not None)
    assert len(rows) < 10 and set(told.values()) == {1}
    assert set(later.values()) == {1} and all(row.not_before >= now + HOUR for row in rows if row.not_before)


def test_what_comes_within_the_hour_is_told_once_at_its_end_and_says_what_is_true_then(
    placing: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    for minute in (0, 10, 20, 30):
        table_talk.say(game_id=placing.pk, user=anna, text=f"@Ben {minute}", now=now + minute * MINUTE)
        deliver(now + minute * MINUTE)
    first, second = Notice.objects.filter(kind="talk").order_by("pk")
    assert (first.not_before, second.not_before) == (None, now + HOUR)
    assert second.data["comment"] == placing.comments.order_by("-pk")[0].ref
    table_talk.say(game_id=placing.pk, user=anna, text="@Ben at last", now=now + 3 * HOUR)
    assert Notice.objects.filter(kind="talk").count() == 3


def test_settings_that_change_again_and_again_are_told_once_an_hour(
    table: Game, anna: User, ben: User, now: dt.datetime
) -> None:
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    for number in range(30):
        plan = TablePlan(
            title="Thursday", rules_name="aladdins-dragons", seat_count=3, pace=("daily", "brisk")[number % 2 == 0],
            options={"version": "basic"}, proposals="off", missed="ask",
        )  # fmt: skip
        with suppress(TooMany):
            hosting.change_settings(game_id=table.pk, host=anna, plan=plan, now=now + number * MINUTE)
    assert fresh(table).settings_version == hosting.SETTINGS_CHANGES_A_DAY
    notice = Notice.objects.get(kind="settings_changed", recipient=ben.recipient)
    assert notice.data["version"] == fresh(table).settings_version


def test_a_host_reminds_a_table_a_few_times_a_day(placing: Game, anna: User, now: dt.datetime) -> None:
    done = 0
    for number in range(12):
        at = now + number * HOUR
        with suppress(TooMany):
            tables.nudge(game=fresh(placing), by=anna, reason=WHY, now=at)
            done += 1
        answer(placing, open_rows(fresh(placing))[0], at + MINUTE)
        settle(at + MINUTE)
    assert done == tables.NUDGES_A_DAY
