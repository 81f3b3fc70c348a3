"""A question of any game as the form that a page shows.

Nothing here knows a game or a kind of decision. No field has a default, unless it has one option and something else is
to be chosen: a form that is posted untouched answers nothing, so a mail scanner that presses buttons moves no piece.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from engine.core import ActionForm, Amounts, Choice, Field, Option, Question, Text
from engine.core.answers import goes_together
from engine.core.questions import START_OVER
from engine.orders.answers import LONG_PASSES

if TYPE_CHECKING:
    from games.web.answers.row_items import RowsItem

Say: TypeAlias = Callable[[Text], str]
Posted: TypeAlias = Mapping[str, str]

MANY = 12  # options of one field: they stand closer together
MOST_WHOLES = 256  # ways to fill in a way to answer; of more of them none has a button of its own
WAY = "do"  # the radio that says which of several ways to answer is meant
WHOLE = "?"  # after the way, in the value of a button that gives all of an answer: its fields as in a query follow


@dataclass(frozen=True)
class OptionItem:
    """One option as the page shows it: `name` and `value` of its input, and whether it was typed or suggested."""

    name: str
    value: str
    label: str
    hint: str = ""
    bars: str = ""  # which choices of other fields it rules out, in words
    barred: str = ""  # the same as values, with spaces between them
    limit: int | None = None
    is_chosen: bool = False
    is_settled: bool = False  # the only option there is, chosen beforehand
    is_suggested: bool = False
    typed: str = ""  # what a number input held when it was posted


@dataclass
class OptionGroup:
    """Options that stand together under one name ("" for none)."""

    label: str
    options: list[OptionItem] = field(default_factory=list)


@dataclass(frozen=True)
class FieldItem:
    """A fieldset: radios in groups, or number inputs whose sum is bounded; `sum` says how, in words.

    Arguments:
        total, least: the most and the fewest they may make together; None for radios.
        same_as: the name of the field whose sum theirs must equal; "" for none.
    """

    name: str
    label: str
    groups: list[OptionGroup]
    total: int | None = None
    least: int | None = None
    same_as: str = ""
    sum: str = ""

    @property
    def is_settled(self) -> bool:
        """True if there is nothing to choose: its one option is chosen beforehand."""
        return any(option.is_settled for group in self.groups for option in group.options)

    @cached_property
    def is_brief(self) -> bool:
        """True if the labels are so short that the options fit side by side."""
        return all(len(option.label) <= 3 and not option.hint for group in self.groups for option in group.options)

    @property
    def is_many(self) -> bool:
        """True if there are so many options that they stand closer together."""
        return sum(len(group.options) for group in self.groups) > MANY


@dataclass(frozen=True)
class WayItem:
    """One way to answer, with its fields."""

    type: str
    label: str
    hint: str
    fields: list[FieldItem]
    is_chosen: bool
    is_suggested: bool
    rows: "RowsItem | None" = None  # of the orders that may go with it
    button: str = ""  # what its button says, with the names of fields in braces for what is chosen in them
    wholes: tuple[tuple[str, str], ...] = ()  # if few: every answer of this way, as words and value of its button

    @cached_property
    def open_fields(self) -> list[FieldItem]:
        """The fields in which there is something to choose."""
        return [field for field in self.fields if not field.is_settled]

    @property
    def shown_fields(self) -> list[FieldItem]:
        """The open fields, and the hand before them even if one token is left in it."""
        last = self.fields[-1:]
        return [field for field in self.fields if not field.is_settled or (field.is_brief and field not in last)]

    @property
    def is_plain(self) -> bool:
        """True if the way itself is the whole answer: one button gives it."""
        return not self.open_fields and (self.rows is None or self.rows.is_beside)

    @property
    def is_count(self) -> bool:
        """True if all that is asked is how much of each."""
        return len(self.open_fields) == 1 and self.open_fields[0].total is not None

    @property
    def ends_in_choice(self) -> bool:
        """True if its last field is a choice: the buttons of its options answer."""
        return bool(self.open_fields) and self.open_fields[-1].total is None

    @property
    def is_comfort(self) -> bool:
        """True for a way to pass for longer than once."""
        return self.type in LONG_PASSES


@dataclass(frozen=True)
class QuestionItem:
    """A question ready to be shown. `key` is new each time: it tells a second click from a second answer."""

    code: str
    kind: str
    title: str
    hint: str
    default: str
    ways: list[WayItem]
    has_way_choice: bool
    is_prompted: bool
    is_sealed: bool
    key: str

    @property
    def comfort(self) -> list[WayItem]:
        """The ways to pass for longer: for those who are signed in each is one click."""
        return [way for way in self.ways if way.is_comfort]

    @property
    def main_ways(self) -> list[WayItem]:
        """The ways to answer, without passing for longer, and without taking back while there is another one."""
        ways = [way for way in self.ways if not way.is_comfort]
        return [way for way in ways if way.type != START_OVER] or ways

    @property
    def start_over(self) -> WayItem | None:
        """The way to take back what has been chosen so far, beside others; None if there is none."""
        return next((way for way in self.ways if way.type == START_OVER and way not in self.main_ways), None)

    @property
    def is_extra(self) -> bool:
        """True for what may be done unasked, as against an answer that may still be changed."""
        return not (self.is_prompted or self.is_sealed)


def question_item(
    question: Question,
    say: Say,
    *,
    typed: Posted | None = None,
    hints: Posted | None = None,
    rows: "RowsItem | None" = None,
    silence: str = "",
) -> QuestionItem:
    """The question in words.

    Arguments:
        say: words for a Text in the reader's language.
        typed: what was posted and refused: shown again where it is still possible.
        hints: {field name or "do": value} as the query of a link names them: moved to the front, never chosen.
        rows: those of the way to answer with which orders may go.
        silence: what happens if nobody answers in time, if the caller knows it better than the rules.
    """
    typed, hints = typed or {}, hints or {}
    ways = [_way(question, form, say, typed, hints, rows) for form in question.actions]
    decision = question.decision
    return QuestionItem(
        code=decision.id,
        kind=decision.kind,
        title=say(question.title),
        hint=_say_or_empty(question.hint, say),
        default=silence or say(question.default),
        ways=sorted(ways, key=lambda way: not way.is_suggested),
        has_way_choice=has_way_choice(question),
        is_prompted=decision.prompted,
        is_sealed=decision.sealed,
        key=secrets.token_urlsafe(12),
    )


def has_way_choice(question: Question) -> bool:
    """A way is chosen by a radio of its own, unless there is only one and its fields already ask for a choice."""
    return len(question.actions) > 1 or not any(_is_demanding(f) for form in question.actions for f in form.fields)


def _is_demanding(field: Field) -> bool:
    return isinstance(field, Choice) or field.fewest > 0


def is_settled(question: Question, field: Field) -> bool:
    """True for a field with one option beside something else that has to be chosen: it is no choice of its own."""
    if not isinstance(field, Choice) or len(field.options) != 1:
        return False
    return has_way_choice(question) or any(_is_open(other) for form in question.actions for other in form.fields)


def _is_open(field: Field) -> bool:
    return len(field.options) > 1 if isinstance(field, Choice) else field.fewest > 0


def _say_or_empty(text: Text | None, say: Say) -> str:
    return say(text) if text else ""


def _way(
    question: Question, form: ActionForm, say: Say, typed: Posted, hints: Posted, rows: "RowsItem | None"
) -> WayItem:
    button = _button(question, form, say)
    return WayItem(
        type=form.type,
        label=say(form.label),
        hint=_say_or_empty(form.hint, say),
        fields=[_field(question, form, field, say, typed, hints) for field in form.fields],
        is_chosen=typed.get(WAY) == form.type,
        is_suggested=hints.get(WAY) == form.type,
        rows=rows if form.takes_orders else None,
        button=button,
        wholes=tuple(_wholes(form, button, say)) if has_way_choice(question) else (),
    )


def _wholes(form: ActionForm, button: str, say: Say) -> Iterator[tuple[str, str]]:
    """Every answer of a way whose button names all that is open in it: what the button says, and its value.

    The first gives of what there is most.
    """
    blanks = [blank for blank in form.fields if f"{{{blank.name}}}" in button]
    choices = [blank for blank in form.fields if isinstance(blank, Choice)]
    is_named = len(choices) == len(form.fields) and all(blank in blanks or len(blank.options) == 1 for blank in choices)
    if not (blanks and is_named) or prod(len(blank.options) for blank in choices) > MOST_WHOLES:
        return
    most_first = [sorted(blank.options, key=lambda option: -(option.limit or 0)) for blank in choices]
    for options in product(*most_first):
        chosen = {blank.name: option for blank, option in zip(choices, options, strict=True)}
        values = {name: option.value for name, option in chosen.items()}
        if goes_together(form, values):
            words = button
            for name, option in chosen.items():
                words = words.replace(f"{{{name}}}", say(option.label))
            yield words, f"{form.type}{WHOLE}{urlencode(values)}"


def _button(question: Question, form: ActionForm, say: Say) -> str:
    """What the button of a way says; what is settled in it stands there already."""
    words = _say_or_empty(form.button, say)
    for blank in form.fields:
        if is_settled(question, blank):
            words = words.replace(f"{{{blank.name}}}", say(blank.options[0].label))
    return words


def _field(question: Question, form: ActionForm, field: Field, say: Say, typed: Posted, hints: Posted) -> FieldItem:
    name = f"{form.type}-{field.name}"
    is_amounts, is_only = isinstance(field, Amounts), is_settled(question, field)
    suggested = hints.get(field.name, hints.get(name, ""))
    taken = {
        other.options[0].value
        for other in form.fields
        if other is not field and field.distinct and other.distinct == field.distinct and is_settled(question, other)
    }
    items = [
        (
            _say_or_empty(option.group, say),
            _amount(name, option, say, typed, suggested)
            if is_amounts
            else _radio(
                name, option, say, typed, suggested, is_only=is_only, bars=bars_in_words(form, field, option, say)
            ),
        )
        for option in field.options
        if option.value not in taken
    ]
    item = FieldItem(name, say(field.label), _grouped(items))
    if not isinstance(field, Amounts):
        return item
    same_as = f"{form.type}-{field.same_as}" if field.same_as else ""
    return replace(item, total=field.total, least=field.fewest, same_as=same_as, sum=sum_in_words(form, field, say))


def sum_in_words(form: ActionForm, field: Amounts, say: Say) -> str:
    """How much a field of amounts makes together."""
    for other in form.fields:
        if other.name == field.same_as:
            return _("as much in all as for: %(field)s") % {"field": say(other.label)}
    if field.least is not None:
        return _("%(least)d to %(total)d in all") % {"least": field.least, "total": field.total}
    return _("%(total)d in all") % {"total": field.total}


def _radio(
    name: str, option: Option, say: Say, typed: Posted, suggested: str, *, is_only: bool, bars: str
) -> OptionItem:
    value = str(option.value)
    return OptionItem(
        name=name,
        value=value,
        label=say(option.label),
        hint=_say_or_empty(option.hint, say),
        bars=bars,
        barred=" ".join(map(str, option.bars)),
        is_chosen=is_only or typed.get(name) == value,
        is_settled=is_only,
        is_suggested=suggested == value,
    )


def bars_in_words(form: ActionForm, field: Field, option: Option, say: Say) -> str:
    """Says what cannot be chosen in other fields beside this option; if that is most of a field, what alone can be."""
    parts = []
    for other in form.fields if option.bars else ():
        if other is field or not isinstance(other, Choice):
            continue
        barred = [choice for choice in other.options if choice.value in option.bars]
        free = [choice for choice in other.options if choice.value not in option.bars]
        if barred and len(barred) <= len(free):
            parts.append(_("not with: %(options)s") % {"options": ", ".join(say(choice.label) for choice in barred)})
        elif barred:
            parts.append(_("only with: %(options)s") % {"options": ", ".join(say(choice.label) for choice in free)})
    return "; ".join(parts)


def _amount(name: str, option: Option, say: Say, typed: Posted, suggested: str) -> OptionItem:
    value = str(option.value)
    return OptionItem(
        name=f"{name}-{value}",
        value=value,
        label=say(option.label),
        hint=_say_or_empty(option.hint, say),
        limit=option.limit,
        is_suggested=suggested == value,
        typed=typed.get(f"{name}-{value}", "")[:4],
    )


def _grouped(items: Iterable[tuple[str, OptionItem]]) -> list[OptionGroup]:
    """Groups in the order of their first option; a suggested option, and with it its group, comes first."""
    groups: dict[str, OptionGroup] = {}
    for label, item in sorted(items, key=lambda pair: not pair[1].is_suggested):
        groups.setdefault(label, OptionGroup(label)).options.append(item)
    return list(groups.values())
