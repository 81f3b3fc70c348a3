"""No answer of the API depends on what its reader may not know."""

import datetime as dt
import json
from random import Random

import pytest

from games.models import Game, User
from tests.games.api.conftest import Program
from tests.games.conftest import answer, fresh, open_rows, running, seat_of, settle, some_answer, to_placing

pytestmark = pytest.mark.slow


def everything(program: Program, game: Game) -> str:
    """All the API tells this person about the game."""
    paths = ("games/", f"games/{game.ref}/", f"games/{game.ref}/log/", f"games/{game.ref}/decisions/")
    return json.dumps([program.get(path) for path in paths])


@pytest.mark.parametrize("moves", [0, 2, 11, 26, 33])
def test_states_alike_to_a_seat_are_alike_in_every_answer(
    game: Game, anna: User, annas: Program, now: dt.datetime, moves: int
) -> None:
    game = to_placing(game, now) if moves else game
    for dice in range(moves):
        settle(now)
        answer(game, open_rows(game)[0], now, some_answer(fresh(game), open_rows(game)[0], dice))
    game, number = fresh(game), seat_of(game, anna).number
    before, state = everything(annas, game), game.state
    view = game.rules.view(game.load_state(), number)
    others = set()
    for dice in range(3):
        alike = game.rules.dump(game.rules.determinise(view, Random(dice))).decode()
        Game.objects.filter(pk=game.pk).update(state=alike, server_seed=f"{dice:064}", chain=f"{dice:064}")
        others.add(alike)
        assert everything(annas, game) == before
    assert len(others | {state}) == 4


def test_nobody_learns_who_has_answered_in_secret(
    game: Game, anna: User, ben: User, annas: Program, now: dt.datetime
) -> None:
    """A sealed answer is invisible to all others until the last one has come (A6)."""
    before = everything(annas, game)
    (row,) = [row for row in open_rows(game) if row.seat.user == ben]
    for dice in range(2):
        answer(game, row, now, some_answer(fresh(game), row, dice))
        assert everything(annas, game) == before


def test_hidden_hoards_stay_hidden(anna: User, ben: User, carla: User, annas: Program, now: dt.datetime) -> None:
    """With hoards closed only their owner knows them (A46)."""
    game = to_placing(running(anna, [ben, carla], now, options={"open_hoards": "off"}), now)
    view = annas.get(f"games/{game.ref}/")["view"]
    number = seat_of(game, anna).number
    shown = [seat for seat, hoard in enumerate(view["hoards"]) if hoard is not None]
    assert shown == [number]
