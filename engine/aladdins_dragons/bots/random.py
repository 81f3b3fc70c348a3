"""A player who answers anything legal."""

from random import Random

from msgspec.structs import replace

from engine.aladdins_dragons.actions import PlayerAction, to_action
from engine.aladdins_dragons.board.model import View
from engine.core import Question, Text
from engine.core.answers import draw_answer

TAKING_BACK = "start_over"


class RandomBot:
    """Answers at random; useful to fill a seat, to learn against and to test with."""

    name = "random"
    title = Text("bot-random")

    def choose(self, view: View, question: Question, random: Random) -> PlayerAction:
        """Any form, then any value of each field. It takes nothing back: with the same dice it would do so for ever."""
        forms = [form for form in question.actions if form.type != TAKING_BACK] or question.actions
        return to_action(draw_answer(replace(question, actions=forms), random))
