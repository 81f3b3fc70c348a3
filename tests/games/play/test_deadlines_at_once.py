"""Several processes deal with deadlines at once: what one holds, the others skip. Real races on PostgreSQL."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from games.models import Decision, Game, Move, User
from games.play import deadlines, game_moves
from tests.games.conftest import make_user, running, to_placing
from tests.games.play.test_concurrency import at_once
from tests.games.play.test_deadlines import DAY, placement, told

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
GAMES = 6


@pytest.fixture
def people() -> list[User]:
    return [make_user(name) for name in ("Anna", "Ben", "Carla")]


@pytest.fixture
def overdue(people: list[User], now: dt.datetime) -> list[Decision]:
    """A placement in each of several games, one second after the other, all known to their players."""
    host, *others = people
    rows = []
    for number in range(GAMES):
        game = to_placing(running(host, others, now, is_first_miss_excused=False), now)
        row = placement(game)
        told(row, now)
        Decision.objects.filter(pk=row.pk).update(due_at=now + DAY + dt.timedelta(seconds=number))
        rows.append(row)
    return rows


@contextmanager
def held_elsewhere(table: str, pk: int) -> Iterator[None]:
    """Another connection holds this row; whoever waits for it here gets an error after two seconds."""
    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor, connection.cursor() as ours:
            cursor.execute(f"SELECT 1 FROM {table} WHERE id = %s FOR UPDATE", [pk])  # noqa: S608  # from below
            ours.execute("SET lock_timeout = '2s'")
            yield
            ours.execute("RESET lock_timeout")
    finally:
        other.rollback()
        other.close()


def passed() -> list[int]:
    return list(Move.objects.filter(source=Move.Source.DEADLINE).order_by("pk").values_list("game", flat=True))


def test_a_deadline_of_a_game_that_is_held_is_skipped_and_dealt_with_later(
    overdue: list[Decision], now: dt.datetime
) -> None:
    later = now + 2 * DAY
    with held_elsewhere("games_game", overdue[0].game_id):
        assert deadlines.expire_one(later)
        assert passed() == [overdue[1].game_id]
    assert deadlines.expire_one(later)
    assert passed() == [overdue[1].game_id, overdue[0].game_id]


def test_a_reminder_that_somebody_writes_is_skipped(overdue: list[Decision], now: dt.datetime) -> None:
    Decision.objects.update(remind_at=None)
    Decision.objects.filter(pk__in=[row.pk for row in overdue[:2]]).update(remind_at=now)
    with held_elsewhere("games_decision", overdue[0].pk):
        assert deadlines.remind_one(now)
        assert not deadlines.remind_one(now)
    assert deadlines.remind_one(now)


def test_a_game_at_a_phase_boundary_that_is_held_is_skipped(overdue: list[Decision], now: dt.datetime) -> None:
    first, second = overdue[0].game_id, overdue[1].game_id
    Game.objects.update(advance_at=None)
    Game.objects.filter(pk=first).update(advance_at=now)
    Game.objects.filter(pk=second).update(advance_at=now + dt.timedelta(seconds=1))
    with held_elsewhere("games_game", first), transaction.atomic():
        assert [game.pk for game in game_moves._claim_boundary(now + DAY)] == [second]


def test_of_many_processes_each_deadline_is_dealt_with_by_one_and_none_comes_in_vain(
    overdue: list[Decision], now: dt.datetime
) -> None:
    def drain(_index: int) -> int:
        count = 0
        while deadlines.expire_one(now + 2 * DAY):
            count += 1
        return count

    counts = at_once(3, drain)
    assert sum(int(str(count)) for count in counts) == GAMES
    assert sorted(passed()) == sorted(row.game_id for row in overdue)
