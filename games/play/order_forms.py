"""A seat's orders as its player reads them: in words, with what they would do now. For nobody else."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.core import ActionForm, Choice, Text
from engine.orders.answers import PASSING_ORDER
from engine.orders.model import Entry, Order, OrderKind
from engine.orders.running import OrderForecast
from engine.orders.sentences import in_one
from games.people import speech
from games.play import queries
from games.play.keywords import Keyword, word
from games.play.queries import Access
from games.tables.models import Game

Say: TypeAlias = Callable[[Text], str]


@dataclass(frozen=True)
class OrderItem:
    """An order in words. `tag` is what its player calls it."""

    tag: str
    order: Order
    line: str
    ends_at: datetime | None
    does: str  # "fires", "does not" or "depends"
    forecast: str


@dataclass(frozen=True)
class OrderBook:
    """The orders of one seat: those it has given, and the kinds it can give."""

    items: list[OrderItem]
    kinds: list[OrderKind]
    facts: list[ActionForm]
    say: Say

    def kind(self, name: str) -> OrderKind | None:
        """The kind of decision of that name."""
        return next((kind for kind in self.kinds if kind.name == name), None)


class Speaker(Protocol):
    """Puts texts of one game's rules into words."""

    def __call__(self, text: Text, language: str = ..., /) -> str:
        """Says a text in a language, by itself in that of the request."""


def say_for(game: Game) -> Speaker:
    """Words for the texts of this game's rules; what is said often is said once.

    The options of a sheet are hundreds, of which most say the same.
    """
    own = speech.current_language()
    names: list[str] | None = None
    said: dict[tuple[bytes, str], str] = {}

    def say(text: Text, language: str = own) -> str:
        nonlocal names
        key = msgspec.json.encode(text), language
        if key not in said:
            names = game.spoken_names() if names is None else names
            said[key] = game.rules.say(text, language, names)
        return said[key]

    return say


def can_give(access: Access) -> bool:
    """True if this person plays here and is waited for."""
    return access.seat is not None and access.game.status == Game.Status.RUNNING and access.seat.is_person


def order_book(access: Access) -> OrderBook:
    """The orders of this viewer's seat; only for one who `can_give` some."""
    game, number = access.game, access.number
    assert number is not None and access.seat is not None
    rules, view = game.rules, queries.view_of(access)
    sheet = queries.orders_of(access)
    forecasts = rules.dry_run(view, sheet)
    dates = dict(access.seat.order_dates.values_list("order", "ends_at"))

    book = empty_book(game, view)
    for order, forecast in zip(sheet.orders, forecasts, strict=True):
        book.items.append(_item(book, order, forecast, dates.get(order.id)))
    return book


def empty_book(game: Game, view: object) -> OrderBook:
    """What can be ordered from a view, without any orders."""
    return OrderBook([], game.rules.vocabulary.kinds(view), game.rules.vocabulary.facts(view), say_for(game))


def _item(book: OrderBook, order: Order, forecast: OrderForecast, ends_at: datetime | None) -> OrderItem:
    return OrderItem(
        tag=word(Keyword.PASSING) if order.id == PASSING_ORDER else order.tag,
        order=order,
        line=sentence(book, order, ends_at),
        ends_at=ends_at,
        does=forecast.does,
        forecast=forecast_words(forecast, book.facts, book.say),
    )


def sentence(book: OrderBook, order: Order, ends_at: datetime | None = None) -> str:
    """An order in one line. Written in a reply, or on the page of orders, the line gives the same order."""
    say, kind, if_ = book.say, book.kind(order.kind), word(Keyword.IF)
    label = say(kind.label) if kind else order.kind
    topics = {option.value: say(option.label) for option in kind.topics} if kind else {}
    where = [label, topics.get(order.topic, order.topic)] if order.topic else [label]
    answers = [in_words(kind.answers if kind else [], entry, say) for entry in order.answers]
    parts = [
        f"{', '.join(where)}: {f', {word(Keyword.OR)} '.join(answers) or word(Keyword.ASK)}",
        *(f"{if_} {in_words(book.facts, fact, say)}" for fact in order.conditions),
        *(f"{word(Keyword.STOP)} {if_} {in_words(book.facts, fact, say)}" for fact in order.stops),
        word(Keyword.STAYS) if order.stays else "",
        word(Keyword.EVEN_SO) if order.even_so else "",
        word(Keyword.ANY_PLAY) if order.any_play else "",
        _ends(order, ends_at),
    ]
    return "; ".join(part for part in parts if part)


def _ends(order: Order, ends_at: datetime | None) -> str:
    """When it ends by itself: on a date that is the last day on which it holds."""
    if order.until == "date" and ends_at is not None:
        return f"{word(Keyword.UNTIL)} {timezone.localtime(ends_at - timedelta(seconds=1)).date().isoformat()}"
    ends = {"round": word(Keyword.ROUND), "return": word(Keyword.RETURN), "date": _("until a date")}
    return ends.get(order.until, "")


def in_words(forms: Iterable[ActionForm], entry: Entry, say: Say) -> str:
    """An answer or a condition in one line; what is offered no more, such as a token that was placed, as it is."""
    form = next((form for form in forms if form.type == entry["type"]), None)
    if form is None:
        return ", ".join(str(value) for value in entry.values())
    parts = []
    for field in form.fields:
        unsaid = field.unsaid if isinstance(field, Choice) else None
        value = entry.get(field.name, unsaid)
        if value is not None and value == unsaid:
            continue  # as if nothing were said of it
        labels = {option.value: say(option.label) for option in field.options}
        if isinstance(field, Choice) or not isinstance(value, dict):
            parts.append(labels.get(value, str(value)) if isinstance(value, str | int) else str(value))
        else:
            parts += [f"{amount} {labels.get(name, name)}" for name, amount in value.items() if amount]
        if field.name == "value" and len(parts) > 1:  # "at least 2"
            parts[-2:] = [" ".join(parts[-2:])]
    label = say(form.label)
    return f"{label}: {', '.join(parts)}" if parts else label


def forecast_words(forecast: OrderForecast, facts: Iterable[ActionForm], say: Say) -> str:
    """A sentence that says what an order would do now, with the reason."""
    by = in_words(facts, forecast.by, say) if forecast.by else ""
    if forecast.does == "fires":
        return _("would answer now: %(answer)s") % {"answer": in_one(forecast.answer, say)}
    if forecast.does == "depends":
        return _("depends on what you cannot see: %(condition)s") % {"condition": by}
    return {
        "condition": _("would not answer now, because this isn't true: %(condition)s") % {"condition": by},
        "stopped": _("would stop now and ask you, because of: %(condition)s") % {"condition": by},
        "earlier": _("would not answer now: an order above it answers first"),
        "suspended": _("would ask you now, because someone has played a card since"),
        "told": _("would ask you now"),
        "unfit": _("would be dropped now: its answer isn't possible"),
        "not-asked": _("waiting: nothing like this is being asked now"),
    }[forecast.why]


def order_data(item: OrderItem) -> dict[str, object]:
    """An order in words as plain data, for the API."""
    order = {name: getattr(item.order, name) for name in Order.__struct_fields__}
    return {**order, "ends_at": item.ends_at, "does": item.does, "forecast": item.forecast}
