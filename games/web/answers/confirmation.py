"""An answer that a link from an email names whole: the page says what will be done, and one button does it."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import Amounts, IllegalAction, Question
from engine.core.answers import check_answer
from engine.orders.answers import GATHERINGS
from games.play.standing_orders import in_words
from games.web.answers.posted_answer import decode
from games.web.answers.question_form import WAY, Posted, Say

CONFIRM = "confirm"  # in a form: its button answers by itself, so it acts only where its player is known


@dataclass(frozen=True)
class Confirmation:
    """The act of the button in words, and the hidden fields of its form."""

    words: str
    inputs: Mapping[str, str]


def confirmation(question: Question, say: Say, hints: Posted) -> Confirmation | None:
    """The answer that the query of a link, or the form behind it, names.

    None if it names none, leaves something open, or is not possible. A sheet or a plan is written, never confirmed.
    """
    form = next((form for form in question.actions if form.type == hints.get(WAY)), None)
    if form is None or any(isinstance(field, Amounts) for field in form.fields):
        return None
    if question.decision.kind in GATHERINGS and form.takes_orders:
        return None
    names = {field.name: f"{form.type}-{field.name}" for field in form.fields}
    inputs = {WAY: form.type} | {name: hints.get(field, hints.get(name, "")) for field, name in names.items()}
    action = decode(inputs, question, say).action
    if action is None or not _is_possible(question, action):
        return None
    return Confirmation(in_words(question.actions, action, say), inputs)


def _is_possible(question: Question, action: dict[str, object]) -> bool:
    try:
        check_answer(question, action)
    except IllegalAction:
        return False
    return True
