"""submit: the one way to change a game."""

import datetime as dt

import pytest

from engine.rules import OpenDecision
from games.errors import Conflict, Illegal, KeyReused, Quarantined
from games.models import Decision, Game, Move, User
from games.play import game_moves, history, queries
from notifications.models import Notice
from tests.games.conftest import (
    answer,
    cave_of_three,
    fresh,
    open_rows,
    play_to_the_end,
    running,
    seat_of,
    settle,
    some_answer,
)  # fmt: skip


def placement(game: Game) -> Decision:
    (row,) = open_rows(game)
    assert row.kind == "place"
    return row


def snapshot(game: Game) -> tuple[object, ...]:
    game = fresh(game)
    return (game.state, game.seq, game.chain, game.moves.count(), list(game.decisions.values_list("pk", "status")))


def test_an_answer_becomes_a_move_and_closes_its_decision(placing: Game, now: dt.datetime) -> None:
    row = placement(placing)
    move = answer(placing, row, now)
    row.refresh_from_db()
    assert row.status == Decision.Status.ANSWERED
    assert row.closed_at == now
    assert (move.seq, move.seat, move.decision, move.source) == (placing.seq + 1, row.seat.number, row.code, "web")
    assert fresh(placing).seq == move.seq


def test_the_next_player_is_asked_in_the_same_transaction(placing: Game, now: dt.datetime) -> None:
    row = placement(placing)
    answer(placing, row, now)
    following = placement(placing)
    assert following.seat.number == (row.seat.number + 1) % 3
    assert following.due_at == now + dt.timedelta(days=1)
    assert Notice.objects.filter(kind="due", subject=following.subject).count() == 1


def test_a_decision_is_answered_once(placing: Game, now: dt.datetime) -> None:
    row = placement(placing)
    action = some_answer(placing, row)
    answer(placing, row, now, action)
    before = snapshot(placing)
    with pytest.raises(Conflict):
        answer(placing, row, now, action)
    assert snapshot(placing) == before


def test_the_same_idempotency_key_gives_back_the_first_move(placing: Game, now: dt.datetime) -> None:
    row = placement(placing)
    action = some_answer(placing, row)
    first = answer(placing, row, now, action, idempotency_key="k1")
    again = answer(placing, row, now, action, idempotency_key="k1")
    assert again.pk == first.pk
    assert fresh(placing).seq == first.seq


def test_a_key_of_another_seat_is_refused_and_shows_nothing_of_its_move(game: Game, now: dt.datetime) -> None:
    """That move may be sealed (A6)."""
    mine, other, _third = open_rows(game)
    answer(game, other, now, idempotency_key="k1")
    before = snapshot(fresh(game))
    with pytest.raises(KeyReused) as refused:
        answer(game, mine, now, idempotency_key="k1")
    assert (refused.value.code, refused.value.status) == ("key-reused", 422)
    assert snapshot(fresh(game)) == before


