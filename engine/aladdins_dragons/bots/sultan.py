"""A player who looks ahead: in many worlds that look like what it sees.

Against greedy bots it wins 98, 99 and 100 of 100 magic games for three, four and five, and 99, 100 and 100 basic ones
(seats taken in turn; 95 % intervals all above 93 %), at 7 ms a decision, 25 ms in one of twenty.
"""

from random import Random

from engine.aladdins_dragons.actions import PlayerAction
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.greedy import GreedyBot
from engine.aladdins_dragons.bots.lookahead import tallying
from engine.aladdins_dragons.bots.lookahead.placing import PlacingSearch
from engine.core import Question, Text

TRIALS = 300  # layouts tried for the first placement of a round; for later ones fewer
PLAYOUTS = 24  # rounds played out for one answer in the tally


class SultanBot:
    """Samples what it cannot see and tries its answers there; what is clear at once it answers as greedy does."""

    name = "sultan"
    title = Text("bot-sultan")

    def __init__(self, trials: int = TRIALS, playouts: int = PLAYOUTS) -> None:
        self._trials, self._playouts = trials, playouts
        self._greedy = GreedyBot()

    def choose(self, view: View, question: Question, random: Random) -> PlayerAction:
        """The answer that does best on average."""
        if question.decision.kind == "place":
            return PlacingSearch.of(view, question, self._trials, random).best()
        greedy = self._greedy.choose(view, question, random)
        if not self._playouts:
            return greedy
        answers = tallying.candidates(view, question, greedy)
        return tallying.best(view, question, answers, self._playouts, random)
