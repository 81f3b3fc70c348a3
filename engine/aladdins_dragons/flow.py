"""The course of a game: the agenda is laid out, worked off, and takes the answers of the seats."""

from typing import assert_never

from engine.aladdins_dragons import actions, effects, model, tally, waves
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.facts import CAVES, GUARD, cave_kind, open_spaces
from engine.aladdins_dragons.model import Frame, State
from engine.aladdins_dragons.tally import finish_complete, finish_decided, finish_stopped
from engine.core import Seat

STEP_LIMIT = 200
"""Steps between two stops: a round has about sixty; more than this is a bug that must not hang a worker."""

SAFETY_STOP = 30  # rounds (A19)

WAITING = (
    model.StartingTreasures, model.Placing, model.Boundary, model.Market, model.Camel, model.Tent,
)  # fmt: skip
"""Frames that stay until a seat answers or the boundary is crossed; some others may."""


def begin(board: Board) -> None:
    """Where rounds begin with a sheet the first card is turned up now: treasures are chosen beside that sheet (A6)."""
    state = board.state
    if state.is_planned:
        treasures = state.agenda.pop()
        state.agenda = [model.RoundStart()]
        run(board)
        state.agenda.append(treasures)


def is_waiting(state: State) -> bool:
    """True if nothing goes on without a seat's answer or the crossing of a boundary."""
    frame = state.agenda[-1]
    match frame:
        case model.Window():
            return windows.is_waiting(frame)
        case model.Ask(_, _, waiting):
            return bool(waiting)
        case model.Bribes(waiting):
            return bool(waiting) and tally.is_asked_at_guard(state, waiting[0])
        case model.Purchase(room, waiting):
            return tally.is_asked_in_room(state, waiting[0], room)
    return isinstance(frame, WAITING)


def run(board: Board) -> None:
    """Works off the agenda up to a frame that waits or the end (A94). Raises RuntimeError past the step limit."""
    for _ in range(STEP_LIMIT):
        state = board.state
        if state.outcome is None and tally.is_sold_out(board):
            finish_complete(board)
        elif state.outcome is None and state.ends_decided is True and tally.is_decided(state):
            finish_decided(board)
        if state.outcome is not None or is_waiting(state):
            return
        _step(board, board.state.agenda.pop())
    raise RuntimeError(f"no stop within {STEP_LIMIT} steps")


def _step(board: Board, frame: Frame) -> None:
    match frame:
        case model.RoundStart() | model.RoundEnd():
            _turn_round(board, frame)
        case model.Tally(space):
            _tally(board, space)
        case model.Reward(space):
            _reward(board, space)
        case model.Eviction():
            tally.evict(board)
        case model.Window() | model.Resolve() | model.Ask():
            windows.go_on(board, frame)
        case model.Rank(space):
            _rank(board, space)
        case model.Bribes():
            tally.pass_on_at_guard(board, frame)
        case model.Purchase():
            tally.pass_on_in_room(board, frame)
        case (
            model.StartingTreasures()
            | model.Placing()
            | model.Boundary()
            | model.Market()
            | model.Camel()
            | model.Tent()
        ):
            raise AssertionError(frame)
        case _:
            assert_never(frame)


def _turn_round(board: Board, frame: model.RoundStart | model.RoundEnd) -> None:
    if isinstance(frame, model.RoundStart):
        _start_round(board)
    else:
        _end_round(board)


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
    state.agenda += [model.RoundEnd(), *tally_agenda(state), model.Boundary("placing"), waves.first(state)]
    if state.has_magic:
        board.turn_up_offers()
        state.agenda.append(model.Window("start"))
    if state.is_planned:
        state.agenda.append(model.Boundary("start"))


def tally_agenda(state: State) -> list[Frame]:
    """The whole tally, last thing first; windows after the last token and between caves and city (A32, A91)."""
    agenda: list[Frame] = [model.Tally(space) for space in reversed(open_spaces(state.seats, state.version))]
    if state.has_magic:
        agenda.insert(len(agenda) - len(CAVES), model.Window("caves"))
        agenda.append(model.Window("placed"))
    return agenda


def _tally(board: Board, space: str) -> None:
    """Turns over a space; in the magic version a window follows, in empty ones as well if anybody can come (A33)."""
    state = board.state
    if space == GUARD:
        board.reveal_guard()
    if state.spaces[space]:
        board.reveal(space)
    if not state.has_magic:
        _rank(board, space)
        return
    state.tallying = space
    state.agenda.append(model.Rank(space))
    if state.spaces[space] or any(effects.may_bring(state, seat, space) for seat in range(state.seats)):
        state.agenda.append(model.Window(space))


