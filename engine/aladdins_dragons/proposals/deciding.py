"""Single decisions beside placing: the answer that does best in rounds played on, and by how much."""

from random import Random
from typing import NamedTuple

from engine.aladdins_dragons.actions import PlayCard, PlayerAction
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.greedy import GreedyBot
from engine.aladdins_dragons.bots.hand import CardChoice
from engine.aladdins_dragons.bots.lookahead import tallying
from engine.core import Question

PLAYOUTS = 32  # rounds played on for one answer
GREEDY = GreedyBot()


class Decided(NamedTuple):
    """An answer.

    Arguments:
        gain: what it brings more than to do nothing, in treasure; None where that was not asked.
    """

    action: PlayerAction
    gain: float | None = None


def decide(view: View, question: Question, random: Random) -> Decided:
    """The answer to a question in which nothing is placed."""
    greedy = GREEDY.choose(view, question, random)
    answers = tallying.candidates(view, question, greedy)
    nothing = tallying.NOTHING.get(question.decision.kind)
    if len(answers) == 1 or nothing is None:
        return Decided(greedy, _gain_of_card(view, question, greedy))
    found = tallying.means(view, question, answers, PLAYOUTS, random)
    best = found.index(max(found))
    return Decided(answers[best], found[best] - found[answers.index(nothing)])


def _gain_of_card(view: View, question: Question, action: PlayerAction) -> float | None:
    return CardChoice(view, question.decision.seat).gain(action) if isinstance(action, PlayCard) else None
