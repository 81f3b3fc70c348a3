"""Reads the form of a question that was posted, as an action for the rules."""

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.utils.translation import gettext as _

from engine.core import ActionForm, Choice, Field, JsonObject, Option, Question
from games.web.answers.question_form import WAY, WHOLE, Posted, Say, has_way_choice, is_settled, sum_in_words
from notifications.confirming import CHALLENGE, CHOICE, PROOF

LONGEST = 400  # characters of the fields that one button gives
NOT_ANSWERED = ("csrfmiddlewaretoken", CHALLENGE, PROOF, CHOICE, "asked")  # what a form carries beside its answer


@dataclass(frozen=True)
class Decoded:
    """A posted form: an action as JSON gives it, or what is missing in words.

    Arguments:
        form: the way to answer that was chosen.
    """

    form: ActionForm | None
    action: JsonObject | None
    messages: list[str]


def decode(posted: Posted, question: Question, say: Say) -> Decoded:
    """The action that was posted, without orders. Only what is missing is found here; the rules say what is legal."""
    posted = _spread(posted)
    form, messages = _posted_form(posted, question)
    if form is None:
        return Decoded(None, None, messages)
    action: JsonObject = {"type": form.type}
    for field in form.fields:
        value = field.options[0].value if is_settled(question, field) else _posted_value(posted, form, field)
        if value is None:
            messages.append(_missing(form, field, say))
        else:
            action[field.name] = value
    return Decoded(form, None if messages else action, messages)


def attempt_key(posted: Posted) -> str:
    """The idempotency key of what was posted: a double click has the same, another answer on the same form has not.

    A new one each time if the form carries no key of its own.
    """
    if not posted.get("key"):
        return secrets.token_hex(20)
    content = sorted((name, value) for name, value in posted.items() if value and name not in NOT_ANSWERED)
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:40]


def _spread(posted: Posted) -> Posted:
    """What was posted, with the fields of a button that gives all of an answer as if they had been chosen."""
    way, mark, fields = posted.get(WAY, "").partition(WHOLE)
    if not mark:
        return posted
    return {**posted, WAY: way, **{f"{way}-{name}": value for name, value in parse_qsl(fields[:LONGEST])}}


def _posted_form(posted: Posted, question: Question) -> tuple[ActionForm | None, list[str]]:
    if not has_way_choice(question):
        return question.actions[0], []
    chosen = posted.get(WAY, "")
    if not chosen:
        filled = [form for form in question.actions if _is_filled(posted, question, form)]
        if len(filled) == 1:  # whoever fills in the fields of one way means that way
            return filled[0], []
        return None, [_("Choose what you want to do.")]
    for form in question.actions:
        if form.type == chosen:
            return form, []
    return None, [_("What you chose isn't possible now. Please choose again.")]


def _is_filled(posted: Posted, question: Question, form: ActionForm) -> bool:
    """True if something was chosen there; what was chosen beforehand does not count, nor an amount of 0."""
    for field in form.fields:
        name = f"{form.type}-{field.name}"
        if isinstance(field, Choice):
            if posted.get(name, "").strip() and not is_settled(question, field):
                return True
        elif any(posted.get(f"{name}-{option.value}", "").strip() not in ("", "0") for option in field.options):
            return True
    return False


def _posted_value(posted: Posted, form: ActionForm, field: Field) -> str | int | dict[str | int, int] | None:
    """The value of one field: what was posted even if it is not among the options (the rules refuse it in words)."""
    name = f"{form.type}-{field.name}"
    if isinstance(field, Choice):
        return _chosen(posted.get(name, ""), field.options)
    amounts = {}
    for option in field.options:
        amount = _number(posted.get(f"{name}-{option.value}", ""))
        if amount is None:
            return None
        if amount:
            amounts[option.value] = amount
    return amounts if amounts or not field.fewest else None


def _chosen(value: str, options: Iterable[Option]) -> str | int | None:
    if not value:
        return None
    for option in options:
        if str(option.value) == value:
            return option.value
    is_numeric = all(isinstance(option.value, int) for option in options)
    number = _number(value)
    return number if is_numeric and number is not None else value[:80]


def _number(value: str) -> int | None:
    """A whole number up to three digits; 0 for nothing; None for anything else."""
    value = value.strip()
    if not value:
        return 0
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 3 else None


def _missing(form: ActionForm, field: Field, say: Say) -> str:
    if isinstance(field, Choice):
        return _("%(field)s: please choose one.") % {"field": say(field.label)}
    return _("%(field)s: please enter whole numbers, %(sum)s.") % {
        "field": say(field.label),
        "sum": sum_in_words(form, field, say),
    }