def _rank(board: Board, space: str) -> None:
    """Ranks a space; one without tokens is passed over, but never the guard (A33)."""
    if effects.strengths(board.state, space):
        board.rank(space)
    elif space == GUARD or (space.startswith("cave-") and board.state.caves[cave_kind(space)]):
        board.state.tallied.append(space)
    else:
        if board.state.has_magic:
            board.state.tallied.append(space)
        return
    board.state.agenda.append(model.Reward(space))


def _reward(board: Board, space: str) -> None:
    if space.startswith("cave-"):
        tally.reward_cave(board, space)
    elif space == GUARD:
        tally.reward_guard(board)
    elif space.startswith("room-"):
        tally.offer_artifact(board, space)
    else:
        tally.reward_city(board, space)


def _end_round(board: Board) -> None:
    state = board.state
    if state.has_safety_stop and state.round >= SAFETY_STOP:
        finish_stopped(board)
    else:
        state.agenda += [model.RoundStart(), model.Boundary("round")]


def answer(board: Board, seat: Seat, action: Action) -> None:
    """Lets the frame that asks take the answer, which has been checked, and runs on."""
    frame = board.state.agenda[-1]
    match frame, action:
        case model.StartingTreasures(), actions.TakeTreasures():
            _choose_treasures(board, frame, seat, action)
        case model.Placing(), _:
            _answer_placing(board, frame, seat, action)
        case ((model.Market() | model.Camel()), _):
            _answer_city(board, seat, action)
        case model.Bribes(), _:
            _answer_bribe(board, frame, seat, action)
        case model.Purchase(), _:
            _answer_purchase(board, frame, seat, action)
        case ((model.Window() | model.Tent() | model.Ask()), _):
            windows.answer(board, frame, seat, action)
        case _:
            raise AssertionError((frame, action))
    run(board)


def cross(board: Board) -> None:
    """Leaves the phase boundary at which the state stands, and runs on."""
    board.state.agenda.pop()
    run(board)


def _choose_treasures(board: Board, frame: model.StartingTreasures, seat: Seat, action: actions.TakeTreasures) -> None:
    """Sealed until all have chosen, then taken openly in player sequence (A6)."""
    frame.chosen[seat] = action.amounts
    if any(chosen is None for chosen in frame.chosen):
        return
    board.state.agenda.pop()
    for owner in board.state.sequence():
        board.take(owner, frame.chosen[owner] or {}, "start")


def _answer_placing(board: Board, frame: model.Placing, seat: Seat, action: Action) -> None:
    match frame, action:
        case _, actions.PlayCard():
            waves.start_anew(frame)
            windows.declare(board, seat, action, declared_where(board.state))
        case model.Wave(), _:
            waves.answer(board, frame, seat, action)
        case _, actions.Place():
            board.place(seat, action.token, action.space)
            _next_placement(board, frame)
        case _:
            board.forfeit(seat)
            _next_placement(board, frame)


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


def _answer_city(board: Board, seat: Seat, action: Action) -> None:
    board.state.agenda.pop()
    match action:
        case actions.Exchange(give, take):
            board.pay(seat, {give: 1}, "market")
            board.take(seat, take, "market")
        case actions.Keep():
            board.keep_treasure(seat)
        case actions.GiveCamel(to):
            board.give_camel(seat, to)
        case actions.LeaveCamel():
            board.leave_camel(seat)


def _answer_bribe(board: Board, frame: model.Bribes, seat: Seat, action: Action) -> None:
    if isinstance(action, actions.PlayCard):  # the seat decides again unless it is in then (A64, S13)
        windows.declare(board, seat, action, GUARD, windows.REPLY)
        return
    frame.waiting.remove(seat)
    if isinstance(action, actions.Bribe):
        board.pay(seat, action.pay, GUARD)
        board.admit(seat, bribed=True)
    else:
        board.stay_out(seat)


def declared_where(state: State) -> str:
    """The window that the next declaration while placing opens (A92)."""
    return f"declared-{state.magic.declared + 1}"


def _answer_purchase(board: Board, frame: model.Purchase, seat: Seat, action: Action) -> None:
    frame.waiting.remove(seat)
    if isinstance(action, actions.PlayCard):  # such a card is a way to buy: it pays when it is declared
        board.state.agenda.pop()
        windows.declare(board, seat, action, frame.room, windows.REPLY)
        return
    if isinstance(action, actions.Buy):
        board.state.agenda.pop()
        board.pay(seat, action.payment(), frame.room)
        if board.state.has_magic:
            board.sell_offer(seat, frame.room)
        else:
            board.give_artifact(seat, frame.room)
        return
    board.decline(seat, frame.room)
    if not frame.waiting:
        board.state.agenda.pop()
        board.leave_unsold(frame.room)
