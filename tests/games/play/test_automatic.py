"""Bots and seats nobody waits for."""

import datetime as dt
from random import Random

import pytest

from games.lobby import lifecycle
from games.models import Decision, Game, Move, User
from games.play import automatic_answers, game_moves, locking
from tests.games.conftest import answer, fresh, new_table, open_rows, settle


@pytest.fixture
def with_bots(anna: User, now: dt.datetime) -> Game:
    """Anna against two bots; everybody chooses starting treasures."""
    game = new_table(anna, now, bots=("random", "greedy"))
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    return fresh(game)


def test_bots_answer_at_once_and_people_are_waited_for(with_bots: Game, anna: User, now: dt.datetime) -> None:
    settle(now)
    (row,) = open_rows(with_bots)
    assert row.seat.user == anna
    assert with_bots.moves.filter(source=Move.Source.BOT).count() == 2


def test_nobody_writes_to_a_bot(with_bots: Game, now: dt.datetime) -> None:
    settle(now)
    bots = Decision.objects.filter(is_automatic=True)
    assert bots.count() == 2
    assert all(row.due_at is None and row.remind_at is None for row in bots)


def test_a_bot_that_breaks_is_answered_for_by_the_default(
    with_bots: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    for bot in with_bots.rules.bots.values():
        monkeypatch.setattr(type(bot), "choose", broken)
    settle(now)
    moves = with_bots.moves.filter(kind="answer")
    assert {move.action for move in moves} == {'{"type":"take_treasures","amounts":{"crown":1,"pearl":1,"gem":1}}'}


def test_a_bot_that_cheats_is_answered_for_by_the_default(
    with_bots: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bot in with_bots.rules.bots.values():
        monkeypatch.setattr(type(bot), "choose", lambda *_args: {"type": "take_treasures", "amounts": {"gold": 99}})
    settle(now)
    assert with_bots.moves.filter(source=Move.Source.ABSENT).count() == 2


def test_a_bot_sees_its_view_and_never_the_state(
    with_bots: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def look(_self: object, view: object, question: object, dice: Random) -> object:
        seen.append(view)
        return with_bots.rules.sample(question, dice)

    for bot in with_bots.rules.bots.values():
        monkeypatch.setattr(type(bot), "choose", look)
    settle(now)
    assert {type(view).__name__ for view in seen} == {"View"}


def test_the_oldest_waiting_decision_is_answered_first(with_bots: Game, anna: User, now: dt.datetime) -> None:
    other = new_table(anna, now, bots=("random", "random"))
    lifecycle.start(game_id=other.pk, host=anna, now=now - dt.timedelta(hours=1))
    automatic_answers.answer_one(now)
    assert other.moves.filter(source=Move.Source.BOT).count() == 1
    assert with_bots.moves.filter(source=Move.Source.BOT).count() == 0


def test_two_workers_on_one_decision_of_several_tokens_forfeit_nothing(
    anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other has placed the token that this one's bot has chosen, and the decision is open still."""
    options = {"version": "basic", "tokens_per_turn": "2", "placing": "waves"}
    game = new_table(anna, now, bots=("random", "greedy"), options=options)
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    choose = automatic_answers.bot_action

    def overtaken(game: Game, row: Decision, name: str) -> object:
        chosen = choose(game, row, name)
        if row.kind != "place":
            return chosen
        monkeypatch.setattr(automatic_answers, "bot_action", choose)
        automatic_answers.answer_one(now)
        return chosen

    monkeypatch.setattr(automatic_answers, "bot_action", overtaken)
    (row,) = [row for row in open_rows(game) if row.seat.user == anna]
    answer(game, row, now)
    while game_moves.advance_one(now) or automatic_answers.answer_one(now):
        pass
    assert game.moves.filter(source=Move.Source.BOT).count() >= 4
    assert not game.moves.filter(source=Move.Source.ABSENT).exists()


def test_what_one_worker_is_on_others_leave_to_it(with_bots: Game, now: dt.datetime) -> None:
    turns = automatic_answers.BotTurns()
    assert turns.answer_one(now)
    assert not automatic_answers.BotTurns().answer_one(now)
    assert turns.answer_one(now)
    assert with_bots.moves.filter(source=Move.Source.BOT).count() == 2


def test_a_worker_lets_others_take_what_it_leaves(with_bots: Game, now: dt.datetime) -> None:
    turns = automatic_answers.BotTurns()
    turns.answer_one(now)
    turns.leave()
    assert automatic_answers.BotTurns().answer_one(now)


def test_what_a_dead_worker_was_on_is_answered_a_moment_later(with_bots: Game, now: dt.datetime) -> None:
    automatic_answers.BotTurns().answer_one(now)
    assert not automatic_answers.BotTurns().answer_one(now)
    assert automatic_answers.BotTurns().answer_one(now + locking.HOLD)


def test_a_worker_holds_what_its_own_answers_ask_of_bots(anna: User, now: dt.datetime) -> None:
    game = only_bots(anna, now)
    turns = automatic_answers.BotTurns()
    for _ in range(5):  # the last starting treasures, and what is asked then
        assert turns.answer_one(now) or game_moves.advance_one(now)
    assert game.decisions.filter(status="open", is_automatic=True).exists()
    assert not automatic_answers.BotTurns().answer_one(now)


def test_after_some_answers_in_a_row_another_table_has_its_turn(
    with_bots: Game, anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = now + dt.timedelta(seconds=1)
    other = only_bots(anna, later)
    monkeypatch.setattr(automatic_answers, "MOST_IN_A_ROW", 1)
    turns = automatic_answers.BotTurns()
    while not other.moves.filter(source=Move.Source.BOT).exists():
        assert turns.answer_one(later)
    assert with_bots.moves.filter(source=Move.Source.BOT).count() == 2


def test_a_worker_is_woken_only_for_what_no_worker_is_on(
    anna: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(game_moves, "hint_workers_on_commit", woken.append)
    only_bots(anna, now)
    assert set(woken) == {"play"}
    turns = automatic_answers.BotTurns()
    while turns.answer_one(now):
        woken.clear()
    assert game_moves.advance_one(now)
    assert turns.answer_one(now)
    woken.clear()
    assert turns.answer_one(now)
    assert not woken


def only_bots(host: User, now: dt.datetime) -> Game:
    """A table whose host has given up at once, so that bots alone play."""
    options = {"version": "basic"}
    game = new_table(host, now, bots=("random", "greedy"), options=options, absent_seats=Game.AbsentSeats.BOT)
    lifecycle.start(game_id=game.pk, host=host, now=now)
    seat = game.seats.get(user=host).number
    game_moves.resign(game_id=game.pk, seat=seat, actor=host, source=Move.Source.WEB, now=now)
    return fresh(game)
