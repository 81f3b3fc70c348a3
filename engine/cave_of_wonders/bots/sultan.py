"""A player who looks ahead: plays each answer on in many worlds that look like what it sees, and takes the best.

Against greedy bots it wins 68 ± 8, 48 ± 7 and 29 ± 4 % of games for two, three and four (120, 180 and 600 games, 95 %,
seats taken in turn, a shared victory counted by its share). With four at the table the die decides more than any plan.
"""

from collections.abc import Sequence
from random import Random

from engine.cave_of_wonders.actions import Action, Fly, MoveAladdin, PlaceGenie
from engine.cave_of_wonders.board.facts import DIE, GOAL, KINDS, SQUARES
from engine.cave_of_wonders.board.model import Flying, PlacingGenie, SeenToken, View
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
from engine.cave_of_wonders.questions import open_landings, open_targets
from engine.cave_of_wonders.views.determinise import determinise, unseen_tokens
from engine.core import Question, Seat, Text

TURNS = 1600  # played in mind for one decision: its cost is the same on every machine, so games can be run again
HORIZON = 2  # turns: its own and that of the next player; what comes later is too uncertain to tell answers apart
MOST_CANDIDATES = 8  # looked at closely: those that look best at once
VICTORY = 20.0  # what winning counts for, in points


class SultanBot:
    """Samples what lies face down and how the die falls, and lets the next player answer sensibly."""

    name = "sultan"
    title = Text("bot-sultan")

    def __init__(self, turns: int = TURNS) -> None:
        self._turns = turns

    def choose(self, view: View, question: Question, random: Random) -> Action:
        """The answer with the best mean over all sampled worlds."""
        seat = question.decision.seat
        if isinstance(view.frame, PlacingGenie):
            squares = _promising(view, seat, [SQUARE_INDEX[square] for square in SQUARES], random)
            return PlaceGenie(SQUARES[self._best(view, seat, squares, random)])
        flying = isinstance(view.frame, Flying)
        spaces = open_targets(view) if flying else list(open_landings(view))
        names = {SPACE_INDEX[space]: space for space in spaces}
        best = names[self._best(view, seat, _promising(view, seat, list(names), random), random)]
        return Fly(best) if flying else MoveAladdin(best)

    def _best(self, view: View, seat: Seat, candidates: Sequence[int], random: Random) -> int:
        if len(candidates) == 1:
            return candidates[0]
        totals = [0.0] * len(candidates)
        worlds = _Worlds(view, random)
        for _ in range(max(1, self._turns // (HORIZON * len(candidates)))):
            world, luck = worlds.draw(), random.random()
            for index, candidate in enumerate(candidates):
                totals[index] += _Future(world.copy(), view, Random(luck)).value(seat, candidate)
        return candidates[totals.index(max(totals))]


def _promising(view: View, seat: Seat, candidates: Sequence[int], random: Random) -> list[int]:
    """The candidates that look best at once."""
    sketch = Sketch.of(determinise(view, random))
    if isinstance(view.frame, PlacingGenie):
        order = sorted(candidates, key=lambda square: -sketch.pattern(seat, square) - sketch.outlook(seat, square))
    else:
        order = sorted(candidates, key=lambda space: -sketch.promise(seat, space))
    return order[:MOST_CANDIDATES]


class _Worlds:
    """Sketches that look like a view; what lies face down is dealt anew in each."""

    def __init__(self, view: View, random: Random) -> None:
        self._random = random
        self._sketch = Sketch.of(determinise(view, random))
        unseen = unseen_tokens(view)
        self._hidden = [
            (
                [SPACE_INDEX[space] for space, seen in view.spaces.items() if _is_hidden(seen, kind)],
                [TOKEN_INDEX[token] for token in unseen[kind]],
            )
            for kind in KINDS
        ]

    def draw(self) -> Sketch:
        """One of them. It is not a copy: the next one takes its place."""
        for spaces, tokens in self._hidden:
            self._random.shuffle(tokens)
            for space, token in zip(spaces, tokens, strict=False):  # a position set up by hand may lack tokens
                self._sketch.cave[space] = token
        return self._sketch


def _is_hidden(seen: SeenToken | None, kind: str) -> bool:
    return seen is not None and not seen.face_up and seen.kind == kind


class _Future:
    """One world played on."""

    def __init__(self, sketch: Sketch, view: View, dice: Random) -> None:
        self._sketch, self._dice = sketch, dice
        self._view = view
        self._turns_played = view.turn
        self._is_last_round = view.is_last_round

    def value(self, seat: Seat, candidate: int) -> float:
        """How the seat stands after its answer and `HORIZON` turns, its own included; a last round is played out."""
        sketch, outlook = self._sketch, 0.0
        if isinstance(self._view.frame, PlacingGenie):
            assert self._view.held is not None
            outlook = sketch.outlook(seat, candidate)
            goes_on = self._place(seat, TOKEN_INDEX[self._view.held], candidate)
        else:
            goes_on = self._take(seat, candidate)
        while goes_on and not self._has_everybody_had_the_last_turn():
            if self._turns_played >= self._view.turn + HORIZON - 1 and not self._is_last_round:
                return outlook + _standing(sketch, seat, is_over=False)
            self._turns_played += 1
            goes_on = self._turn((self._view.start + self._turns_played - 1) % len(sketch.scores))
        return outlook + _standing(sketch, seat, is_over=True)

    def _has_everybody_had_the_last_turn(self) -> bool:
        """The end of a last round (C46)."""
        return self._is_last_round and self._turns_played % len(self._sketch.scores) == 0

    def _turn(self, seat: Seat) -> bool:
        """A whole turn; whether it leaves the game running."""
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
            if not self._view.equal_turns:
                return False
            self._is_last_round = True
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
