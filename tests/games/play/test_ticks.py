"""One tick does everything that is due, and one part that breaks never stops the others."""

import datetime as dt

import pytest

from games import tasks, ticks
from games.lobby import lifecycle
from games.models import Game, Heartbeat, User
from games.play import game_moves
from tests.games.conftest import answer, fresh, new_table, open_rows


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No mail leaves in these tests."""
    monkeypatch.setattr(ticks, "deliver_due", lambda: None)


@pytest.mark.usefixtures("quiet")
def test_a_tick_plays_bots_and_crosses_boundaries(anna: User) -> None:
    now = dt.datetime.now(dt.UTC)
    game = new_table(anna, now, bots=("random", "random"))
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    ticks.tick()
    (row,) = open_rows(game)
    answer(game, row, now)
    tasks.play()  # what a worker does at once
    (row,) = open_rows(game)
    assert (row.kind, row.seat.user) == ("place", anna)
    assert set(Heartbeat.objects.values_list("name", flat=True)) == {"ticker", "housekeeping"}


@pytest.mark.usefixtures("quiet")
def test_a_part_that_breaks_does_not_stop_the_others(anna: User, monkeypatch: pytest.MonkeyPatch) -> None:
    past = dt.datetime.now(dt.UTC) - dt.timedelta(days=30)
    table = new_table(anna, past)

    def broken(_now: dt.datetime) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(game_moves, "advance_one", broken)
    ticks.tick()
    assert fresh(table).status == Game.Status.CLOSED


def test_a_game_whose_boundary_breaks_is_tried_again_and_then_left_alone(
    game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for row in open_rows(game):
        answer(game, row, now)

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(game.rules), "advance", broken)
    minute = dt.timedelta(minutes=1)
    for failure in range(game_moves.MOST_FAILURES):
        assert fresh(game).quarantined_at is None
        assert game_moves.advance_one(now + failure * minute)
        assert not game_moves.advance_one(now + failure * minute)
    game = fresh(game)
    assert game.quarantined_at is not None
    assert not game_moves.advance_one(now + 99 * minute)
    assert game_moves.Quarantined.status == 503
