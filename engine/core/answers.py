"""Answers to a `Question`, for every game: checking one, listing all, drawing one.

An answer is an action as JSON gives it: {"type": form.type, field name: value, amounts field: {option: amount}}.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

from engine.core.questions import ActionForm, Amounts, Answer, Choice, Field, IllegalAction, JsonObject, Question

Value: TypeAlias = str | int | dict[str | int, int]
"""The value of one field."""


def check_answer(question: Question, answer: Answer) -> None:
    """Raises IllegalAction unless one form of the question allows exactly this answer.

    The codes: "illegal-type" (type), "illegal-field" (field), "illegal-missing" (field), "illegal-value" (field,
    value, choices), "illegal-amount" (field, value, most), "illegal-total" (field, total), "illegal-range" (field,
    least, total), "illegal-sum" (field, other), "illegal-repeat" (field, value), "illegal-both" (field, value) and
    "illegal-pair" (value, other), with {"field": name}, {"option": value}, {"options": values} for what would do and
    {"counted": [value, most]} as parameters for the game to put into words.
    """
    form = next((form for form in question.actions if form.type == answer.get("type")), None)
    if form is None:
        raise IllegalAction("illegal-type", type=str(answer.get("type")))
    names = {"type", *(field.name for field in form.fields), *(["orders"] if form.takes_orders else [])}
    unknown = set(answer) - names
    if unknown:
        raise IllegalAction("illegal-field", field={"field": min(unknown)})
    for field in form.fields:
        if field.name not in answer:
            raise IllegalAction("illegal-missing", field={"field": field.name})
        _check_field(field, answer[field.name])
    _check_sums(form, answer)
    _check_distinct(form, answer)
    if (pair := _find_barred(form, answer)) is not None:
        raise IllegalAction("illegal-pair", value={"option": str(pair[0])}, other={"option": str(pair[1])})


def _check_field(field: Field, value: object) -> None:
    if isinstance(field, Choice):
        if not any(value == option.value for option in field.options):
            raise _illegal_value(field, value)
        return
    if not isinstance(value, Mapping):
        raise _illegal_value(field, value)
    limits = {option.value: field.total if option.limit is None else option.limit for option in field.options}
    for key, amount in value.items():
        most = limits.get(key, 0)
        if amount and not most:
            raise _illegal_value(field, key)
        if not 0 <= amount <= most:
            named = {"field": {"field": field.name}, "value": {"option": str(key)}}
            raise IllegalAction("illegal-amount", **named, most={"counted": [key, most]})
    total = sum(value.values())
    if field.least is None and total != field.total:
        raise IllegalAction("illegal-total", field={"field": field.name}, total=field.total)
    if not field.fewest <= total <= field.total:
        raise IllegalAction("illegal-range", field={"field": field.name}, least=field.fewest, total=field.total)


def _illegal_value(field: Field, value: object) -> IllegalAction:
    """The refusal of a value that is none of the options, or of which there is none; it names what would do."""
    options = field.options if isinstance(field, Choice) else [choice for choice in field.options if choice.limit != 0]
    choices = {"options": [option.value for option in options]}
    return IllegalAction("illegal-value", field={"field": field.name}, value={"option": str(value)}, choices=choices)


def _check_sums(form: ActionForm, answer: Answer) -> None:
    for field in form.fields:
        other = field.same_as if isinstance(field, Amounts) else ""
        if other and sum(answer[field.name].values()) != sum(answer[other].values()):
            raise IllegalAction("illegal-sum", field={"field": field.name}, other={"field": other})


def _check_distinct(form: ActionForm, answer: Answer) -> None:
    seen: set[tuple[str, str | int]] = set()
    for field in form.fields:
        for value in _claimed(field, answer):
            if (field.distinct, value) in seen:
                code = "illegal-repeat" if isinstance(field, Choice) else "illegal-both"
                raise IllegalAction(code, field={"field": field.name}, value={"option": str(value)})
            seen.add((field.distinct, value))


def _claimed(field: Field, answer: Answer) -> Iterable[str | int]:
    """The values that no other field with the same `distinct` name may have."""
    if not field.distinct:
        return ()
    if isinstance(field, Choice):
        return (answer[field.name],)
    return [value for value, amount in answer[field.name].items() if amount]


def every_answer(question: Question) -> Iterator[Answer]:
    """Returns all answers that `check_answer` allows; may be thousands."""
    for form in question.actions:
        yield from _every_rest(form, {"type": form.type}, form.fields)


def _every_rest(form: ActionForm, begun: Answer, fields: Sequence[Field]) -> Iterator[Answer]:
    if not fields:
        if goes_together(form, begun):
            yield begun
        return
    for value in _every_value(form, begun, fields[0]):
        yield from _every_rest(form, {**begun, fields[0].name: value}, fields[1:])


def _every_value(form: ActionForm, begun: Answer, field: Field) -> Iterator[Value]:
    if isinstance(field, Choice):
        yield from (option.value for option in field.options)
        return
    for total in _totals(begun, field):
        limits = _limits(form, begun, field, total)
        for split in _splits(total, limits):
            yield _named(field, split)


def _totals(begun: Answer, field: Amounts) -> range:
    if not field.same_as:
        return range(field.fewest, field.total + 1)
    total = sum(begun[field.same_as].values())
    return range(total, total + (field.fewest <= total <= field.total))


def _limits(form: ActionForm, begun: Answer, field: Amounts, total: int) -> list[int]:
    """The most of each option; nothing of what another field has that must differ."""
    others = [other for other in form.fields if other.name in begun and other.distinct == field.distinct]
    taken = {value for other in others for value in _claimed(other, begun)}
    return [
        0 if option.value in taken else total if option.limit is None else min(option.limit, total)
        for option in field.options
    ]


def _splits(total: int, limits: list[int]) -> Iterator[list[int]]:
    if not limits:
        if total == 0:
            yield []
        return
    for first in range(max(0, total - sum(limits[1:])), min(total, limits[0]) + 1):
        for rest in _splits(total - first, limits[1:]):
            yield [first, *rest]


def _named(field: Amounts, split: list[int]) -> dict[str | int, int]:
    return {option.value: amount for option, amount in zip(field.options, split, strict=True) if amount}


def goes_together(form: ActionForm, answer: Answer) -> bool:
    """False if values of an answer to this form, each of them possible, rule each other out."""
    claimed = [(field.distinct, value) for field in form.fields for value in _claimed(field, answer)]
    return len(claimed) == len(set(claimed)) and _find_barred(form, answer) is None


def _find_barred(form: ActionForm, answer: Answer) -> tuple[str | int, str | int] | None:
    """A chosen value that does not go together with what is chosen in another field, and that other value."""
    choices = [field for field in form.fields if isinstance(field, Choice)]
    chosen = [option for field in choices for option in field.options if option.value == answer[field.name]]
    pairs = ((option.value, other.value) for other in chosen for option in chosen if option.value in other.bars)
    return next(pairs, None)


def draw_answer(question: Question, random: Random) -> Answer:
    """One answer that `check_answer` allows: any form, then any value of each field."""
    return draw_from(question.actions, random)


def draw_from(forms: Sequence[ActionForm], random: Random) -> Answer:
    """One answer that these forms allow; see `draw_answer`."""
    form = random.choice(forms)
    while True:  # fields that must differ are drawn again together; a form always has a legal answer, so this ends
        answer: JsonObject = {"type": form.type}
        for field in form.fields:
            if (value := _draw_value(form, answer, field, random)) is None:
                break
            answer[field.name] = value
        else:
            if goes_together(form, answer):
                return answer


def _draw_value(form: ActionForm, begun: Answer, field: Field, random: Random) -> Value | None:
    """A value of the field, or None if none fits what has been drawn before it."""
    if isinstance(field, Choice):
        return random.choice(field.options).value
    totals = _totals(begun, field)
    if not totals:
        return None
    total = random.choice(totals) if len(totals) > 1 else totals[0]
    limits, split = _limits(form, begun, field, total), [0] * len(field.options)
    if sum(limits) < total:
        return None
    for _ in range(total):
        index = random.choice([place for place, limit in enumerate(limits) if split[place] < limit])
        split[index] += 1
    return _named(field, split)
