"""Answers to a `Question`, for every game: checking one, listing all, drawing one.

An answer is an action as JSON gives it: {"type": form.type, field name: value, amounts field: {option: amount}}.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, TypeAlias

from engine.core import ActionForm, Amounts, Choice, Field, IllegalAction, Question

Answer: TypeAlias = dict[str, Any]


def check_answer(question: Question, answer: Mapping[str, Any]) -> None:
    """Raises IllegalAction unless one form of the question allows exactly this answer.

    The codes: "illegal-type" (type), "illegal-field" (field), "illegal-missing" (field), "illegal-value" (field,
    value), "illegal-amount" (field, value), "illegal-total" (field, total), "illegal-repeat" (field, value) and
    "illegal-pair" (value, other), with
    {"field": name} and {"option": value} as parameters for the game to put into words.
    """
    form = next((form for form in question.actions if form.type == answer.get("type")), None)
    if form is None:
        raise IllegalAction("illegal-type", type=str(answer.get("type")))
    unknown = set(answer) - {"type", *(field.name for field in form.fields)}
    if unknown:
        raise IllegalAction("illegal-field", field={"field": min(unknown)})
    for field in form.fields:
        if field.name not in answer:
            raise IllegalAction("illegal-missing", field={"field": field.name})
        _check_field(field, answer[field.name])
    _check_distinct(form, answer)
    if (pair := _find_barred(form, answer)) is not None:
        raise IllegalAction("illegal-pair", value={"option": str(pair[0])}, other={"option": str(pair[1])})


def _check_field(field: Field, value: Any) -> None:
    if isinstance(field, Choice):
        if not any(value == option.value for option in field.options):
            raise IllegalAction("illegal-value", field={"field": field.name}, value={"option": str(value)})
        return
    if not isinstance(value, Mapping):
        raise IllegalAction("illegal-value", field={"field": field.name}, value={"option": str(value)})
    limits = {option.value: option.limit for option in field.options}
    for key, amount in value.items():
        limit = limits.get(key, 0)
        if amount < 0 or (limit is not None and amount > limit):
            raise IllegalAction("illegal-amount", field={"field": field.name}, value={"option": str(key)})
    if sum(value.values()) != field.total:
        raise IllegalAction("illegal-total", field={"field": field.name}, total=field.total)


def _check_distinct(form: ActionForm, answer: Mapping[str, Any]) -> None:
    seen: set[tuple[str, Any]] = set()
    for field in form.fields:
        if isinstance(field, Choice) and field.distinct:
            key = (field.distinct, answer[field.name])
            if key in seen:
                raise IllegalAction(
                    "illegal-repeat", field={"field": field.name}, value={"option": str(answer[field.name])}
                )
            seen.add(key)


def every_answer(question: Question) -> Iterator[Answer]:
    """All answers that `check_answer` allows; may be thousands."""
    for form in question.actions:
        names = [field.name for field in form.fields]
        for values in product(*(list(_every_value(field)) for field in form.fields)):
            answer = {"type": form.type, **dict(zip(names, values, strict=True))}
            if goes_together(form, answer):
                yield answer


def _every_value(field: Field) -> Iterator[Any]:
    if isinstance(field, Choice):
        yield from (option.value for option in field.options)
    else:
        limits = [_limit(field, index) for index in range(len(field.options))]
        for split in _splits(field.total, limits):
            yield _named(field, split)


def _limit(field: Amounts, index: int) -> int:
    limit = field.options[index].limit
    return field.total if limit is None else min(limit, field.total)


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


def goes_together(form: ActionForm, answer: Mapping[str, Any]) -> bool:
    """False if two choices of an answer to this form, each of them possible, rule each other out."""
    return _is_distinct(form, answer) and _find_barred(form, answer) is None


def _is_distinct(form: ActionForm, answer: Mapping[str, Any]) -> bool:
    chosen = [
        (field.distinct, answer[field.name])
        for field in form.fields
        if isinstance(field, Choice) and field.distinct
    ]  # fmt: skip
    return len(chosen) == len(set(chosen))


def _find_barred(form: ActionForm, answer: Mapping[str, Any]) -> tuple[str | int, str | int] | None:
    """A chosen value that does not go together with what is chosen in another field, and that other value."""
    choices = [field for field in form.fields if isinstance(field, Choice)]
    chosen = [option for field in choices for option in field.options if option.value == answer[field.name]]
    pairs = ((option.value, other.value) for other in chosen for option in chosen if option.value in other.bars)
    return next(pairs, None)


def draw_answer(question: Question, random: Random) -> Answer:
    """One answer that `check_answer` allows: any form, then any value of each field."""
    return draw_from(question.actions, random)


def draw_from(forms: Sequence[ActionForm], random: Random) -> Answer:
    """The same for forms without a question."""
    form = random.choice(forms)
    while True:  # fields that must differ are drawn again together; a form always has a legal answer, so this ends
        answer: Answer = {"type": form.type}
        for field in form.fields:
            answer[field.name] = _draw_value(field, random)
        if goes_together(form, answer):
            return answer


def _draw_value(field: Field, random: Random) -> Any:
    if isinstance(field, Choice):
        return random.choice(field.options).value
    split = [0] * len(field.options)
    limits = [_limit(field, index) for index in range(len(split))]
    for _ in range(field.total):
        index = random.choice([place for place, limit in enumerate(limits) if split[place] < limit])
        split[index] += 1
    return _named(field, split)
