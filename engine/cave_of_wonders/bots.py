"""The players made of code, by name."""

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from engine.cave_of_wonders.facts import DIE, GOAL, KINDS, NUMBERS, SQUARES, TRIO_SIZE, Token, square_of
from engine.cave_of_wonders.model import (
    Action,
    Fly,
    Flying,
    MoveAladdin,
    PlaceGenie,
    PlacingGenie,
    State,
    TurnOver,
    View,
    to_action,
)
from engine.cave_of_wonders.questions import open_gains, open_landings, open_targets
from engine.cave_of_wonders.scoring import best_square, gain_at, gain_on, gains_on, seen_at
from engine.cave_of_wonders.sketch import (
    IS_CARPET,
    IS_GENIE,
    IS_MONKEY,
    SPACE_INDEX,
    SQUARE,
    SQUARE_INDEX,
    TOKEN_INDEX,
    Sketch,
)
from engine.cave_of_wonders.views import determinise, unseen_tokens
from engine.core import Proposal, Question, Seat, Text
from engine.core.games import dice_of, shares
from engine.rules import Bot, LapsingBot, RandomBot

# A player who takes what looks best at the moment, from what it can see.

ANOTHER_TOKEN = 3.0  # what the token that a monkey or a carpet brings is worth on average


class GreedyBot(Bot[View]):
    """Takes the token that brings most points at once; what lies face down counts as the mean of what it may be."""

    name = "greedy"
    title = Text("bot-greedy")

    def decide(self, view: View, question: Question, random: Random) -> Action:
        """The answer that brings most; among equals the first one."""
        seat = question.decision.seat
        if isinstance(view.frame, PlacingGenie):
            assert view.held is not None
            return PlaceGenie(best_square(view, seat, gains_on(view, seat, view.held)))
        is_flying = isinstance(view.frame, Flying)
        expected = Expected(view, seat)
        spaces = open_targets(view) if is_flying else list(open_landings(view))
        best = max(spaces, key=expected.at)
        return Fly(best) if is_flying else MoveAladdin(best)


