"""What happens in which order: the agenda is laid out, worked off, and takes the answers of the seats."""

from typing import assert_never

from engine.aladdins_dragons import actions, model
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.endings import finish_complete, finish_stopped
from engine.aladdins_dragons.facts import GUARD, PIECES, cave_kind, open_spaces
from engine.aladdins_dragons.model import Frame, State
from engine.aladdins_dragons.spaces import caves, city, guard, rooms
from engine.core import Seat

STEP_LIMIT = 200
"""Steps between two stops: a round has about twenty; more than this is a bug that must not hang a worker."""

SAFETY_STOP = 30  # rounds (A19)

WAITING = (
    model.StartingTreasures, model.Placing, model.Boundary, model.Market, model.Camel, model.Bribes, model.Purchase,
)  # fmt: skip
"""Frames that stay until a seat answers or the boundary is crossed."""


def run(board: Board) -> None:
    """Works off the agenda up to the next frame that waits, or the end. Raises RuntimeError past the step limit."""
    for _ in range(STEP_LIMIT):
        if board.state.outcome is not None or isinstance(board.state.agenda[-1], WAITING):
            return
        _step(board, board.state.agenda.pop())
    raise RuntimeError(f"no stop within {STEP_LIMIT} steps")


def _step(board: Board, frame: Frame) -> None:
    match frame:
        case model.RoundStart():
            _start_round(board)
        case model.Tally(space):
            _tally(board, space)
        case model.Reward(space):
            _reward(board, space)
        case model.Eviction():
            guard.evict(board)
        case model.RoundEnd():
            _end_round(board)
        case (
            model.StartingTreasures() | model.Placing() | model.Boundary() | model.Market() | model.Camel()
            | model.Bribes() | model.Purchase()
        ):  # fmt: skip
            raise AssertionError(frame)
        case _:
            assert_never(frame)


def _start_round(board: Board) -> None:
    """The vizier's step (A16), then the round's agenda, last thing first."""
    state = board.state
    if state.round:
        board.end_round()
    board.begin_round()
    if not state.deck:
        board.shuffle_deck()
    board.turn_card()
    board.post_guard()
    tally = [model.Tally(space) for space in reversed(open_spaces(state.seats, state.version))]
    state.agenda += [model.RoundEnd(), *tally, model.Boundary("placing"), model.Placing(state.camel)]


def _tally(board: Board, space: str) -> None:
    """Turns over and ranks a space; one without tokens is passed over, but never the guard (A33)."""
    if space == GUARD:
        board.reveal_guard()
    if board.state.spaces[space]:
        board.reveal(space)
        board.rank(space)
    elif space == GUARD or (space.startswith("cave-") and board.state.caves[cave_kind(space)]):
        board.state.tallied.append(space)
    else:
        return
    board.state.agenda.append(model.Reward(space))


def _reward(board: Board, space: str) -> None:
    if space.startswith("cave-"):
        caves.reward(board, space)
    elif space == GUARD:
        guard.reward(board)
    elif space.startswith("room-"):
        rooms.reward(board, space)
    else:
        city.reward(board, space)


def _end_round(board: Board) -> None:
    state = board.state
    if state.has_safety_stop and state.round >= SAFETY_STOP:
        finish_stopped(board)
    else:
        state.agenda += [model.RoundStart(), model.Boundary("round")]


def answer(board: Board, seat: Seat, action: Action) -> None:
    """Lets the frame that asks take the answer, which has been checked."""
    frame = board.state.agenda[-1]
    match frame, action:
        case model.StartingTreasures(), actions.TakeTreasures():
            _choose_treasures(board, frame, seat, action)
        case model.Placing(), actions.Place():
            board.place(seat, action.token, action.space)
            _next_placement(board, frame)
        case model.Placing(), actions.Forfeit():
            board.forfeit(seat)
            _next_placement(board, frame)
        case model.Market(), _:
            _answer_market(board, seat, action)
        case model.Camel(), _:
            _answer_camel(board, seat, action)
        case model.Bribes(), _:
            _answer_bribe(board, frame, seat, action)
        case model.Purchase(), _:
            _answer_purchase(board, frame, seat, action)
        case _:
            raise AssertionError((frame, action))


def _choose_treasures(board: Board, frame: model.StartingTreasures, seat: Seat, action: actions.TakeTreasures) -> None:
    """Sealed until all have chosen, then taken openly in player sequence (A6)."""
    frame.chosen[seat] = action.amounts
    if any(chosen is None for chosen in frame.chosen):
        return
    board.state.agenda.pop()
    for owner in board.state.sequence():
        board.take(owner, frame.chosen[owner] or {}, "start")


def _next_placement(board: Board, frame: model.Placing) -> None:
    """The next seat clockwise that holds more tokens than it has forfeited, or the end of placing (A20, A21)."""
    state = board.state
    for step in range(1, state.seats + 1):
        seat = (frame.seat + step) % state.seats
        if len(state.hands[seat]) > state.forfeits[seat]:
            frame.seat = seat
            return
    state.agenda.pop()
    board.end_placing()


def _answer_market(board: Board, seat: Seat, action: Action) -> None:
    board.state.agenda.pop()
    if isinstance(action, actions.Exchange):
        board.pay(seat, {action.give: 1}, "market")
        board.take(seat, action.take, "market")
    else:
        board.keep_treasure(seat)


def _answer_camel(board: Board, seat: Seat, action: Action) -> None:
    board.state.agenda.pop()
    if isinstance(action, actions.GiveCamel):
        board.give_camel(seat, action.seat)
    else:
        board.leave_camel(seat)


def _answer_bribe(board: Board, frame: model.Bribes, seat: Seat, action: Action) -> None:
    frame.waiting.remove(seat)
    if not frame.waiting:
        board.state.agenda.pop()
    if isinstance(action, actions.Bribe):
        board.pay(seat, action.pay, GUARD)
        board.admit(seat, bribed=True)
    else:
        board.stay_out(seat)


def _answer_purchase(board: Board, frame: model.Purchase, seat: Seat, action: Action) -> None:
    frame.waiting.remove(seat)
    if isinstance(action, actions.Buy):
        board.state.agenda.pop()
        board.pay(seat, action.payment(), frame.room)
        board.give_artifact(seat, frame.room)
        if rooms.is_sold_out(board):
            finish_complete(board)
        return
    board.decline(seat, frame.room)
    if not frame.waiting:
        board.state.agenda.pop()
        board.leave_unsold(frame.room)


def is_placeable(state: State, seat: Seat, space: str) -> bool:
    """May the seat put a token there while placing (A23, A25, A26, A27)?"""
    if space.startswith("cave-"):
        return bool(state.caves[cave_kind(space)])
    if space.startswith("room-"):
        own = sum(token.seat == seat for token in state.spaces[space])
        return bool(state.stacks[space]) and own < PIECES.room_limit
    return True
