"""Positions played on by the rules' own quick players, to where the rules can judge them, or to the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import NamedTuple

from engine.core import Decision, IllegalAction, Seat
from engine.core.games import won
from engine.orders.answers import GATHERINGS, ActionWithOrders, CommonAction, bot_answer
from engine.orders.model import OrderFired
from engine.records.checking import beginning, origin_of, step
from engine.records.model import PlayedMove, Record
from engine.rules import AnyRules

GREEDY = "greedy"  # the bot that every game has
MOST_STEPS = 5000  # of one playout; a game that is longer counts as open between all


class Playouts:
    """Plays positions of a game on.

    Arguments:
        seats: how many play.
        foresight: over how many positions that the rules can judge; 0 for always to the end, None as the rules say.
    """

    def __init__(self, rules: AnyRules, seats: int, foresight: int | None = None) -> None:
        self.rules, self.seats = rules, seats
        self._foresight = rules.foresight if foresight is None else foresight
        self._greedy = rules.bots[GREEDY]

    def redeal(self, packed: bytes, random: Random) -> object:
        """A state in which what no seat has seen is drawn anew, and nobody has orders."""
        return self.rules.branch_off(self.rules.load(packed), random.randbytes(32).hex(), 0, 0)[0]

    def answer(self, state: object, decision: Decision, action: object) -> object:
        """The state after an action of the seat that is asked; the one that is given is worth nothing any more."""
        if isinstance(action, ActionWithOrders):
            action = action.action
        if isinstance(action, CommonAction):
            return self.rules.open(state, decision.id, decision.seat).apply(action, in_place=True)[0]
        self.rules.play(state, decision.seat, action)
        return state

    def play_on(self, state: object, random: Random) -> list[float]:
        """Each seat's chance at the end of one playout, which changes the state in place."""
        rules, judged = self.rules, 0
        for number in range(MOST_STEPS):
            outcome = rules.outcome(state)
            if outcome is not None:
                return won(outcome, self.seats)
            if self._foresight and number and (chances := rules.chances(state)) is not None:
                judged += 1
                if judged >= self._foresight:
                    return chances
            decision = next((decision for decision in rules.decisions(state) if decision.prompted), None)
            if decision is None:
                rules.cross(state)
            else:
                rules.play(state, decision.seat, self._quick(state, decision, random))
        return [1 / self.seats] * self.seats

    def _quick(self, state: object, decision: Decision, random: Random) -> object:
        if decision.kind in GATHERINGS:
            return bot_answer(self.rules.question(state, decision.id, decision.seat))
        action = self.rules.quick(state, decision, random)
        if action is not None:
            return action
        question = self.rules.question(state, decision.id, decision.seat)
        return self._greedy.choose(self.rules.view(state, decision.seat), question, random)


def decision_of(rules: AnyRules, state: object, kind: str, seat: Seat) -> Decision | None:
    """The decision of that kind which is open to the seat; its id differs from branch to branch."""
    return next(
        (decision for decision in rules.decisions(state) if (decision.kind, decision.seat) == (kind, seat)), None
    )


# The course of a game: the moves of its record that count, each with the positions before and after it.

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
        before, kind, action = after, "", None
        if move.kind in ("start", "branch"):
            state, events = beginning(rules, record.agreed, move, lambda seq: rules.load(kept[seq]))
        else:
            assert move.seat is not None or move.kind == "advance", move
            if move.kind == "answer" and move.seat is not None:
                kind = rules.open(state, move.decision, move.seat).decision.kind
                action = rules.load_action(move.action.encode())
            state, events = step(rules, state, move)
        after = rules.dump(state)
        if move.seq in origins:
            kept[move.seq] = after
        if any(first <= move.seq <= last for first, last in spans):
            fired = any(isinstance(event, OrderFired) for event in events)
            turns.append(
                Turn(move.seq, move.kind, move.seat, move.by, move.decision, kind, action, before, after, fired)
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
    outcomes = {events_after(playouts, turn, random) for _ in range(DEALS)}
    return len(outcomes) > 1


def events_after(playouts: Playouts, turn: Turn, random: Random) -> bytes:
    """Returns what happens if the same is done in another deal; b"" where it cannot be done."""
    rules, state = playouts.rules, playouts.redeal(turn.before, random)
    try:
        if turn.kind == "advance":
            return rules.dump_events(rules.cross(state))
        assert turn.seat is not None
        decision = decision_of(rules, state, turn.asked, turn.seat)
        if decision is None:
            return b""
        return rules.dump_events(rules.open(state, decision.id, turn.seat).apply(turn.action, in_place=True)[1])
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
    decision = decision_of(rules, state, turn.asked, turn.seat)
    return None if decision is None else playouts.answer(state, decision, turn.action)


# Means of samples between 0 and 1, and how sure they are.

CONFIDENCE = 1.96  # standard deviations for 95 %
LEAST_SPREAD = 0.004  # squares added to those that were seen: a few samples that happen to agree prove little


class Interval(NamedTuple):
    """A chance, and the bounds between which it lies 19 times of 20 as far as the samples tell."""

    chance: float
    low: float
    high: float


def wilson(share: float, count: float) -> Interval:
    """Wilson's interval of a share of so many independent trials."""
    weight = CONFIDENCE**2 / count
    middle, reach = share + weight / 2, CONFIDENCE * sqrt(max(0.0, share * (1 - share) + weight / 4) / count)
    return Interval(share, max(0.0, (middle - reach) / (1 + weight)), min(1.0, (middle + reach) / (1 + weight)))


class ChanceEstimate:
    """The mean of what playouts of a position came to, for each seat."""

    def __init__(self, seats: int, chances: Sequence[float] | None = None) -> None:
        self.count = 0
        self.exact = chances
        self._sums = [0.0] * seats
        self._squares = [0.0] * seats

    def add(self, values: Sequence[float]) -> None:
        """One more playout."""
        self.count += 1
        for seat, value in enumerate(values):
            self._sums[seat] += value
            self._squares[seat] += value * value

    def mean(self, seat: int) -> float:
        """The chance of a seat. With few playouts, it is not worth much."""
        return self.exact[seat] if self.exact is not None else self._sums[seat] / self.count

    def variance(self, seat: int) -> float:
        """The error of the mean; 0 for what is known."""
        if self.exact is not None:
            return 0.0
        mean = self.mean(seat)
        return (max(0.0, self._squares[seat] - self.count * mean * mean) + LEAST_SPREAD) / self.count**2

    def interval(self, seat: int) -> Interval:
        """Wilson's, with so many trials as would leave the mean as unsure as it is."""
        mean = self.mean(seat)
        if self.exact is not None:
            return Interval(mean, mean, mean)
        inside = min(max(mean, 0.005), 0.995)
        return wilson(mean, inside * (1 - inside) / self.variance(seat))
