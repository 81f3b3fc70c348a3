"""Bots at tables that plan."""

from random import Random
from typing import Any

from msgspec.structs import replace

from engine.core import Question
from engine.orders import own


class PlanningBot:
    """A bot that is asked what its game asks, a moment after it has come up: it leaves sheets and plans empty."""

    def __init__(self, bot: Any) -> None:
        self.inner = bot
        self.name, self.title = bot.name, bot.title

    def choose(self, view: Any, question: Question, random: Random) -> Any:
        """The action to answer the question with."""
        if own.is_gathering(question.decision):
            return own.bot_answer(question)
        forms = [form for form in question.actions if form.type not in own.TYPES]
        return self.inner.choose(view, replace(question, actions=forms), random)
