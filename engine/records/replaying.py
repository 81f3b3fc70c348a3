"""Playing a game again: the same seed and the same answers must lead to the same states, events and hashes."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from engine.core import Text
from engine.core.rng import commitment
from engine.records.chain import PLAYER, Agreed, PlayedMove, genesis, link, position_of
from engine.registry import AnyRules

Earlier: TypeAlias = Callable[[int], object]  # gives the state after a move by its number
Watch: TypeAlias = Callable[[int], object]
Stepped: TypeAlias = tuple[object, list[object]]
MOST_STATE = 1024 * 1024  # bytes of a position
"""Twice what five seats can make of one: 64 kB each with orders, sheets and plans, and the board beside them."""


class Fault(Exception):
    """The moves do not lead where they are said to. `text` names the first thing that differs."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.text = Text(code, params)


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a branch begins: the action of the move that began it.

    Arguments:
        step: as the game's history counts steps; what people are told.
        seq: number of the step's move.
        branch: number of the branch.
    """

    step: int
    seq: int
    branch: int

    def dump(self) -> str:
        """As a move's action."""
        return msgspec.json.encode(self).decode()


@dataclass(frozen=True)
class Replayed:
    """What a replay confirmed.

    Arguments:
        moves: how many there are.
        state: the one they lead to.
        head: the last hash.
        public: of each move, how many of its events everybody was shown.
        positions: of each move, the hash of the position after it.
    """

    moves: int
    state: bytes
    head: str
    public: list[int]
    positions: list[str]


def origin_of(move: PlayedMove) -> Origin:
    """Where the branch begins that this move began. Raises msgspec.MsgspecError if it does not say."""
    return msgspec.json.decode(move.action, type=Origin)


def check_commitment(agreed: Agreed) -> None:
    """Raises Fault if the seed is not the one whose hash was published."""
    if commitment(bytes.fromhex(agreed.server_seed)) != agreed.commitment:
        raise Fault("record.seed")


def replay(
    rules: AnyRules,
    agreed: Agreed,
    moves: Iterable[PlayedMove],
    origins: Collection[int],
    first: Stepped | None = None,
    watch: Watch = lambda number: None,
) -> Replayed:
    """Plays a game again from its seed and moves.

    Arguments:
        origins: numbers of the moves that branches begin after.
        first: state and events of the first move, where they do not come from the seed: of a sandbox.
        watch: is told the number of each move that fits.
    Raises Fault at the first difference, and MemoryError.
    """
    state: object = None
    data, count = b"", 0
    public: list[int] = []
    positions: list[str] = []
    kept: dict[int, bytes] = {}
    head = genesis(agreed)
    for count, move in enumerate(moves, start=1):
        if move.seq != count:
            raise Fault("record.missing", number=count)
        try:
            if first is not None and count == 1:
                state, events = first
            else:
                state, events = _step(rules, agreed, state, move, lambda seq: rules.load(kept[seq]))
        except MemoryError:
            raise
        except Exception as error:  # whatever the rules say to an answer that nobody can have given
            raise Fault("record.impossible", number=count) from error
        data = rules.dump(state)
        _check_size(data, count)
        if rules.dump_events(events).decode() != move.events:
            raise Fault("record.events", number=count)
        if count in origins:
            kept[count] = data
        head = link(head, move, data, rules.outcome(state), agreed.chain_version)
        if head != move.chain:
            raise Fault("record.chain", number=count)
        positions.append(position_of(data))
        public.append(sum(rules.redact(event, None) is not None for event in events))
        watch(count)
    return Replayed(count, data, head, public, positions)


def _check_size(state: bytes, number: int) -> None:
    if len(state) > MOST_STATE:
        raise Fault("record.state-too-large", number=number, most=MOST_STATE // 1024)


def _step(rules: AnyRules, agreed: Agreed, state: object, move: PlayedMove, earlier: Earlier) -> Stepped:
    if (move.kind == "start") != (move.seq == 1):
        raise ValueError("A game begins once.")
    if move.kind in ("start", "branch"):
        return beginning(rules, agreed, move, earlier)
    return step(rules, state, move)


def beginning(rules: AnyRules, agreed: Agreed, move: PlayedMove, earlier: Earlier) -> Stepped:
    """The first state of a game, or of the branch that this move begins, and the events."""
    if move.kind == "start":
        _check_written(move, "")
        return rules.new(agreed.seats, agreed.options, agreed.seed())
    origin = origin_of(move)
    _check_written(move, origin.dump())
    return rules.branch_off(earlier(origin.seq), agreed.seed(origin.branch), origin.step, origin.branch)


def step(rules: AnyRules, state: object, move: PlayedMove) -> Stepped:
    """What a move makes of a state: the next state, and the events. Not for moves that begin something."""
    if move.kind in ("advance", "resign", "end"):
        _check_written(move, "")
    if move.kind == "advance":
        return rules.advance(state)
    assert move.seat is not None, move
    if move.kind == "resign":
        return rules.resign(state, move.seat)
    if move.kind == "end":
        return rules.end(state, move.seat)
    if move.kind == "orders":
        orders = rules.load_orders(move.action.encode())
        _check_written(move, rules.dump_orders(orders).decode())
        return rules.instruct(state, move.seat, orders)
    assert move.kind == "answer", move.kind
    action = rules.load_action(move.action.encode())
    _check_written(move, rules.dump_action(action).decode())
    return rules.open(state, move.decision, move.seat).apply(action, by_player=move.by == PLAYER)


def _check_written(move: PlayedMove, action: str) -> None:
    """Raises ValueError unless the action is written as the rules write it: nothing added, no other word for it."""
    if move.action != action:
        raise ValueError("The action is written otherwise.")
