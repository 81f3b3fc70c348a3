"""The log replays to the same game; tampering shows."""

import datetime as dt
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.models import Game, Move, User
from games.play import game_moves
from games.play.replay import ReplayMismatch, replay
from tests.games.conftest import cave_of_three, fresh, play_to_the_end, running, seat_of


@pytest.mark.slow
def test_a_whole_game_with_a_resignation_replays(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = cave_of_three(now)
    game_moves.resign(game_id=game.pk, seat=seat_of(game, ben).number, actor=ben, source=Move.Source.WEB, now=now)
    game = play_to_the_end(game, now)
    assert replay(game).moves == game.seq


@pytest.mark.parametrize(
    ("_case", "seq", "change"),
    [
        ("another answer", 2, {"action": '{"type":"take_treasures","amounts":{"gold":3}}'}),
        ("another seat", 2, {"seat": 9}),
        ("other events", 1, {"events": "[]"}),
        ("another hand", 1, {"source": Move.Source.MODERATOR}),
        ("another hash", 3, {"chain": "0" * 64}),
        ("a missing move", 3, {"seq": 99}),
    ],
)
def test_a_log_that_was_tampered_with_does_not_replay(
    placing: Game, now: dt.datetime, _case: str, seq: int, change: dict[str, object]
) -> None:
    move = placing.moves.get(seq=2)
    if move.action == change.get("action"):
        change = {"action": '{"type":"take_treasures","amounts":{"crown":3}}'}
    placing.moves.filter(seq=seq).update(**change)
    with pytest.raises(ReplayMismatch):
        replay(placing)


def test_another_seed_than_the_committed_one_is_noticed(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(server_seed="00" * 32)
    with pytest.raises(ReplayMismatch, match="commitment"):
        replay(fresh(game))


def test_a_state_that_was_tampered_with_is_noticed(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=game.state.replace('"camel":', '"camel":1'))
    with pytest.raises(ReplayMismatch, match="stored position"):
        replay(fresh(game))


def test_the_command_looks_at_every_game_and_fails_if_one_differs(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    other = running(anna, [ben, carla], now)
    out, err = StringIO(), StringIO()
    call_command("replay_games", stdout=out)
    assert [line.split(",")[0] for line in out.getvalue().splitlines()] == ["1 of 2", "2 of 2"]
    Game.objects.filter(pk=game.pk).update(rules_version=99)  # rules that are not there any more
    with pytest.raises(CommandError, match="1 of 2 games"):
        call_command("replay_games", stdout=(out := StringIO()), stderr=err)
    assert game.ref in err.getvalue()
    assert f"{other.ref}: 1 moves" in out.getvalue()
    with pytest.raises(CommandError, match="No game"):
        call_command("replay_games", "nowhere")
