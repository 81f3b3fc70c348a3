"""Two at once: one wins, the others are told, nothing is done twice. With PostgreSQL these are real races."""

import datetime as dt
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games.archive import ratings
from games.errors import ServiceError
from games.lobby import invitations, lifecycle
from games.models import Decision, Game, Move, Seat, User, Vacation
from games.people import idempotency
from games.play import absences, automatic_answers, deadlines, game_moves, pauses, standing_orders, table_talk
from notifications.models import Notice
from tests.games.archive.test_ratings import LATER, facts_of_all, over
from tests.games.conftest import (
    beat,
    deliveries,
    fresh,
    make_user,
    new_table,
    open_rows,
    running,
    some_answer,
    to_placing,
)
from tests.games.letters.test_orders import give

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(number: int, job: Callable[[int], object]) -> list[object]:
    """Runs the job in that many threads that start together; gives their results, refusals as exceptions."""
    barrier, results = threading.Barrier(number), [None] * number

    def run(index: int) -> None:
        barrier.wait()
        try:
            results[index] = job(index)
        except ServiceError as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.fixture
def placing(now: dt.datetime) -> Game:
    """A game in its placing part."""
    anna, *guests = (make_user(name) for name in ("Anna", "Ben", "Carla"))
    return to_placing(running(anna, guests, now, is_first_miss_excused=False), now)


