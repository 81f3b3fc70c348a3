"""The forms of orders: answers and conditions are put together from the same fields as answers to questions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from engine.core import ActionForm, Choice, Decision, Option, Question
from engine.orders.model import Order
from engine.orders.vocabulary import OrderKind
from games.orders.order_forms import OrderBook, Say
from games.orders.standing_orders import end_of_day
from games.web.answers.posted_answer import decode
from games.web.answers.question_form import WAY, Posted, WayItem, question_item

ANSWER, CONDITION, STOP = "answer.", "if.", "stop."
"""Before the names of the inputs: several of these forms may stand on one page."""

UNTIL = ("", "round", "return", "date")


@dataclass(frozen=True)
class EntryForm:
    """One answer or condition to put together: `prefix` stands before every name of its inputs."""

    prefix: str
    ways: list[WayItem]
    is_optional: bool


def entry_form(forms: list[ActionForm], prefix: str, say: Say, posted: Posted, *, is_optional: bool) -> EntryForm:
    """The form, with what was posted and refused filled in again."""
    item = question_item(_question(forms), say, typed=_stripped(posted, prefix))
    return EntryForm(prefix, item.ways, is_optional)


def read_entry(
    forms: list[ActionForm], prefix: str, say: Say, posted: Posted
) -> tuple[dict[str, object] | None, list[str]]:
    """The answer or condition that was chosen, or what is missing in words; (None, []) if nothing was chosen."""
    own = {name: value for name, value in _stripped(posted, prefix).items() if value.strip()}
    if not own:
        return None, []
    decoded = decode(_unsaid(forms, own) | own, _question(forms), say)
    return decoded.action, decoded.messages


def _unsaid(forms: list[ActionForm], posted: Mapping[str, str]) -> dict[str, str]:
    """The values that the game gives to fields left empty."""
    begun = [one for one in forms if posted.get(WAY) == one.type or any(n.startswith(f"{one.type}-") for n in posted)]
    fields = [(form, field) for form in begun for field in form.fields if isinstance(field, Choice)]
    return {f"{form.type}-{field.name}": str(field.unsaid) for form, field in fields if field.unsaid is not None}


def _question(forms: list[ActionForm]) -> Question:
    label = forms[0].label
    return Question(Decision("", 0, ""), label, forms, label)


def _stripped(posted: Posted, prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): value for name, value in posted.items() if name.startswith(prefix)}


@dataclass(frozen=True)
class Typed:
    """An order as it was typed, and the date on which it ends; or what is wrong with it in words."""

    order: Order
    ends_at: datetime | None
    messages: list[str]


def read_order(book: OrderBook, kind: OrderKind, posted: Posted) -> Typed:
    """A new order of a kind, from the form that has one answer, one condition and one reason to stop."""
    answer, messages = read_entry(kind.answers, ANSWER, book.say, posted)
    condition, wrong = read_entry(book.facts, CONDITION, book.say, posted)
    stop, also_wrong = read_entry(book.facts, STOP, book.say, posted)
    order = Order(
        kind=kind.name,
        answers=[answer] if answer else [],
        conditions=[condition] if condition else [],
        stops=[stop] if stop else [],
    )
    settled = read_settings(order, posted)
    if answer is None and not messages and posted.get("ask") != "yes":
        messages = [_("Choose an answer, or tick that it should ask you.")]
    return Typed(settled.order, settled.ends_at, [*messages, *wrong, *also_wrong, *settled.messages])


def read_settings(order: Order, posted: Posted) -> Typed:
    """The order with place, end and the rest as they were typed."""
    until = posted.get("until", "")
    ends_at, messages = None, list[str]()
    if until not in UNTIL:
        messages.append(_("Choose how long the order holds."))
        until = ""
    if until == "date":
        ends_at = end_of_day(posted.get("date", ""))
        if ends_at is None:
            messages.append(_("Give the date as year, month and day, such as 2026-12-24."))
    settled = Order(
        id=order.id,
        kind=order.kind,
        answers=order.answers,
        topic=posted.get("topic", "")[:40],
        conditions=order.conditions,
        stops=order.stops,
        stays=posted.get("stays") == "yes",
        even_so=posted.get("even_so") == "yes",
        until=until,  # type: ignore[arg-type]  # one of UNTIL
    )
    return Typed(settled, ends_at, messages)


def labelled(options: Iterable[Option], say: Say) -> list[tuple[str, str]]:
    """Options as (value, label)."""
    return [(str(option.value), say(option.label)) for option in options]
