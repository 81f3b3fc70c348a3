"""One game that is broken, in whatever way, stands still alone: every other game goes on, and people are told."""

import datetime as dt
from collections.abc import Callable

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from engine.rules import OpenDecision
from games.errors import Quarantined
from games.models import Game, Move, User
from games.play import automatic_answers, deadlines, game_moves
from tests.games.conftest import fresh, make_user, open_rows, running, seat_of, to_placing
from tests.games.play.test_deadlines import told

DAY = dt.timedelta(days=1)
Step = Callable[[dt.datetime], bool]


def spoil(game: Game) -> None:
    """The stored state of this game cannot be read any more."""
    Game.objects.filter(pk=game.pk).update(state='{"no": "state"}')


def until_idle(step: Step, now: dt.datetime) -> int:
    """How often a tick has something to do, up to twenty times."""
    return next((count for count in range(20) if not step(now)), 20)


@pytest.fixture
def other(now: dt.datetime) -> Game:
    """A sound game that comes after the broken one in every row."""
    people = [make_user(name) for name in ("David", "Eva", "Frida")]
    return running(people[0], people[1:], now + dt.timedelta(seconds=1), is_first_miss_excused=False)


def test_nobody_is_reminded_in_a_game_that_is_being_repaired(game: Game, now: dt.datetime) -> None:
    game.decisions.update(remind_at=now)
    Game.objects.update(quarantined_at=now)
    assert not deadlines.remind_one(now + DAY / 2)
    Game.objects.update(quarantined_at=None)
    assert deadlines.remind_one(now + DAY / 2)


def test_a_state_that_cannot_be_read_does_not_stop_the_bots_of_others(
    game: Game, other: Game, anna: User, now: dt.datetime
) -> None:
    for one in (game, other):
        one.decisions.update(is_automatic=True)
    spoil(game)
    until_idle(automatic_answers.answer_one, now + DAY)
    assert fresh(game).quarantined_at is not None
    assert fresh(other).seq == other.seq + 3


def test_a_state_that_cannot_be_read_does_not_stop_the_deadlines_of_others(
    game: Game, other: Game, now: dt.datetime
) -> None:
    game.seats.update(is_excused=True)
    for row in [*open_rows(game), *open_rows(other)]:
        told(row, now)
    spoil(game)
    until_idle(deadlines.expire_one, now + 2 * DAY)
    assert fresh(game).quarantined_at is not None
    assert fresh(other).seq == other.seq + 3


def test_a_state_that_cannot_be_read_does_not_stop_the_phases_of_others(
    game: Game, other: Game, now: dt.datetime
) -> None:
    for one in (game, other):
        for row in open_rows(one):
            game_moves.submit(
                game_id=one.pk,
                seat=row.seat.number,
                decision=row.code,
                action=None,
                source=Move.Source.DEADLINE,
                received_at=now,
            )
    assert fresh(other).advance_at is not None
    spoil(game)
    until_idle(game_moves.advance_one, now + DAY)
    assert fresh(game).failures or fresh(game).quarantined_at
    assert fresh(other).advance_at is None


def test_rules_that_break_beside_a_move_leave_it_undone_and_the_game_alone(
    game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row, *_others) = open_rows(game)
    action = {"type": "take_treasures", "amounts": {"gold": 3}}
    for name in ("default", "decisions", "dump", "outcome"):
        with monkeypatch.context() as patch:
            patch.setattr(game.rules, name, lambda *_args, **_how: 1 / 0)
            with pytest.raises(Quarantined):
                game_moves.submit(
                    game_id=game.pk,
                    seat=row.seat.number,
                    decision=row.code,
                    action=None if name == "default" else action,
                    source=Move.Source.WEB,
                    received_at=now,
                )
        assert fresh(game).seq == game.seq
        Game.objects.update(quarantined_at=None)


def test_a_worker_that_is_stopped_in_the_middle_of_a_move_blames_no_game(
    game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_args: object, **_how: object) -> None:
        raise SoftTimeLimitExceeded

    game.decisions.update(is_automatic=True)
    monkeypatch.setattr(OpenDecision, "apply", stopped)
    with pytest.raises(SoftTimeLimitExceeded):
        automatic_answers.answer_one(now)
    assert fresh(game).quarantined_at is None


def test_resigning_where_the_rules_break_is_refused_in_words(
    game: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(game.rules), "resign", lambda *_args, **_how: 1 / 0)
    with pytest.raises(Quarantined):
        game_moves.resign(game_id=game.pk, seat=seat_of(game, ben).number, actor=ben, source=Move.Source.WEB, now=now)
    assert seat_of(game, ben).status == "active"
    assert fresh(game).quarantined_at == now


def test_at_a_deadline_a_proposal_against_the_rules_is_replaced_by_the_default(
    anna: User, ben: User, carla: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = to_placing(running(anna, [ben, carla], now, is_first_miss_excused=False, missed="proposal"), now)
    (row,) = open_rows(game)
    told(row, now)
    illegal = deadlines.StandIn({"type": "place", "token": 99, "space": "cave-gold"}, {})
    monkeypatch.setattr(deadlines, "stand_in", lambda *_args: illegal)
    assert deadlines.expire_one(now + DAY)
    row.refresh_from_db()
    assert (row.status, fresh(game).moves.last().action) == ("answered", '{"type":"forfeit"}')
