"""Makes the review of a game: first its curve, then the part of chance, then the decisions, as far as its time goes."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import sqrt
from random import Random

import msgspec

from engine.core import IllegalAction, Question
from engine.core.games import won
from engine.orders.answers import TYPES, ActionWithOrders, CommonAction
from engine.orders.sentences import answer_texts, as_entry
from engine.records.model import Record
from engine.reviews.model import FORMAT, Entry, Graded, Point, Review, Turned
from engine.reviews.playouts import GREEDY, ChanceEstimate, Playouts, Turn, course_of, decision_of, has_chance, repeat
from engine.rules import AnyRules

# Decisions beside their alternatives, judged by what their player could know: in deals that look like the view.

MOST_TRIED = 5  # alternatives of one decision
FIRST_LOOK = 8  # deals in which all alternatives are tried
CLOSE_LOOK = 16  # deals at a time in which the most promising one is compared
MOST_DEALS = 96  # for one comparison
WORTH_A_LOOK = 0.01  # what an alternative must promise
LEAST_ERROR = 0.005  # of a comparison, however well the deals agree: boards are judged by few numbers


@dataclass
class Comparison:
    """One decision: what was answered, the alternative that looks best, and how both did in the same deals.

    Arguments:
        view: of the seat that answered, as it answered.
        answers: all that are tried, what was answered first.
        promise: how much better the best of the others looked at first.
        other: the one that looks best; None if none looks better.
        differences: by deal, how much better the other one did.
        proposed: whether the rules propose the answer that was given.
    """

    turn: Turn
    view: object
    question: Question
    answers: list[object]
    promise: float = 0.0
    other: object = None
    differences: list[float] = field(default_factory=list)
    proposed: bool = False

    @property
    def loss(self) -> float:
        """How much better the other answer is on average."""
        return sum(self.differences) / len(self.differences) if self.differences else 0.0

    @property
    def error(self) -> float:
        """Standard error of the loss."""
        count, mean = len(self.differences), self.loss
        if count < 2:
            return 0.0
        return max(
            LEAST_ERROR, sqrt(sum((difference - mean) ** 2 for difference in self.differences) / (count - 1) / count)
        )

    @property
    def is_open(self) -> bool:
        """Whether more deals may tell more."""
        return self.other is not None and len(self.differences) < MOST_DEALS


def decisions_of(playouts: Playouts, turns: Sequence[Turn]) -> list[Comparison]:
    """The decisions of people that left a choice; nothing is compared yet.

    What was given with orders, or in a sheet or plan, is answered later and elsewhere: it is none of them.
    """
    own = [turn for turn in turns if turn.kind == "answer" and turn.by == "player"]
    return [comparison for turn in own if (comparison := _comparison(playouts, turn)) is not None]


def _comparison(playouts: Playouts, turn: Turn) -> Comparison | None:
    rules = playouts.rules
    assert turn.seat is not None
    state = rules.load(turn.before)
    open_decision = rules.open(state, turn.decision, turn.seat)
    if open_decision.gathering is not None:
        return None
    question = open_decision.question
    forms = [form for form in question.actions if form.type not in TYPES]
    if len(forms) < 2 and all(len(form.fields) == 0 for form in forms):
        return None
    answer = turn.action.action if isinstance(turn.action, ActionWithOrders) else turn.action
    if isinstance(answer, CommonAction):
        answer = rules.parse(dict(rules.vocabulary.quiet[question.decision.kind]))  # passing for longer is a pass here
    view = rules.view(state, turn.seat)
    return Comparison(turn, view, msgspec.structs.replace(question, actions=forms), [answer])


def look_first(playouts: Playouts, comparison: Comparison, random: Random) -> int:
    """Finds alternatives, and which of them looks best: first what the rules propose and what their strongest bot would
    answer, who judge as a review does; then what `greedy` would, and some at random.

    Returns how many playouts it took.
    """
    rules, view, question = playouts.rules, comparison.view, comparison.question
    answers = comparison.answers
    proposed = _proposed(rules, view, question)
    comparison.proposed = proposed is not None and proposed == answers[0]
    ideas = [] if proposed is None else [proposed]
    ideas += [rules.bots[name].choose(view, question, random) for name in (list(rules.bots)[-1], GREEDY)]
    ideas += [rules.sample(question, random) for _ in range(MOST_TRIED)]
    for idea in ideas:
        if idea not in answers and len(answers) <= MOST_TRIED:
            answers.append(idea)
    if len(answers) < 2:
        return 0
    totals = [0.0] * len(answers)
    for _ in range(FIRST_LOOK):
        for place, value in enumerate(_values(playouts, comparison, answers, random)):
            totals[place] += value / FIRST_LOOK
    best = max(range(1, len(totals)), key=totals.__getitem__)
    comparison.promise = totals[best] - totals[0]
    if comparison.promise > WORTH_A_LOOK:
        comparison.other = answers[best]
    return FIRST_LOOK * len(totals)


def _proposed(rules: AnyRules, view: object, question: Question) -> object | None:
    """The answer that the rules propose, without the orders that go with it; None if they propose none of these."""
    with suppress(IllegalAction, msgspec.ValidationError):
        action = rules.parse(dict(rules.propose(view, question).answer))
        action = action.action if isinstance(action, ActionWithOrders) else action
        if not isinstance(action, CommonAction):
            return action
    return None


def look_closely(playouts: Playouts, comparison: Comparison, random: Random) -> int:
    """Compares in further deals what was answered with that alternative; the first look, which chose it, counts not.

    Returns how many playouts it took.
    """
    pair = [comparison.answers[0], comparison.other]
    for _ in range(CLOSE_LOOK):
        value, other = _values(playouts, comparison, pair, random)
        comparison.differences.append(other - value)
    return 2 * CLOSE_LOOK


def _values(playouts: Playouts, comparison: Comparison, answers: Sequence[object], random: Random) -> list[float]:
    rules, turn = playouts.rules, comparison.turn
    assert turn.seat is not None
    dealt, dice = rules.dump(rules.determinise(comparison.view, random)), random.random()
    values = []
    for answer in answers:
        state = rules.load(dealt)
        decision = decision_of(rules, state, turn.asked, turn.seat)
        assert decision is not None, turn
        state = playouts.answer(state, decision, answer)
        values.append(playouts.play_on(state, Random(dice))[turn.seat])
    return values


def graded(playouts: Playouts, comparison: Comparison) -> Graded:
    """Returns what is stored of a decision."""
    turn, answer = comparison.turn, comparison.answers[0]
    assert turn.seat is not None
    return Graded(
        seq=turn.seq,
        seat=turn.seat,
        title=as_entry(comparison.question.title),
        answer=_in_words(playouts, comparison.question, answer),
        best=[] if comparison.other is None else _in_words(playouts, comparison.question, comparison.other),
        loss=round(1000 * comparison.loss),
        error=round(1000 * comparison.error),
        deals=len(comparison.differences),
        tried=len(comparison.answers) - 1,
        proposed=comparison.proposed,
    )


def _in_words(playouts: Playouts, question: Question, action: object) -> list[Entry]:
    return answer_texts(question, msgspec.json.decode(playouts.rules.dump_action(action)))


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
        comparisons = decisions_of(self._playouts, self._turns)
        decisions = self._decisions(comparisons, curve)
        return Review(
            format=FORMAT,
            seats=self._seats,
            points=[_point(turn.seq, curve[turn.seq], self._seats) for turn in self._turns if turn.seq in curve],
            luck=luck,
            decisions=decisions,
            moves=len(self._turns),
            chance_moves=len(self._chance),
            choices=len(comparisons),
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
        return {seq: estimate for seq, estimate in estimates.items() if estimate.exact or estimate.count}

    def _estimate(self, turn: Turn) -> ChanceEstimate:
        outcome = self._rules.outcome(self._rules.load(turn.after))
        return ChanceEstimate(self._seats, None if outcome is None else won(outcome, self._seats))

    def _player(self, playouts: Playouts, packed: bytes) -> Play:
        return lambda: playouts.play_on(playouts.redeal(packed, self._random), self._random)

    def _refine(self, work: Sequence[tuple[ChanceEstimate, Play]], until: float, enough: float) -> None:
        """Plays positions on, round after round, until they are sure enough or the time is spent."""
        left = [(estimate, play) for estimate, play in work if estimate.exact is None]
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
        """Measures chance in moves it had a part in: how the game stood after each, less how it would on average.

        Both are judged at the next position that can be, lest later chance blurs them.
        """
        playouts = Playouts(self._rules, self._seats, min(1, self._rules.foresight))
        turns = [turn for turn in self._turns if turn.seq in self._chance and turn.kind in ("answer", "advance")]
        after = {turn.seq: self._estimate(turn) for turn in turns}
        expected = {turn.seq: ChanceEstimate(self._seats) for turn in turns}
        work = [(after[turn.seq], self._player(playouts, turn.after)) for turn in turns]
        work += [(expected[turn.seq], self._repeater(playouts, turn)) for turn in turns]
        self._refine(work, LUCK, ENOUGH_FOR_LUCK)
        turned = []
        for turn in turns:
            then, before = after[turn.seq], expected[turn.seq]
            if before.count and (then.count or then.exact):
                seats = range(self._seats)
                changes = [round(1000 * (then.mean(seat) - before.mean(seat))) for seat in seats]
                errors = [round(1000 * sqrt(then.variance(seat) + before.variance(seat))) for seat in seats]
                turned.append(Turned(turn.seq, changes, errors))
        return turned

    def _repeater(self, playouts: Playouts, turn: Turn) -> Play:
        def play() -> list[float] | None:
            state = repeat(playouts, turn, self._random)
            return None if state is None else playouts.play_on(state, self._random)

        return play

    # Decisions

    def _decisions(self, comparisons: list[Comparison], curve: dict[int, ChanceEstimate]) -> list[Graded]:
        """Returns what people decided, graded: a first look at each, then a closer one at what may have been a mistake.

        If the time is too short for all, those are looked at in which most was open.
        """
        looked = []
        openness = self._openness(curve)
        comparisons = self._random.sample(comparisons, len(comparisons))
        for comparison in sorted(comparisons, key=lambda candidate: -round(openness(candidate.turn), 1)):
            if self._spent() >= LOOK:
                break
            self._played += look_first(self._playouts, comparison, self._random)
            looked.append(comparison)
        looked.sort(key=lambda comparison: -comparison.promise)
        while closer := [comparison for comparison in looked if comparison.is_open]:
            for comparison in closer:
                if self._spent() >= ALL:
                    break
                self._played += look_closely(self._playouts, comparison, self._random)
            else:
                continue
            break
        done = [candidate for candidate in looked if candidate.other is None or candidate.differences]
        return [
            graded(self._playouts, candidate) for candidate in sorted(done, key=lambda candidate: candidate.turn.seq)
        ]

    def _openness(self, curve: dict[int, ChanceEstimate]) -> Callable[[Turn], float]:
        """Tells how open the game was for the seat of a move before it: 1 at even chances, 0 where all was decided."""
        numbers = sorted(curve)

        def openness(turn: Turn) -> float:
            assert turn.seat is not None
            chance = curve[numbers[max(0, bisect_left(numbers, turn.seq) - 1)]].mean(turn.seat)
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
    intervals = [estimate.interval(seat) for seat in range(seats)]
    return Point(
        seq,
        [round(1000 * interval.chance) for interval in intervals],
        [round(1000 * interval.low) for interval in intervals],
        [round(1000 * interval.high) for interval in intervals],
    )


def review(rules: AnyRules, record: Record, spent: Spent) -> Review:
    """The review of a game that is over. Raises whatever its rules raise.

    Arguments:
        spent: how much of the time has been spent, from 0 to 1.
    """
    return Reviewing(rules, record, spent).review()
