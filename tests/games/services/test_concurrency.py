"""Two at once: one wins, the others are told, nothing is done twice. With PostgreSQL these are real races."""

import datetime as dt
import threading
from collections.abc import Callable

import pytest
from django.db import connection

from games.errors import ServiceError
from games.models import Decision, Game, Move, User
from games.services import automatic, boundaries, deadlines, play, tables
from notifications.models import Delivery, Notice
from tests.games.conftest import fresh, make_user, new_table, open_rows, running, some_answer, to_placing

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
        return play.submit(
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
        return play.submit(
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
    Delivery.objects.filter(notice__dedupe_key=row.due_key).update(**taken)
    late, seq = now + dt.timedelta(days=1), placing.seq

    def race(index: int) -> object:
        if index == 0:
            return deadlines.expire_one(late)
        return play.submit(
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
        play.submit(
            game_id=game.pk,
            seat=row.seat.number,
            decision=row.code,
            action=some_answer(game, row),
            source=Move.Source.WEB,
            received_at=now,
        )
    at_once(4, lambda _index: boundaries.advance_one(now))
    assert game.moves.filter(kind=Move.Kind.ADVANCE).count() == 1
    assert Notice.objects.filter(kind="due", subject=open_rows(game)[0].subject).count() == 1


def test_two_workers_answer_for_a_bot_once(now: dt.datetime) -> None:
    anna = make_user("Anna")
    game = new_table(anna, now, bots=("random", "random"))
    tables.start(game_id=game.pk, host=anna, now=now)
    at_once(4, lambda _index: automatic.answer_one(now))
    assert all(
        game.moves.filter(seat=row.seat.number, kind=Move.Kind.ANSWER).count() <= 1
        for row in game.decisions.filter(is_automatic=True)
    )


def test_the_last_free_seat_is_taken_once(now: dt.datetime) -> None:
    anna, *others = (make_user(f"P{number}") for number in range(6))
    table = new_table(anna, now, bots=("random",))
    results = at_once(5, lambda index: tables.join(game_id=table.pk, user=others[index], now=now))
    assert sum(isinstance(result, ServiceError) for result in results) == 4
    assert table.seats.count() == 3


def test_a_game_starts_once(now: dt.datetime) -> None:
    anna: User = make_user("Anna")
    table = new_table(anna, now, bots=("random", "random"))
    results = at_once(4, lambda _index: tables.start(game_id=table.pk, host=anna, now=now))
    assert sum(isinstance(result, Game) for result in results) == 1
    assert table.moves.count() == 1


def test_the_seat_that_missed_is_counted_once(placing: Game, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    taken = {"state": "accepted", "accepted_at": now, "attempt_after": None}
    Delivery.objects.filter(notice__dedupe_key=row.due_key).update(**taken)
    at_once(4, lambda _index: deadlines.expire_one(now + dt.timedelta(days=1)))
    row.seat.refresh_from_db()
    assert row.seat.misses == 1
    assert Notice.objects.filter(kind="passed").count() == 1
