"""A player who answers anything legal."""

from random import Random

from engine.aladdins_dragons.actions import PlayerAction, to_action
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.questions import without_taking_back
from engine.core import Question, Text
from engine.core.answers import draw_answer


class RandomBot:
    """Answers at random; useful to fill a seat, to learn against and to test with."""

    name = "random"
    title = Text("bot-random")

    def choose(self, view: View, question: Question, random: Random) -> PlayerAction:
        """Any form, then any value of each field. It takes nothing back: with the same dice it would do so for ever."""
        return to_action(draw_answer(without_taking_back(question), random))
