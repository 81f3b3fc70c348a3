"""Looking ahead in the tally: a few answers, each played out by the rules in many states that look like the view."""

from collections.abc import Mapping, Sequence
from random import Random

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import PlayerAction
from engine.aladdins_dragons.board.model import Placing
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.greedy import best_bribe
from engine.aladdins_dragons.bots.hand import CardChoice
from engine.aladdins_dragons.bots.lookahead.playout import pack, play_out
from engine.aladdins_dragons.bots.lookahead.standing import standing
from engine.aladdins_dragons.views.determinise import determinise
from engine.core import Question

MOST_CARDS = 4  # looked at closely: those that look best at once
NOTHING: Mapping[str, PlayerAction] = {
    "window": actions.Pass(),
    "bribe": actions.StayOut(),
    "buy": actions.Decline(),
}
HOPELESS = -4.0  # a card that looks worse than this is not


def candidates(view: View, question: Question, greedy: PlayerAction) -> list[PlayerAction]:
    """What is worth comparing: what greedy does, nothing, a bribe, and the cards that look best."""
    kind = question.decision.kind
    if kind not in NOTHING or any(isinstance(frame, Placing) for frame in view.agenda):
        return [greedy]  # while tokens are placed nobody knows what will lie there
    bribe = best_bribe(view, question.decision.seat, question)
    found = [greedy, NOTHING[kind], *([bribe] if bribe else [])]
    if view.has_magic and kind != "buy":
        ideas = [idea for idea in CardChoice(view, question.decision.seat).ideas(question) if idea.gain > HOPELESS]
        found += [idea.action for idea in ideas[:MOST_CARDS]]
    return [action for place, action in enumerate(found) if action not in found[:place]]


def best(view: View, question: Question, answers: list[PlayerAction], playouts: int, random: Random) -> PlayerAction:
    """The answer with the best mean standing at the end of the round."""
    if len(answers) == 1:
        return answers[0]
    found = means(view, question, answers, playouts, random)
    return answers[found.index(max(found))]


def means(
    view: View, question: Question, answers: Sequence[PlayerAction], playouts: int, random: Random
) -> list[float]:
    """The mean standing of the seat at the end of the round after each answer, all in the same worlds."""
    seat, totals, worlds = question.decision.seat, [0.0] * len(answers), max(1, playouts // len(answers))
    for _ in range(worlds):
        packed = pack(determinise(view, random))
        for place, answer in enumerate(answers):
            totals[place] += standing(play_out(packed, seat, answer), seat)
    return [total / worlds for total in totals]
