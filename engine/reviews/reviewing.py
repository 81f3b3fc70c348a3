"""Makes the review of a game: first its curve, then the part of chance, then the decisions, as far as its time goes."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from random import Random

from engine.core.games import won
from engine.records.model import Record
from engine.registry import AnyRules
from engine.reviews import judging
from engine.reviews.course import Turn, course_of, has_chance, repeat
from engine.reviews.estimates import ChanceEstimate
from engine.reviews.model import FORMAT, Graded, Point, Review, Turned
from engine.reviews.playouts import Playouts

Spent = Callable[[], float]
"""How much of the time has been spent, from 0 to 1; a review ends soon after it is 1."""

Play = Callable[[], list[float] | None]
"""Plays a position on once; None where that cannot be done."""

CURVE, LUCK, LOOK, ALL = 0.3, 0.5, 0.8, 0.97  # of the time, when each part has to be done
MOST_POINTS = 160  # of the curve
AT_A_TIME = 8  # playouts of a position before the next one's turn
ENOUGH = 0.012  # standard error of a chance that needs no more playouts
ENOUGH_FOR_LUCK = 0.004  # what chance did is added up over many moves, and its errors with it


class Reviewing:
    """One review in the making.

    Arguments:
        spent: how much of the time has been spent.
    """

    def __init__(self, rules: AnyRules, record: Record, spent: Spent) -> None:
        self._rules, self._record, self._spent = rules, record, spent
        self._seats = len(record.seats)
        self._random = Random(record.server_seed)
        self._playouts = Playouts(rules, self._seats)
        self._turns = [turn for turn in course_of(rules, record) if not turn.is_hidden]
        self._chance = {turn.seq for turn in self._turns if has_chance(self._playouts, turn, self._random)}
        self._played = 0

    def review(self) -> Review:
        """The whole review."""
        curve = self._curve()
        luck = self._luck()
        found = judging.decisions_of(self._playouts, self._turns)
        decisions = self._decisions(found, curve)
        return Review(
            format=FORMAT,
            seats=self._seats,
            points=[_point(turn.seq, curve[turn.seq], self._seats) for turn in self._turns if turn.seq in curve],
            luck=luck,
            decisions=decisions,
            moves=len(self._turns),
            chance_moves=len(self._chance),
            choices=len(found),
            playouts=self._played,
            taken_back=any(move.kind == "branch" for move in self._record.moves),
            has_orders=any(turn.fired for turn in self._turns),
        )

    # The curve

    def _curve(self) -> dict[int, ChanceEstimate]:
        """By number of move how the game stood after it; of a long game only after some of them."""
        chosen = _spread(self._turns, self._chance)
        estimates = {turn.seq: self._estimate(turn) for turn in chosen}
        packed = {turn.seq: turn.after for turn in chosen}
        self._refine([(estimates[seq], self._player(self._playouts, packed[seq])) for seq in estimates], CURVE, ENOUGH)
        return {seq: estimate for seq, estimate in estimates.items() if estimate.known or estimate.count}

    def _estimate(self, turn: Turn) -> ChanceEstimate:
        outcome = self._rules.outcome(self._rules.load(turn.after))
        return ChanceEstimate(self._seats, None if outcome is None else won(outcome, self._seats))

    def _player(self, playouts: Playouts, packed: bytes) -> Play:
        return lambda: playouts.play_on(playouts.redeal(packed, self._random), self._random)

    def _refine(self, work: Sequence[tuple[ChanceEstimate, Play]], until: float, enough: float) -> None:
        """Plays positions on, round after round, until they are sure enough or the time is spent."""
        left = [(estimate, play) for estimate, play in work if estimate.known is None]
        while left:
            for estimate, play in left:
                for _ in range(AT_A_TIME):
                    values = play()
                    if values is not None:
                        estimate.add(values)
                        self._played += 1
                if self._spent() >= until:
                    return
            left = [
                (estimate, play) for estimate, play in left if estimate.count and not self._is_sure(estimate, enough)
            ]

    def _is_sure(self, estimate: ChanceEstimate, enough: float) -> bool:
        return all(sqrt(estimate.variance(seat)) < enough for seat in range(self._seats))

    # Chance

    def _luck(self) -> list[Turned]:
        """What chance did in moves it had a part in: how the game stood after each, less how it would on average.

        Both are judged at the next position that can be, lest later chance blurs them.
        """
        playouts = Playouts(self._rules, self._seats, min(1, self._rules.foresight))
        asked = [turn for turn in self._turns if turn.seq in self._chance and turn.kind in ("answer", "advance")]
        after = {turn.seq: self._estimate(turn) for turn in asked}
        expected = {turn.seq: ChanceEstimate(self._seats) for turn in asked}
        work = [(after[turn.seq], self._player(playouts, turn.after)) for turn in asked]
        work += [(expected[turn.seq], self._repeater(playouts, turn)) for turn in asked]
        self._refine(work, LUCK, ENOUGH_FOR_LUCK)
        found = []
        for turn in asked:
            then, before = after[turn.seq], expected[turn.seq]
            if before.count and (then.count or then.known):
                seats = range(self._seats)
                changes = [round(1000 * (then.mean(seat) - before.mean(seat))) for seat in seats]
                errors = [round(1000 * sqrt(then.variance(seat) + before.variance(seat))) for seat in seats]
                found.append(Turned(turn.seq, changes, errors))
        return found

    def _repeater(self, playouts: Playouts, turn: Turn) -> Play:
        def play() -> list[float] | None:
            state = repeat(playouts, turn, self._random)
            return None if state is None else playouts.play_on(state, self._random)

        return play

    # Decisions

    def _decisions(self, found: list[judging.Comparison], curve: dict[int, ChanceEstimate]) -> list[Graded]:
        """What people decided, graded: a first look at each, then a closer one at what may have been a mistake.

        If the time is too short for all, those are looked at in which most was open.
        """
        looked = []
        openness = self._openness(curve)
        found = self._random.sample(found, len(found))
        for comparison in sorted(found, key=lambda one: -round(openness(one.turn), 1)):
            if self._spent() >= LOOK:
                break
            self._played += judging.look_first(self._playouts, comparison, self._random)
            looked.append(comparison)
        looked.sort(key=lambda comparison: -comparison.promise)
        while closer := [comparison for comparison in looked if comparison.is_open]:
            for comparison in closer:
                if self._spent() >= ALL:
                    break
                self._played += judging.look_closely(self._playouts, comparison, self._random)
            else:
                continue
            break
        done = [one for one in looked if one.other is None or one.differences]
        return [judging.graded(self._playouts, one) for one in sorted(done, key=lambda one: one.turn.seq)]

    def _openness(self, curve: dict[int, ChanceEstimate]) -> Callable[[Turn], float]:
        """Tells how open the game was for the seat of a move before it: 1 at even chances, 0 where all was decided."""
        known = sorted(curve)

        def openness(turn: Turn) -> float:
            assert turn.seat is not None
            chance = curve[known[max(0, bisect_left(known, turn.seq) - 1)]].mean(turn.seat)
            return 4 * chance * (1 - chance)

        return openness


def _spread(turns: Sequence[Turn], chance: Iterable[int]) -> list[Turn]:
    """The moves after which the curve is drawn: all of a short game; of a long one those with chance, and every few."""
    if len(turns) <= MOST_POINTS:
        return list(turns)
    wanted = set(chance)
    every = -(-len(turns) // MOST_POINTS)
    return [turn for place, turn in enumerate(turns) if turn.seq in wanted or place % every == 0 or turn is turns[-1]]


def _point(seq: int, estimate: ChanceEstimate, seats: int) -> Point:
    found = [estimate.interval(seat) for seat in range(seats)]
    return Point(
        seq,
        [round(1000 * one.chance) for one in found],
        [round(1000 * one.low) for one in found],
        [round(1000 * one.high) for one in found],
    )


def review(rules: AnyRules, record: Record, spent: Spent) -> Review:
    """The review of a game that is over. Raises whatever its rules raise.

    Arguments:
        spent: how much of the time has been spent, from 0 to 1.
    """
    return Reviewing(rules, record, spent).review()