def test_seats_of_different_games_may_use_the_same_key(
    game: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    others = running(anna, [ben, carla], now)
    first = answer(game, open_rows(game)[0], now, idempotency_key="k1")
    second = answer(others, open_rows(others)[0], now, idempotency_key="k1")
    assert (first.game_id, second.game_id) == (game.pk, others.pk)


@pytest.mark.parametrize(
    ("_case", "action"),
    [
        ("a token that is not in hand (the 3 is missing)", {"type": "place", "token": 3, "space": "market"}),
        ("a space that does not exist", {"type": "place", "token": 9, "space": "moon"}),
        ("the Tent is closed in the basic version (A26)", {"type": "place", "token": 9, "space": "tent"}),
        ("a room that is not used by three (A10)", {"type": "place", "token": 9, "space": "room-4"}),
        ("an unknown field", {"type": "place", "token": 9, "space": "market", "colour": "red"}),
        ("an unknown type", {"type": "fly"}),
        ("a forfeit is the deadline's alone (A21)", {"type": "forfeit"}),
        ("no object at all", ["place", 9]),
        ("an answer to another kind of question", {"type": "keep"}),
    ],
)
def test_an_illegal_action_is_refused_and_changes_nothing(
    placing: Game, now: dt.datetime, _case: str, action: object
) -> None:
    before = snapshot(placing)
    with pytest.raises(Illegal) as caught:
        answer(placing, placement(placing), now, action)
    assert str(caught.value).strip()
    assert snapshot(placing) == before


@pytest.mark.parametrize("status", ["absent", "resigned"])
def test_a_seat_that_is_not_waited_for_takes_no_answer_of_a_person(
    placing: Game, now: dt.datetime, status: str
) -> None:
    row = placement(placing)
    action = some_answer(placing, row)
    placing.seats.filter(pk=row.seat.pk).update(status=status)
    before = snapshot(placing)
    with pytest.raises(Conflict):
        answer(placing, row, now, action)
    assert snapshot(placing) == before


def test_nobody_answers_for_another_seat(placing: Game, now: dt.datetime) -> None:
    row = placement(placing)
    before = snapshot(placing)
    with pytest.raises(Conflict):
        game_moves.submit(
            game_id=placing.pk,
            seat=(row.seat.number + 1) % 3,
            decision=row.code,
            action=some_answer(placing, row),
            source=Move.Source.WEB,
            received_at=now,
        )
    assert snapshot(placing) == before


def test_a_sealed_answer_may_be_replaced_until_all_have_answered(game: Game, now: dt.datetime) -> None:
    first, second, third = open_rows(game)
    answer(game, first, now, {"type": "take_treasures", "amounts": {"crown": 3}})
    answer(game, first, now, {"type": "take_treasures", "amounts": {"gold": 3}})
    answer(game, second, now)
    answer(game, third, now)
    with pytest.raises(Conflict):
        answer(game, first, now, {"type": "take_treasures", "amounts": {"crown": 3}})
    view = queries.view_of(queries.Access(fresh(game), first.seat))
    assert view.hoards[first.seat.number]["gold"] == 3


@pytest.mark.parametrize("source", [Move.Source.DEADLINE, Move.Source.BOT, Move.Source.ABSENT])
def test_a_deadline_that_comes_late_does_not_replace_a_sealed_answer(game: Game, now: dt.datetime, source: str) -> None:
    first, *_others = open_rows(game)
    answer(game, first, now, {"type": "take_treasures", "amounts": {"gold": 3}})
    before = snapshot(game)
    with pytest.raises(Conflict):
        game_moves.submit(
            game_id=game.pk, seat=first.seat.number, decision=first.code, action=None, source=source, received_at=now
        )
    assert snapshot(game) == before


def test_everybody_is_shown_as_waited_for_until_a_sealed_question_closes(game: Game, now: dt.datetime) -> None:
    first, second, _third = open_rows(game)
    answer(game, first, now)
    everybody = {0, 1, 2}
    assert {seat.number for seat in queries.waiting(fresh(game), None)[0]} == everybody
    assert {seat.number for seat in queries.waiting(fresh(game), second.seat)[0]} == everybody
    own = {seat.number for seat in queries.waiting(fresh(game), first.seat)[0]}
    assert own == everybody - {first.seat.number}, "whoever has answered knows that he has"


def test_the_shown_deadline_does_not_tell_who_has_answered(game: Game, now: dt.datetime) -> None:
    first, second, _third = open_rows(game)
    Decision.objects.filter(pk=first.pk).update(due_at=now + dt.timedelta(days=9))
    shown = queries.due_at(game)
    answer(game, first, now)
    assert queries.due_at(fresh(game)) == shown == now + dt.timedelta(days=9)
    answer(game, second, now)
    assert queries.due_at(fresh(game)) == shown


def test_a_phase_boundary_waits_for_a_worker(game: Game, now: dt.datetime) -> None:
    for row in open_rows(game):
        answer(game, row, now)
    game = fresh(game)
    assert open_rows(game) == []
    assert game.advance_at == now
    settle(now)
    assert fresh(game).advance_at is None
    assert fresh(game).moves.last().source == Move.Source.ADVANCE


def test_advance_is_refused_where_a_player_is_waited_for(game: Game, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        game_moves.advance(game_id=game.pk, now=now)


@pytest.mark.slow
@pytest.mark.both
def test_a_game_runs_to_its_winner_and_tells_everybody(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = play_to_the_end(cave_of_three(now), now)
    assert game.status == Game.Status.FINISHED
    result = queries.result(game)
    assert result is not None
    assert result.places[0][1] in result.winners
    assert [score for _place, _seat, score in result.places] == sorted(game.outcome["scores"], reverse=True)
    assert Notice.objects.filter(kind="game_over").count() == 3
    with pytest.raises(Conflict):
        game_moves.advance(game_id=game.pk, now=now)


def test_public_numbers_of_the_log_have_no_gaps(placing: Game, now: dt.datetime, anna: User) -> None:
    for _turn in range(5):
        answer(placing, placement(placing), now)
    for seat in [None, *placing.seats.all()]:
        numbers = [line.number for line in history.log_lines(queries.Access(fresh(placing), seat)) if line.number]
        assert numbers == sorted(set(numbers))
    starts = list(placing.moves.order_by("seq").values_list("first_public", flat=True))
    assert starts[0] == 1
    assert starts == sorted(starts)
    assert fresh(placing).public_events >= starts[-1]


@pytest.mark.slow
def test_resigning_ranks_last_and_the_game_goes_on(anna: User, ben: User, carla: User, now: dt.datetime) -> None:
    game = cave_of_three(now)
    seat = seat_of(game, ben)
    game_moves.resign(game_id=game.pk, seat=seat.number, actor=ben, source=Move.Source.WEB, now=now)
    seat.refresh_from_db()
    assert (seat.status, seat.link_generation) == ("resigned", 1)
    with pytest.raises(Conflict):
        game_moves.resign(game_id=game.pk, seat=seat.number, actor=ben, source=Move.Source.WEB, now=now)
    game = play_to_the_end(game, now)
    result = queries.result(game)
    assert result is not None
    assert result.places[-1][1].number == seat.number


def test_the_last_person_may_end_the_game_and_wins(game: Game, anna: User, now: dt.datetime) -> None:
    mine = seat_of(game, anna)
    others = [seat for seat in game.seats.all() if seat.pk != mine.pk]
    for seat in others:
        with pytest.raises(Conflict):
            game_moves.end_by_wish(game_id=game.pk, seat=mine.number, actor=anna, source=Move.Source.WEB, now=now)
        game_moves.resign(game_id=game.pk, seat=seat.number, actor=seat.user, source=Move.Source.WEB, now=now)
    with pytest.raises(Conflict):
        game_moves.resign(game_id=game.pk, seat=mine.number, actor=anna, source=Move.Source.WEB, now=now)
    game_moves.end_by_wish(game_id=game.pk, seat=mine.number, actor=anna, source=Move.Source.WEB, now=now)
    game = fresh(game)
    assert game.status == Game.Status.FINISHED
    assert game.outcome["ending"] == "abandoned"
    assert game.outcome["winners"] == [mine.number]
    assert open_rows(game) == []


def test_the_last_person_may_end_a_game_against_bots_and_wins(anna: User, ben: User, now: dt.datetime) -> None:
    game = running(anna, [ben], now, bots=("random",))
    mine, others = seat_of(game, anna).number, seat_of(game, ben).number
    with pytest.raises(Conflict):
        game_moves.end_by_wish(game_id=game.pk, seat=mine, actor=anna, source=Move.Source.WEB, now=now)
    game_moves.resign(game_id=game.pk, seat=others, actor=ben, source=Move.Source.WEB, now=now)
    game_moves.end_by_wish(game_id=game.pk, seat=mine, actor=anna, source=Move.Source.WEB, now=now)
    assert fresh(game).outcome["winners"] == [mine]


@pytest.mark.slow
def test_against_bots_the_last_person_may_resign_and_they_play_on(anna: User, ben: User, now: dt.datetime) -> None:
    game = running(anna, [ben], now, bots=("random",), rules_name="cave-of-wonders", options={})
    for user in (ben, anna):
        number = seat_of(game, user).number
        game_moves.resign(game_id=game.pk, seat=number, actor=user, source=Move.Source.WEB, now=now)
    game = play_to_the_end(game, now)
    assert game.outcome["winners"] == [game.seats.exclude(bot="").get().number]


def test_rules_that_break_stop_one_game_and_keep_the_answer(
    placing: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = placement(placing)
    action = some_answer(placing, row)
    before = snapshot(placing)

    def broken(*_args: object, **_how: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(OpenDecision, "apply", broken)
    with pytest.raises(Quarantined):
        answer(placing, row, now, action)
    assert snapshot(placing) == before
    row.refresh_from_db()
    assert "place" in row.kept_answer
    assert fresh(placing).quarantined_at == now
    monkeypatch.undo()
    with pytest.raises(Quarantined):
        answer(placing, row, now, action)


def test_moves_are_never_changed_or_deleted(game: Game) -> None:
    move = game.moves.get(seq=1)
    with pytest.raises(ValueError, match="final"):
        move.save()
    with pytest.raises(ValueError, match="final"):
        move.delete()