def test_of_many_answers_to_one_decision_exactly_one_is_accepted(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    seq = placing.seq

    def submit(index: int) -> Move:
        return game_moves.submit(
            game_id=placing.pk,
            seat=row.seat.number,
            decision=row.code,
            action=some_answer(placing, row, index),
            source=Move.Source.WEB,
            received_at=now,
        )

    results = at_once(8, submit)
    assert sum(isinstance(result, Move) for result in results) == 1
    assert [error.status for error in results if isinstance(error, ServiceError)] == [409] * 7
    assert fresh(placing).seq == seq + 1
    assert placing.decisions.filter(status=Decision.Status.OPEN).count() == 1


def test_a_double_click_is_one_move(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    action = some_answer(placing, row)

    def submit(_index: int) -> Move:
        return game_moves.submit(
            game_id=placing.pk,
            seat=row.seat.number,
            decision=row.code,
            action=action,
            source=Move.Source.LINK,
            received_at=now,
            idempotency_key="one-click",
        )

    assert len({move.pk for move in at_once(4, submit) if isinstance(move, Move)}) == 1


def test_the_player_and_the_deadline_at_the_same_moment(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    taken = {"state": "accepted", "accepted_at": now, "attempt_after": None}
    deliveries().filter(notice__dedupe_key=row.due_key).update(**taken)
    late, seq = now + dt.timedelta(days=1), placing.seq

    def race(index: int) -> object:
        if index == 0:
            return deadlines.expire_one(late)
        return game_moves.submit(
            game_id=placing.pk,
            seat=row.seat.number,
            decision=row.code,
            action=some_answer(placing, row),
            source=Move.Source.WEB,
            received_at=late,
        )

    at_once(2, race)
    assert fresh(placing).seq == seq + 1


def test_two_workers_take_a_game_over_its_boundary_once(now: dt.datetime) -> None:
    anna, *guests = (make_user(name) for name in ("Anna", "Ben", "Carla"))
    game = running(anna, guests, now)
    for row in open_rows(game):
        game_moves.submit(
            game_id=game.pk,
            seat=row.seat.number,
            decision=row.code,
            action=some_answer(game, row),
            source=Move.Source.WEB,
            received_at=now,
        )
    at_once(4, lambda _index: game_moves.advance_one(now))
    assert game.moves.filter(kind=Move.Kind.ADVANCE).count() == 1
    assert Notice.objects.filter(kind="due", subject=open_rows(game)[0].subject).count() == 1


def test_two_workers_answer_for_a_bot_once(now: dt.datetime) -> None:
    anna = make_user("Anna")
    game = new_table(anna, now, bots=("random", "random"))
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    at_once(4, lambda _index: automatic_answers.answer_one(now))
    assert all(
        game.moves.filter(seat=row.seat.number, kind=Move.Kind.ANSWER).count() <= 1
        for row in game.decisions.filter(is_automatic=True)
    )


def test_the_last_free_seat_is_taken_once(now: dt.datetime) -> None:
    anna, *others = (make_user(f"P{number}") for number in range(6))
    table = new_table(anna, now, bots=("random",))
    results = at_once(5, lambda index: lifecycle.join(game_id=table.pk, user=others[index], now=now))
    assert sum(isinstance(result, ServiceError) for result in results) == 4
    assert table.seats.count() == 3


def test_a_game_starts_once(now: dt.datetime) -> None:
    anna: User = make_user("Anna")
    table = new_table(anna, now, bots=("random", "random"))
    results = at_once(4, lambda _index: lifecycle.start(game_id=table.pk, host=anna, now=now))
    assert sum(isinstance(result, Game) for result in results) == 1
    assert table.moves.count() == 1


def test_the_seat_that_missed_is_counted_once(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    taken = {"state": "accepted", "accepted_at": now, "attempt_after": None}
    deliveries().filter(notice__dedupe_key=row.due_key).update(**taken)
    at_once(4, lambda _index: deadlines.expire_one(now + dt.timedelta(days=1)))
    row.seat.refresh_from_db()
    assert row.seat.misses == 1
    assert Notice.objects.filter(kind="passed").count() == 1


def test_two_tickers_remind_once_and_end_a_pause_an_order_and_a_table_once(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    Decision.objects.filter(pk=row.pk).update(remind_at=now)
    user = placing.seats.get(number=(row.seat.number + 1) % 3).user
    assert user is not None
    order = {"kind": "place", "until": "date", "answers": [{"type": "place", "token": 9, "space": "guard"}]}
    give(placing, user, now, order, dates=[now + dt.timedelta(hours=1)])
    still, table = running(user, [*User.objects.exclude(pk=user.pk)], now), new_table(user, now)
    Game.objects.filter(pk=still.pk).update(paused_at=now, paused_by="moderator", pause_ends_at=now)
    later = max(table.expires_at, now + dt.timedelta(hours=1))
    seq = placing.seq + 1

    def at_work(_index: int) -> list[bool]:
        return [
            deadlines.remind_one(now),
            pauses.end_one(now),
            standing_orders.end_one(now + dt.timedelta(hours=1)),
            lifecycle.expire_one(later),
        ]

    at_once(4, at_work)
    told = Counter(Notice.objects.values_list("kind", flat=True))
    assert [told[kind] for kind in ("reminder", "resumed", "orders", "closed")] == [1, 3, 1, 1]
    assert fresh(placing).seq == seq + 1


def test_a_double_click_on_an_invitation_makes_one_account(now: dt.datetime) -> None:
    anna = make_user("Anna")
    rows = []
    for _number in range(2):  # at two tables, for two different mails lie in one mailbox
        table = new_table(anna, now)
        rows.append(invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now))
    results = at_once(4, lambda index: invitations.accept(invitation=rows[index % 2], name="Eva", now=now))
    assert all(isinstance(result, Seat) for result in results), results
    assert User.objects.filter(email="eva@example.org").count() == 1
    assert Seat.objects.filter(user__email="eva@example.org").count() == 2


def test_the_limit_of_a_day_holds_at_several_tables_at_once(now: dt.datetime, settings: Any) -> None:
    settings.INVITATIONS_PER_HOST_AND_DAY = 2
    anna = make_user("Anna")
    games = [new_table(anna, now) for _number in range(6)]

    def invite(index: int) -> object:
        address = f"guest{index}@example.org"
        return invitations.invite(game_id=games[index].pk, host=anna, address=address, now=now)

    at_once(6, invite)
    assert Notice.objects.filter(kind="invited").count() == 2


@pytest.mark.parametrize("_round", range(5))
def test_resigning_at_the_deadline_is_no_deadlock(now: dt.datetime, _round: int) -> None:
    anna, *guests = (make_user(name) for name in ("Anna", "Ben", "Carla"))
    game = to_placing(running(anna, guests, now), now)
    (row,) = open_rows(game)
    taken = {"state": "accepted", "accepted_at": now, "attempt_after": None}
    deliveries().filter(notice__dedupe_key=row.due_key).update(**taken)
    late = now + dt.timedelta(days=1)

    def race(index: int) -> object:
        if index == 0:  # its first deadline is excused, which is noted at decision and seat
            return deadlines.expire_one(late)
        return game_moves.resign(game_id=game.pk, seat=row.seat.number, actor=None, source=Move.Source.WEB, now=late)

    _expired, resigned = at_once(2, race)
    assert isinstance(resigned, Move)


def test_an_answer_that_came_in_time_wins_every_race_with_its_deadline(
    placing: Game, now: dt.datetime, settings
) -> None:
    settings.DEADLINE_GRACE_SECONDS = 10
    (row,) = open_rows(placing)
    deliveries().update(state="accepted", accepted_at=now, attempt_after=None)
    due = now + dt.timedelta(days=1)
    action = some_answer(placing, row)

    def act(index: int) -> object:
        if index:
            return deadlines.expire_one(due + dt.timedelta(seconds=5 * index))
        return game_moves.submit(
            game_id=placing.pk,
            seat=row.seat.number,
            decision=row.code,
            action=action,
            source=Move.Source.WEB,
            received_at=due - dt.timedelta(milliseconds=1),
            now=due + dt.timedelta(seconds=5),
        )

    results = at_once(5, act)
    assert isinstance(results[0], Move)
    assert results[1:] == [False] * 4
    assert not placing.moves.filter(source=Move.Source.DEADLINE).exists()


def test_many_workers_give_the_time_of_one_outage_back_once(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    beat(now + dt.timedelta(hours=20))
    results = at_once(5, lambda _index: beat(now + dt.timedelta(hours=30)))
    assert results == [None] * 5
    assert row.extensions.count() == 1


def test_two_vacations_planned_at_once_share_no_day_and_no_budget(placing: Game, now: dt.datetime) -> None:
    user = User.objects.get(name="Anna")
    first = now.date()

    def plan(index: int) -> object:
        begin = first + dt.timedelta(days=20 * index)
        return absences.plan(user=user, first_day=begin, last_day=begin + dt.timedelta(days=19), now=now)

    results = at_once(3, plan)
    assert sum(isinstance(result, Vacation) for result in results) == 1
    assert absences.days_left(user, first.year) == 10


def test_votes_at_once_make_one_pause(placing: Game, now: dt.datetime) -> None:
    seats = list(placing.seats.order_by("number"))
    results = at_once(
        3, lambda index: pauses.set_wish(game_id=placing.pk, seat=seats[index].number, is_wanted=True, now=now)
    )
    assert all(isinstance(result, Game) for result in results)
    assert fresh(placing).paused_at == now
    assert Notice.objects.filter(kind="paused").count() == 3


def of_one_moment(people: list[User], number: int) -> list[Game]:
    """Public games of these people that were over at the same moment, each with another winner."""
    games = [over(people[index % 3 :] + people[: index % 3]) for index in range(number)]
    Game.objects.update(finished_at=games[0].finished_at)
    return games


def test_games_that_end_at_one_moment_make_one_history_of_ratings(now: dt.datetime) -> None:
    of_one_moment([make_user(name) for name in ("Anna", "Ben", "Carla")], 6)

    def rate(_index: int) -> None:
        while Game.objects.filter(rated_at=None).exists():
            ratings.rate_one(LATER)

    at_once(4, rate)
    rated = facts_of_all()
    assert {row[3] for row in rated} == {6}
    ratings.rate_all(LATER)
    assert facts_of_all() == rated


@pytest.mark.postgres
def test_two_games_of_the_same_people_that_are_rated_at_once_both_count(
    now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [make_user(name) for name in ("Anna", "Ben", "Carla")]
    of_one_moment(people, 1)
    assert ratings.rate_one(LATER)
    late, first = of_one_moment(people, 2)
    Game.objects.filter(pk=late.pk).update(is_listed=False)
    is_rating, work_out = threading.Event(), ratings._rate

    def slowly(game: Game, *more: Any) -> Any:
        if game.pk == first.pk:
            is_rating.set()
            threading.Event().wait(1)  # the other one gets as far as it can
        return work_out(game, *more)

    monkeypatch.setattr(ratings, "_rate", slowly)

    def rate(index: int) -> bool:
        if index == 1:
            is_rating.wait(10)
            Game.objects.filter(pk=late.pk).update(is_listed=True, finished_at=late.finished_at - dt.timedelta(hours=1))
        return ratings.rate_one(LATER)

    assert at_once(2, rate) == [True, True]
    assert {row[3] for row in facts_of_all()} == {3}


def test_a_request_that_arrives_several_times_at_once_makes_one_thing(placing: Game, now: dt.datetime) -> None:
    anna = User.objects.get(name="Anna")

    def say(index: int) -> str:
        text = f"Hello {index % 2}"
        return idempotency.make_once(
            user=anna, key=f"key {index % 2}", asked=text, now=now,
            make=lambda: table_talk.say(game_id=placing.pk, user=anna, text=text, now=now).ref,
        )  # fmt: skip

    refs = at_once(6, say)
    assert {str(ref) for ref in refs} == set(placing.comments.values_list("ref", flat=True)) and len(set(refs)) == 2
