"""A player who answers anything legal."""

from random import Random

from engine.cave_of_wonders.actions import Action, to_action
from engine.cave_of_wonders.board.model import View
from engine.core import Question, Text
from engine.core.answers import draw_answer


class RandomBot:
    """Answers at random; useful to fill a seat, to learn against and to test with."""

    name = "random"
    title = Text("bot-random")

    def choose(self, view: View, question: Question, random: Random) -> Action:
        """Any form, then any value of each field."""
        return to_action(draw_answer(question, random))
