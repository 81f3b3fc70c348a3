"""A player who looks ahead: plays each answer on in many worlds that look like what it sees, and takes the best."""

from collections.abc import Sequence
from random import Random

from engine.cave_of_wonders.actions import Action, Fly, Move, PlaceGenie
from engine.cave_of_wonders.bots.sketch import (
    IS_CARPET,
    IS_GENIE,
    IS_MONKEY,
    SPACE_INDEX,
    SQUARE,
    SQUARE_INDEX,
    TOKEN_INDEX,
    Sketch,
)
from engine.cave_of_wonders.determinise import determinise
from engine.cave_of_wonders.facts import DIE, GOAL, SQUARES
from engine.cave_of_wonders.model import Flying, View, Wishing
from engine.cave_of_wonders.questions import open_landings, open_targets
from engine.core import Question, Seat, Text

TURNS = 1600  # played in mind for one decision: its cost is the same on every machine, so games can be run again
MOST_CANDIDATES = 8  # looked at closely: those that look best at once
VICTORY = 20.0  # what winning counts for, in points


class SultanBot:
    """Samples what lies face down and how the die falls, and lets everybody play on sensibly for a round."""

    name = "sultan"
    title = Text("bot-sultan")

    def __init__(self, turns: int = TURNS) -> None:
        self._turns = turns

    def choose(self, view: View, question: Question, random: Random) -> Action:
        """The answer with the best mean over all sampled worlds."""
        seat = question.decision.seat
        if isinstance(view.frame, Wishing):
            squares = _promising(view, seat, [SQUARE_INDEX[square] for square in SQUARES], random)
            return PlaceGenie(SQUARES[self._best(view, seat, squares, random)])
        flying = isinstance(view.frame, Flying)
        spaces = open_targets(view) if flying else list(open_landings(view))
        names = {SPACE_INDEX[space]: space for space in spaces}
        best = names[self._best(view, seat, _promising(view, seat, list(names), random), random)]
        return Fly(best) if flying else Move(best)

    def _best(self, view: View, seat: Seat, candidates: Sequence[int], random: Random) -> int:
        if len(candidates) == 1:
            return candidates[0]
        horizon = _horizon(view.seats)
        totals = [0.0] * len(candidates)
        for _ in range(max(1, self._turns // (horizon * len(candidates)))):
            world = Sketch.of(determinise(view, random))
            luck = random.random()
            for index, candidate in enumerate(candidates):
                totals[index] += _Future(world.copy(), view, Random(luck)).value(seat, candidate, horizon)
        return candidates[totals.index(max(totals))]


def _horizon(seats: int) -> int:
    """Turns looked ahead, the present one included."""
    return seats + 1


def _promising(view: View, seat: Seat, candidates: Sequence[int], random: Random) -> list[int]:
    """The candidates that look best at once."""
    sketch = Sketch.of(determinise(view, random))
    if isinstance(view.frame, Wishing):
        order = sorted(candidates, key=lambda square: -sketch.pattern(seat, square))
    else:
        order = sorted(candidates, key=lambda space: -sketch.promise(seat, space))
    return order[:MOST_CANDIDATES]


class _Future:
    """One world played on."""

    def __init__(self, sketch: Sketch, view: View, dice: Random) -> None:
        self._sketch, self._dice = sketch, dice
        self._view = view

    def value(self, seat: Seat, candidate: int, horizon: int) -> float:
        """How the seat stands after its answer and so many turns, its own included."""
        sketch = self._sketch
        if isinstance(self._view.frame, Wishing):
            assert self._view.held is not None
            goes_on = self._place(seat, TOKEN_INDEX[self._view.held], candidate)
        else:
            goes_on = self._take(seat, candidate)
        player = seat
        for _ in range(horizon - 1):
            if not goes_on:
                break
            player = (player + 1) % len(sketch.scores)
            goes_on = self._turn(player)
        return _standing(sketch, seat, is_over=not goes_on)

    def _turn(self, seat: Seat) -> bool:
        """A whole turn; whether the game goes on."""
        landings = self._sketch.landings(1 + int(self._dice.random() * DIE))
        if not landings:
            return False
        promise = self._sketch.promise
        return self._take(seat, max(landings, key=lambda space: promise(seat, space)))

    def _take(self, seat: Seat, space: int) -> bool:
        token = self._sketch.lift(space)
        square = self._sketch.best_square(seat) if IS_GENIE[token] else SQUARE[token]
        return self._place(seat, token, square)

    def _place(self, seat: Seat, token: int, square: int) -> bool:
        self._sketch.place(seat, token, square)
        if self._sketch.scores[seat] >= GOAL:
            return False
        if IS_MONKEY[token]:
            return self._turn(seat)
        if IS_CARPET[token]:
            targets = self._sketch.targets()
            promise = self._sketch.promise
            return not targets or self._take(seat, max(targets, key=lambda space: promise(seat, space)))
        return True


def _standing(sketch: Sketch, seat: Seat, *, is_over: bool) -> float:
    """Points of the seat before the mean of its rivals, and what winning or losing counts for."""
    own, others = sketch.scores[seat], [score for other, score in enumerate(sketch.scores) if other != seat]
    lead = own - sum(others) / len(others)
    if not is_over:
        return lead
    return lead + (VICTORY if own >= max(others) else -VICTORY)
