"""Games that end by agreement: all who still play wish it, and nobody wins."""

import datetime as dt

import pytest

from games.errors import Conflict
from games.models import Decision, Game, User
from games.play import absences, deadlines, game_moves
from games.ticks import tick
from notifications.models import Notice
from tests.games.conftest import answer, fresh, open_rows, running, seat_of


def wish(game: Game, user: User, now: dt.datetime, is_wanted: bool = True) -> Game:
    return game_moves.set_end_wish(game_id=game.pk, seat=seat_of(game, user).number, is_wanted=is_wanted, now=now)


def test_it_ends_when_the_last_of_all_agrees_and_everybody_is_told(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    for user in (anna, ben):
        assert wish(game, user, now).status == Game.Status.RUNNING
    row = open_rows(game)[0]
    wish(game, carla, now)
    game = fresh(game)
    assert (game.status, game.outcome, game.finished_at) == (Game.Status.CLOSED, None, now)
    assert not open_rows(game) and row.game.decisions.filter(status=Decision.Status.WITHDRAWN).count() == 3
    assert Notice.objects.filter(kind="closed").count() == 3
    with pytest.raises(Conflict):
        answer(game, row, now, {"type": "take_treasures"})
    tick()
    assert fresh(game).seq == game.seq and not deadlines.expire_one(now + dt.timedelta(days=9))


def test_a_wish_can_be_taken_back(game: Game, anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    wish(game, anna, now)
    wish(game, anna, now, is_wanted=False)
    for user in (ben, carla):
        wish(game, user, now)
    assert fresh(game).status == Game.Status.RUNNING


def test_who_is_absent_is_not_asked_and_only_a_wish_ends_the_game(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    for user in (anna, ben):
        wish(game, user, now)
    row = next(row for row in open_rows(game) if row.seat.user == carla)
    absences.make_absent(seat_of(game, carla), row, now)
    assert fresh(game).status == Game.Status.RUNNING
    with pytest.raises(Conflict):
        wish(game, carla, now)
    assert wish(game, anna, now).status == Game.Status.CLOSED


def test_who_goes_takes_his_wish_with_him(game: Game, anna: User, ben: User, now: dt.datetime) -> None:
    wish(game, anna, now)
    wish(game, ben, now)
    game_moves.resign(game_id=game.pk, seat=seat_of(game, anna).number, actor=anna, source="web", now=now)
    absences.make_absent(seat_of(game, ben), open_rows(game)[0], now)
    assert not game.seats.filter(wants_end=True).exists()


def test_alone_among_bots_one_wish_is_enough(anna: User, now: dt.datetime) -> None:
    game = running(anna, [], now, bots=("greedy", "random"))
    assert wish(game, anna, now).status == Game.Status.CLOSED
    with pytest.raises(Conflict):
        wish(game, anna, now)
