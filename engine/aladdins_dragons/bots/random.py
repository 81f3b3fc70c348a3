"""A player who answers anything legal."""

from random import Random

from engine.aladdins_dragons.actions import PlayerAction, to_action
from engine.aladdins_dragons.model import View
from engine.answers import draw_answer
from engine.core import Question, Text


class RandomBot:
    """Answers at random; useful to fill a seat, to learn against and to test with."""

    name = "random"
    title = Text("bot-random")

    def choose(self, view: View, question: Question, random: Random) -> PlayerAction:
        """Any form, then any value of each field."""
        return to_action(draw_answer(question, random))