class Expected:
    """Holds what tokens can be expected to bring to a seat."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._view, self._seat = view, seat
        self._means = {
            kind: sum(self.of(token) for token in pool) / len(pool) if pool else 0.0
            for kind, pool in unseen_tokens(view).items()
        }

    def at(self, space: str) -> float:
        """Returns it for the token on a space."""
        seen_token = seen_at(self._view, space)
        return self.of(seen_token.token()) if seen_token.face_up else self._means[seen_token.kind]

    def of(self, token: Token) -> float:
        """Returns it for a token that is known."""
        if token.character == "genie":
            return max(gains_on(self._view, self._seat, token).values())
        gain = gain_on(self._view, self._seat, token, square_of(token))
        return gain + (ANOTHER_TOKEN if token.character in ("monkey", "carpet") else 0.0)


# A player who looks ahead: plays each answer on in many worlds that look like what it sees, and takes the best.

TURNS = 1600  # played in mind for one decision: its cost is the same on every machine, so games can be run again
HORIZON = 2  # turns: its own and that of the next player; what comes later is too uncertain to tell answers apart
MOST_CANDIDATES = 8  # looked at closely: those that look best at once
VICTORY = 20.0  # what winning counts for, in points


class SultanBot(Bot[View]):
    """Samples what lies face down and how the die falls, and lets the next player answer sensibly."""

    def __init__(self, turns: int = TURNS, name: str = "sultan", *, narrows: bool = False) -> None:
        """`narrows`: whether it looks longer at those candidates that still look best, instead of at all alike."""
        self.name, self.title = name, Text(f"bot-{name}")
        self._turns, self._narrows = turns, narrows

    def decide(self, view: View, question: Question, random: Random) -> Action:
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
        totals, left = [0.0] * len(candidates), list(range(len(candidates)))
        worlds = _Worlds(view, random)
        stages = (len(candidates) - 1).bit_length() if self._narrows else 1
        while True:
            for _ in range(max(1, self._turns // (HORIZON * len(left) * stages))):
                world, luck = worlds.draw(), random.random()
                for index in left:
                    totals[index] += _Future(world.copy(), view, Random(luck)).value(seat, candidates[index])
            left.sort(key=lambda index: (-totals[index], index))
            if not self._narrows or len(left) <= 2:
                return candidates[left[0]]
            left = sorted(left[: (len(left) + 1) // 2])


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
                [
                    SPACE_INDEX[space]
                    for space, seen_token in view.spaces.items()
                    if seen_token is not None and not seen_token.face_up and seen_token.kind == kind
                ],
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


RANDOM, GREEDY, VIZIER = RandomBot(to_action), GreedyBot(), SultanBot(name="vizier", narrows=True)
BOTS: Mapping[str, Bot[View]] = {
    bot.name: bot
    for bot in (
        RANDOM,
        LapsingBot("careless", GREEDY, RANDOM, 0.4),
        GREEDY,
        SultanBot(200, "planner"),
        SultanBot(),
        VIZIER,
    )
}


# Each seat's chance to win as a turn is over, judged from the board alone: where playouts of reviews stop.

WEIGHTS = (1.20, 1.45, 1.90, -2.40, 1.15, -0.90, 0.14)
"""The weights of points; points, the nearer the end the more; and still more; the turns until one's own; lines that
fill; lines as the end comes near; pairs."""


def chances(state: State) -> list[float] | None:
    """The chance of each seat to win; None in the midst of a turn."""
    if state.outcome is not None or not isinstance(state.frame, TurnOver):
        return None
    near = max(state.scores) / GOAL
    scores = [
        sum(weight * fact for weight, fact in zip(WEIGHTS, _facts(state, seat, near), strict=True))
        for seat in range(state.seats)
    ]
    return shares(scores, set(state.resigned))


def _facts(state: State, seat: Seat, near: float) -> list[float]:
    """Returns what is known of a seat, in the order of the weights.

    Arguments:
        near: how near the end is, from 0 to 1.
    """
    points, board = state.scores[seat] / 10, state.boards[seat]
    wait = ((seat - state.start - state.turn) % state.seats) / state.seats
    lines = sum(_promise([board[f"{kind}-{number}"] for number in NUMBERS]) for kind in KINDS)
    lines += sum(_promise([board[f"{kind}-{number}"] for kind in KINDS]) for number in NUMBERS)
    pairs = sum(len(tokens) % TRIO_SIZE == TRIO_SIZE - 1 for tokens in board.values())
    return [points, points * near, points * near**3, wait * near, lines, lines * near, pairs]


def _promise(line: Sequence[Sequence[Token]]) -> float:
    """Returns what a line of squares that is not full yet promises: the fuller, the more."""
    return 0.0 if all(line) else (sum(map(bool, line)) / len(line)) ** 2


# What a seat is proposed as an answer, from what everybody sees, and why.

BOT = VIZIER
GOES_ON = ("monkey", "carpet")


def propose(view: View, question: Question) -> Proposal:
    """The answer to a question of the seat whose view this is, and why."""
    action = BOT.decide(view, question, dice_of(view))
    return Proposal(msgspec.to_builtins(action), why(view, question.decision.seat, action))


def why(view: View, seat: Seat, action: Action) -> Text:
    """Returns what the answer is sure to bring, or on average, and what else speaks for it."""
    if isinstance(action, PlaceGenie):
        assert view.held is not None
        gain = gain_on(view, seat, view.held, action.square)
        return Text("why-genie", {"gain": {"points": gain}}) if gain > 0 else Text("why-later")
    seen_token = seen_at(view, action.to)
    if not seen_token.face_up:
        return Text("why-hidden", {"gain": {"points": round(Expected(view, seat).at(action.to))}})
    gain = gain_at(view, seat, action.to)
    sure = {space: points for space, points in open_gains(view).items() if seen_at(view, space).face_up}
    if seen_token.character in GOES_ON:
        code = "why-again"
    else:
        code = "why-most" if gain == max(sure.values()) else "why-next"
    return Text(code, {"gain": {"points": gain}})


# Answers tried in many deals at once, in the sketch: to find positions in which one is clearly best.

LOOK_AHEAD = 8  # turns, or to the end


def try_answers(
    view: View, question: Question, answers: Sequence[Action], deals: int, random: Random
) -> list[list[float]]:
    """The seat's chance after each of these answers, deal by deal: everybody then takes what promises most."""
    seat, worlds = question.decision.seat, _Worlds(view, random)
    candidates = [
        SQUARE_INDEX[answer.square] if isinstance(answer, PlaceGenie) else SPACE_INDEX[answer.to] for answer in answers
    ]
    values: list[list[float]] = [[] for _ in answers]
    for _ in range(deals):
        world, luck = worlds.draw(), random.random()
        for row, candidate in zip(values, candidates, strict=True):
            row.append(_Course(world.copy(), view, Random(luck)).chance(seat, candidate))
    return values


class _Course(_Future):
    """One world played on until each seat's chance is told from the board, or to the end."""

    def chance(self, seat: Seat, candidate: int) -> float:
        """The chance of the seat after its answer and `LOOK_AHEAD` turns."""
        sketch, seats = self._sketch, len(self._sketch.scores)
        if isinstance(self._view.frame, PlacingGenie):
            assert self._view.held is not None
            goes_on = self._place(seat, TOKEN_INDEX[self._view.held], candidate)
        else:
            goes_on = self._take(seat, candidate)
        while goes_on and not self._has_everybody_had_the_last_turn():
            if self._turns_played >= self._view.turn + LOOK_AHEAD - 1 and not self._is_last_round:
                return shares([self._score(seat) for seat in range(seats)], set(self._view.resigned))[seat]
            self._turns_played += 1
            goes_on = self._turn((self._view.start + self._turns_played - 1) % seats)
        winners = [other for other, score in enumerate(sketch.scores) if score == max(sketch.scores)]
        return (seat in winners) / len(winners)

    def _score(self, seat: Seat) -> float:
        """Rates a seat as `chances` does, by facts read from the sketch."""
        sketch, seats = self._sketch, len(self._sketch.scores)
        near, points = max(sketch.scores) / GOAL, sketch.scores[seat] / 10
        wait = ((seat - self._view.start - self._turns_played) % seats) / seats
        lines = sum((filled / len(NUMBERS)) ** 2 for filled in sketch.rows[seat] if filled < len(NUMBERS))
        lines += sum((filled / len(KINDS)) ** 2 for filled in sketch.columns[seat] if filled < len(KINDS))
        pairs = sum(height % TRIO_SIZE == TRIO_SIZE - 1 for height in sketch.stacks[seat])
        facts = [points, points * near, points * near**3, wait * near, lines, lines * near, pairs]
        return sum(weight * fact for weight, fact in zip(WEIGHTS, facts, strict=True))
