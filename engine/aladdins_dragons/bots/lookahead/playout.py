"""A round played on by the rules themselves to its end, every seat answering plainly and playing no further cards."""

from collections.abc import Mapping

import msgspec

from engine.aladdins_dragons import actions, flow
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board import model
from engine.aladdins_dragons.board.effects import own_tokens
from engine.aladdins_dragons.board.facts import KINDS, rooms
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.giving import largest
from engine.aladdins_dragons.cards.windows import unused_tiles
from engine.aladdins_dragons.magic_questions import default
from engine.aladdins_dragons.questions import strength_at_guard
from engine.aladdins_dragons.tally.payments import pay_fields, payable_kinds, values
from engine.core import Choice, Seat

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


def pack(state: State) -> bytes:
    """A state to play on many times."""
    return _encoder.encode(state)


def play_out(packed: bytes, seat: Seat, action: Action) -> State:
    """The state at the end of the round, or of the game, if the seat answers so and everybody plainly after it."""
    board = Board(_decoder.decode(packed))
    flow.answer(board, seat, action)
    _settle(board)
    state = board.state
    while state.outcome is None and not isinstance(state.agenda[-1], model.Boundary):
        _answer(board)
        _settle(board)
    return state


def _settle(board: Board) -> None:
    """Runs on; in windows everybody who has not answered passes."""
    flow.run(board)
    while board.state.outcome is None and isinstance(frame := board.state.agenda[-1], model.Window):
        frame.answers = [answer or [] for answer in frame.answers]
        flow.run(board)


def _answer(board: Board) -> None:
    """The first who is asked."""
    frame = board.state.agenda[-1]
    match frame:
        case model.Market(seat) | model.Camel(seat) | model.Tent(seat):
            pass
        case model.Bribes() | model.Purchase() | model.Ask():
            seat = frame.waiting[0]
        case _:
            raise AssertionError(frame)
    flow.answer(board, seat, plain_answer(board.state, frame, seat))


def plain_answer(state: State, frame: model.Frame, seat: Seat) -> Action:
    """What a seat answers in the tally without looking ahead. Raises AssertionError for a frame that asks nothing."""
    match frame:
        case model.Market():
            return _exchange(state, seat)
        case model.Camel():
            return actions.LeaveCamel() if state.camel == seat else actions.GiveCamel(seat)
        case model.Bribes():
            return _enter(state, seat)
        case model.Purchase(room):
            return _buy(state, seat, room)
        case model.Tent() | model.Ask():
            return default(state, frame, seat)
    raise AssertionError(frame)


def _exchange(state: State, seat: Seat) -> Action:
    """One of what there is most of, for three of what there is least of."""
    hoard = state.hoards[seat]
    give = max(KINDS, key=lambda kind: hoard[kind])
    take = sorted((kind for kind in KINDS if state.bank[kind] > 2), key=lambda kind: hoard[kind])
    return actions.Exchange(give, {take[0]: 3}) if hoard[give] and take else actions.Keep()


def _enter(state: State, seat: Seat) -> Action:
    """Who can buy something enters, with a key if he has one, else by a bribe."""
    if not _wants(state, seat, state.hoards[seat]):
        return actions.StayOut()
    if state.has_magic and "key" in unused_tiles(state, seat):
        return actions.PlayCard("key")
    missing = state.guard - strength_at_guard(state, seat)
    if not own_tokens(state, seat, "guard") or missing > sum(state.hoards[seat].values()):
        return actions.StayOut()
    pay = largest(state.hoards[seat], missing)
    left = {kind: amount - pay.get(kind, 0) for kind, amount in state.hoards[seat].items()}
    return actions.Bribe(pay) if _wants(state, seat, left) else actions.StayOut()


def _wants(state: State, seat: Seat, hoard: Mapping[str, int]) -> bool:
    found = [values(state, seat, room) for room in rooms(state.seats) if state.stacks[room]]
    return any(tokens and all(payable_kinds(tokens, dict(hoard))) for tokens in found)


def _buy(state: State, seat: Seat, room: str) -> Action:
    """If he can, the dearest token from the kind with most."""
    fields = pay_fields(state, seat, room)
    if fields is None:
        return actions.Decline()
    chosen: dict[str, str] = {}
    for field in fields:
        assert isinstance(field, Choice), field
        free = [str(option.value) for option in field.options if option.value not in chosen.values()]
        chosen[field.name] = max(free, key=lambda kind: state.hoards[seat][kind])
    return actions.Buy(**chosen)
