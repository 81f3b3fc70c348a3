"""The course of a game: the moves of its record that count, each with the positions before and after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.core import IllegalAction, Seat
from engine.orders.model import OrderFired
from engine.records.chain import PlayedMove
from engine.records.model import Record
from engine.records.replaying import beginning, origin_of, step
from engine.registry import AnyRules
from engine.reviews.playouts import Playouts, decision_of

DEALS = 4  # drawn anew to see whether chance has a part in a move; a die hides from so many once in 216 times


@dataclass(frozen=True)
class Turn:
    """A move, and what it made of the position.

    Arguments:
        kind: "start", "answer", "advance", "resign", "end", "orders" or "branch".
        asked: the kind of decision that it answers; "" if it answers none.
        before, after: the states, packed.
        fired: whether orders answered in it as well.
    """

    seq: int
    kind: str
    seat: Seat | None
    by: str
    decision: str
    asked: str
    action: object
    before: bytes
    after: bytes
    fired: bool

    @property
    def is_hidden(self) -> bool:
        """True for what changes nothing on the board."""
        return self.kind == "orders"


def course_of(rules: AnyRules, record: Record) -> list[Turn]:
    """The moves that lead to where the game ended, in order; what a roll-back has taken back is not among them.

    Raises whatever the rules raise at a record that does not fit them.
    """
    moves = list(record.played())
    spans = _standing_spans(moves)
    origins = {origin_of(move).seq for move in moves if move.kind == "branch"}
    kept: dict[int, bytes] = {}
    turns: list[Turn] = []
    state: object = None
    after = b""
    for move in moves:
        before, asked, action = after, "", None
        if move.kind in ("start", "branch"):
            state, events = beginning(rules, record.agreed, move, lambda seq: rules.load(kept[seq]))
        else:
            assert move.seat is not None or move.kind == "advance", move
            if move.kind == "answer" and move.seat is not None:
                asked = rules.open(state, move.decision, move.seat).decision.kind
                action = rules.load_action(move.action.encode())
            state, events = step(rules, state, move)
        after = rules.dump(state)
        if move.seq in origins:
            kept[move.seq] = after
        if any(first <= move.seq <= last for first, last in spans):
            fired = any(isinstance(event, OrderFired) for event in events)
            turns.append(
                Turn(move.seq, move.kind, move.seat, move.by, move.decision, asked, action, before, after, fired)
            )
    return turns


def _standing_spans(moves: Sequence[PlayedMove]) -> list[tuple[int, int]]:
    """Numbers of the moves that count, from and to, both included: each branch as far as the next one begins in it."""
    spans, last = [], len(moves)
    for move in reversed(moves):
        if move.kind == "branch" and move.seq <= last:
            spans.append((move.seq, last))
            last = origin_of(move).seq
    return [*spans, (1, last)]


def has_chance(playouts: Playouts, turn: Turn, random: Random) -> bool:
    """Whether something is turned over or thrown in a move that nobody could know: other deals lead elsewhere."""
    if turn.kind in ("start", "branch"):
        return True
    if turn.kind not in ("answer", "advance"):
        return False
    found = {events_after(playouts, turn, random) for _ in range(DEALS)}
    return len(found) > 1


def events_after(playouts: Playouts, turn: Turn, random: Random) -> bytes:
    """What happens if the same is done in another deal; b"" where it cannot be done."""
    rules, state = playouts.rules, playouts.redeal(turn.before, random)
    try:
        if turn.kind == "advance":
            return rules.dump_events(rules.cross(state))
        assert turn.seat is not None
        asked = decision_of(rules, state, turn.asked, turn.seat)
        if asked is None:
            return b""
        return rules.dump_events(rules.open(state, asked.id, turn.seat).apply(turn.action, in_place=True)[1])
    except IllegalAction:
        return b""


def repeat(playouts: Playouts, turn: Turn, random: Random) -> object | None:
    """The state after the same move in another deal; None where it cannot be made."""
    rules, state = playouts.rules, playouts.redeal(turn.before, random)
    if turn.kind == "advance":
        if not rules.is_advance_pending(state):
            return None
        rules.cross(state)
        return state
    assert turn.seat is not None
    asked = decision_of(rules, state, turn.asked, turn.seat)
    return None if asked is None else playouts.answer(state, asked, turn.action)
