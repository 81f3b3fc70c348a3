"""The answers a mail lists by number, such as "3k": by the letter we know that the list is still the same."""

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import islice, product
from math import prod

from engine.core import ActionForm, Amounts, Answer, Choice, Option, Question
from engine.core.answers import goes_together

MOST_WAYS = 12  # answers that are listed each by itself
LETTERS = "abcdefghjkmnpqrstuvwxyz"  # no i, l, o, which look like digits
NUMBER = re.compile(r"#?\s?(\d{1,2})\s?([a-z])[.!]?", re.IGNORECASE)


def is_short(question: Question) -> bool:
    """Whether the question has so few answers that each is listed. Amounts count as many."""
    return sum(_count(form) for form in question.actions) <= MOST_WAYS


def _count(form: ActionForm) -> int:
    return prod(len(asked.options) if isinstance(asked, Choice) else MOST_WAYS + 1 for asked in form.fields)


def combinations(form: ActionForm) -> Iterator[dict[str, Option]]:
    """The options that can be chosen together in the choices of a form, by the name of the field."""
    choices = [asked for asked in form.fields if not isinstance(asked, Amounts)]
    for options in product(*(asked.options for asked in choices)):
        chosen = {asked.name: option for asked, option in zip(choices, options, strict=True)}
        if goes_together(form, {name: option.value for name, option in chosen.items()}):
            yield chosen


def listed(question: Question) -> Iterator[tuple[ActionForm, dict[str, Option]]]:
    """All answers of a short question, in the order of its forms."""
    for form in question.actions:
        for chosen in islice(combinations(form), MOST_WAYS):
            yield form, chosen


def code(decision: str, number: int, form: ActionForm, chosen: dict[str, Option]) -> str:
    """The number of an answer with its letter. `decision` names the question in a way no other has."""
    return f"{number}{_letter(decision, answer(form, chosen))}"


def answer(form: ActionForm, chosen: dict[str, Option]) -> Answer:
    """The answer of a form and what was chosen in its fields."""
    return {"type": form.type, **{name: option.value for name, option in chosen.items()}}


def _letter(decision: str, chosen: Answer) -> str:
    digest = hashlib.sha256(json.dumps([decision, sorted(chosen.items())]).encode()).digest()
    return LETTERS[int.from_bytes(digest[:4], "big") % len(LETTERS)]


def by_number(line: str, decision: str, question: Question) -> Answer | None:
    """The answer a line names by number, if that is what stands there now."""
    found = NUMBER.fullmatch(line.strip())
    if found is None or not is_short(question):
        return None
    number, letter = int(found.group(1)), found.group(2).lower()
    for place, (form, chosen) in enumerate(listed(question), start=1):
        meant = answer(form, chosen)
        if place == number and _letter(decision, meant) == letter:
            return meant
    return None
