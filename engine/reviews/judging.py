"""Decisions beside their alternatives, judged by what their player could know: in deals that look like the view."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random

import msgspec

from engine.core import Question
from engine.orders.answers import TYPES, ActionWithOrders, CommonAction
from engine.orders.sentences import answer_texts, as_entry
from engine.reviews.course import Turn
from engine.reviews.model import Entry, Graded
from engine.reviews.playouts import Playouts, decision_of

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
    """

    turn: Turn
    view: object
    question: Question
    answers: list[object]
    promise: float = 0.0
    other: object = None
    differences: list[float] = field(default_factory=list)

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
        return max(LEAST_ERROR, sqrt(sum((one - mean) ** 2 for one in self.differences) / (count - 1) / count))

    @property
    def is_open(self) -> bool:
        """Whether more deals may tell more."""
        return self.other is not None and len(self.differences) < MOST_DEALS


def decisions_of(playouts: Playouts, turns: Sequence[Turn]) -> list[Comparison]:
    """The decisions of people that left a choice; nothing is compared yet.

    What was given with orders, or in a sheet or plan, is answered later and elsewhere: it is none of them.
    """
    own = [turn for turn in turns if turn.kind == "answer" and turn.by == "player"]
    return [found for turn in own if (found := _comparison(playouts, turn)) is not None]


def _comparison(playouts: Playouts, turn: Turn) -> Comparison | None:
    rules = playouts.rules
    assert turn.seat is not None
    state = rules.load(turn.before)
    asked = rules.open(state, turn.decision, turn.seat)
    if asked.gathering is not None:
        return None
    question = asked.question
    forms = [form for form in question.actions if form.type not in TYPES]
    if len(forms) < 2 and all(len(form.fields) == 0 for form in forms):
        return None
    given = turn.action.action if isinstance(turn.action, ActionWithOrders) else turn.action
    if isinstance(given, CommonAction):
        given = rules.parse(dict(rules.vocabulary.quiet[question.decision.kind]))  # passing for longer is a pass here
    view = rules.view(state, turn.seat)
    return Comparison(turn, view, msgspec.structs.replace(question, actions=forms), [given])


def look_first(playouts: Playouts, comparison: Comparison, random: Random) -> int:
    """Finds alternatives, what the game's bots would answer first of all, and which of them looks best.

    Returns how many playouts it took.
    """
    rules, view, question = playouts.rules, comparison.view, comparison.question
    ideas = [bot.choose(view, question, random) for bot in rules.bots.values()]
    ideas += [rules.sample(question, random) for _ in range(MOST_TRIED)]
    answers = comparison.answers
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


def look_closely(playouts: Playouts, comparison: Comparison, random: Random) -> int:
    """Compares in further deals what was answered with that alternative; the first look, which chose it, counts not.

    Returns how many playouts it took.
    """
    pair = [comparison.answers[0], comparison.other]
    for _ in range(CLOSE_LOOK):
        given, other = _values(playouts, comparison, pair, random)
        comparison.differences.append(other - given)
    return 2 * CLOSE_LOOK


def _values(playouts: Playouts, comparison: Comparison, answers: Sequence[object], random: Random) -> list[float]:
    """What each answer comes to for its seat, all in the same deal, played on with the same dice."""
    rules, turn = playouts.rules, comparison.turn
    assert turn.seat is not None
    dealt, dice = rules.dump(rules.determinise(comparison.view, random)), random.random()
    found = []
    for answer in answers:
        state = rules.load(dealt)
        asked = decision_of(rules, state, turn.asked, turn.seat)
        assert asked is not None, turn
        state = playouts.answer(state, asked, answer)
        found.append(playouts.play_on(state, Random(dice))[turn.seat])
    return found


def graded(playouts: Playouts, comparison: Comparison) -> Graded:
    """What is stored of a decision."""
    turn, given = comparison.turn, comparison.answers[0]
    assert turn.seat is not None
    return Graded(
        seq=turn.seq,
        seat=turn.seat,
        title=as_entry(comparison.question.title),
        answer=_in_words(playouts, comparison.question, given),
        best=[] if comparison.other is None else _in_words(playouts, comparison.question, comparison.other),
        loss=round(1000 * comparison.loss),
        error=round(1000 * comparison.error),
        deals=len(comparison.differences),
        tried=len(comparison.answers) - 1,
    )


def _in_words(playouts: Playouts, question: Question, action: object) -> list[Entry]:
    return answer_texts(question, msgspec.json.decode(playouts.rules.dump_action(action)))
