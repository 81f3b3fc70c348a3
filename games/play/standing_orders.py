"""Giving, changing and ending the standing orders of a seat; every change is a move, by `game_moves.instruct`."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Protocol, TypeAlias

import msgspec
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from msgspec.structs import replace

from engine.core import ActionForm, Choice, IllegalAction, Text
from engine.orders import checking
from engine.orders.answers import PASSING_ORDER, passing_last
from engine.orders.model import CancelOrders, Entry, Order, OrderKind, OrderMove, SetOrders
from engine.orders.running import OrderForecast
from engine.orders.sentences import in_one
from games.errors import Conflict, Illegal, Quarantined, ServiceError
from games.people import speech
from games.people.models import User
from games.play import decisions, game_moves, queries
from games.play.keywords import Keyword, word
from games.play.locking import Table
from games.play.models import Move, OrderDate
from games.play.queries import Access
from games.tables.models import Game, by_known_rules
from notifications.database.compiled_query import compiled

logger = logging.getLogger(__name__)
Edit = Callable[[list[Order]], list[Order]]
ON_RETURN = "return"
OTHER_HANDS = "hands"


def give(
    *,
    game_id: int,
    seat: int,
    raw: object,
    source: str,
    now: datetime,
    actor: User | None = None,
    dates: Sequence[datetime | None] = (),
) -> Move:
    """Replaces all orders of a seat; orders that stay are given with their ids.

    Arguments:
        raw: {"orders": [...]} as JSON gives it; see `engine.orders.model.Order`.
        dates: when each order ends, for those whose `until` is "date".
    Raises Illegal with the number of the order and the reason, Conflict, Quarantined.
    """

    def change(table: Table) -> OrderMove:
        try:
            return checking.parse(raw)
        except IllegalAction as error:
            raise Illegal(decisions.render_text(table.game, error.text)) from error

    return _instruct(game_id, seat, change, source, now, actor, dates)


def edit(
    *,
    game_id: int,
    seat: int,
    change: Edit,
    source: str,
    now: datetime,
    actor: User | None = None,
    dates: Mapping[str, datetime] | None = None,
    idempotency_key: str = "",
) -> Move:
    """Changes the current orders of a seat: adds, moves or removes some.

    Arguments:
        dates: when orders end, by their id; "" for new ones.
    Raises as `give`; in the reason an order is named by the number its player knows it by.
    """
    wanted, changed, tags = dates or {}, list[Order](), list[str]()

    def run(table: Table) -> OrderMove:
        sheet = table.rules.orders(table.state, seat)
        changed[:] = change(list(sheet.orders))
        tags[:] = _tags(changed, sheet.last)
        return SetOrders(changed)

    def ends() -> list[datetime | None]:
        return [wanted.get(order.id) for order in changed]

    try:
        return _instruct(game_id, seat, run, source, now, actor, ends, idempotency_key)
    except Illegal as error:
        raise _by_tag(error, tags, Game.objects.get(pk=game_id)) from error


def _tags(orders: Iterable[Order], last: int) -> list[str]:
    """The tag of each order; of new ones the tag they would get."""
    tags = []
    for order in orders:
        last += not order.id
        tags.append(order.tag or str(last))
    return tags


def _by_tag(error: Illegal, tags: Sequence[str], game: Game) -> Illegal:
    """The refusal of the rules with the player's tags instead of the places by which the rules count orders."""
    if not isinstance(error.__cause__, IllegalAction):
        return error
    text = error.__cause__.text
    named = {name: tags[text.params[name] - 1] for name in ("number", "first", "second") if name in text.params}
    return Illegal(decisions.render_text(game, replace(text, params={**text.params, **named})))


def _instruct(
    game_id: int,
    seat: int,
    change: Callable[[Table], OrderMove],
    source: str,
    now: datetime,
    actor: User | None,
    dates: Sequence[datetime | None] | Callable[[], Sequence[datetime | None]],
    idempotency_key: str = "",
) -> Move:
    def after(table: Table) -> None:
        game_moves.store_order_dates(
            table.rules, table.state, table.seats[seat], dates() if callable(dates) else dates, now
        )

    return game_moves.instruct(
        game_id=game_id,
        seat=seat,
        change=change,
        source=source,
        now=now,
        actor=actor,
        after=after,
        idempotency_key=idempotency_key,
    )


def added(*new: Order) -> Edit:
    """Appends orders, before the one that always passes."""
    return lambda orders: passing_last([*orders, *new])


def replaced(number: str, order: Order) -> Edit:
    """Replaces the order with that id; the new one counts as newly given."""
    return lambda orders: [
        replace(order, id=entry.id) if entry.id == number else entry for entry in _having(orders, number)
    ]


def removed(*numbers: str) -> Edit:
    """Removes the orders with these ids."""

    def change(orders: list[Order]) -> list[Order]:
        for number in numbers:
            orders = [order for order in _having(orders, number) if order.id != number]
        return orders

    return change


def cleared(orders: list[Order]) -> list[Order]:
    """Removes all orders."""
    return []


def moved(number: str, step: int) -> Edit:
    """Moves the order with that id up (-1) or down (+1), if it is not at that end already."""

    def change(orders: list[Order]) -> list[Order]:
        place = next(place for place, order in enumerate(_having(orders, number)) if order.id == number)
        other = min(max(place + step, 0), len(orders) - 1)
        orders[place], orders[other] = orders[other], orders[place]
        return orders

    return change


def moved_to_end(number: str, *, is_first: bool) -> Edit:
    """Moves the order with that id to the start or the end."""

    def change(orders: list[Order]) -> list[Order]:
        rest = [order for order in _having(orders, number) if order.id != number]
        matches = [order for order in orders if order.id == number]
        return [*matches, *rest] if is_first else [*rest, *matches]

    return change


def end_of_day(typed: str) -> datetime | None:
    """The end of that day where the player is; None for a day that does not exist."""
    try:
        day = parse_date(typed.strip())
        return timezone.make_aware(datetime.combine(day + timedelta(days=1), time())) if day else None
    except (ValueError, OverflowError):
        return None


def _having(orders: list[Order], number: str) -> list[Order]:
    """Returns the orders. Raises Conflict if none has that id: it may just have answered."""
    if not any(order.id == number for order in orders):
        raise Conflict(_("This order no longer exists: it has been used or has ended in the meantime."))
    return orders


# Orders that end by themselves


def end_one(now: datetime) -> bool:
    """Ends one order whose date has come. Returns whether there was one."""
    row = next(iter(_to_end(now)), None)
    if row is None:
        return False

    def cancel(_table: Table) -> CancelOrders:
        if not OrderDate.objects.filter(pk=row.pk).delete()[0]:  # the game is locked: another worker was here before
            raise Conflict(_("This order no longer exists: it has been used or has ended in the meantime."))
        return CancelOrders([row.order], game_moves.ON_DATE)

    game, seat = row.seat.game_id, row.seat.number
    try:
        game_moves.instruct(game_id=game, seat=seat, change=cancel, source=Move.Source.ADVANCE, now=now)
    except Quarantined:
        return True  # tried again when the game is repaired
    except ServiceError as error:
        logger.info("Order %s of seat %s ended with its game: %s", row.order, row.seat, error.code)
        row.delete()
    return True


@compiled("seat")
def _to_end(now: datetime) -> QuerySet[OrderDate]:
    rows = OrderDate.objects.filter(
        by_known_rules("seat__game__"), ends_at__lte=now, seat__game__quarantined_at__isnull=True
    )
    return rows.order_by("ends_at")[:1]


def player_is_back(*, game_id: int, seat: int, now: datetime) -> None:
    """Ends the orders that were to answer until the player is back."""
    game = Game.objects.get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        return
    orders = game.rules.orders(game.load_state(), seat).orders
    ids = [order.id for order in orders if order.until == ON_RETURN]
    if ids:
        cancel = CancelOrders(ids, ON_RETURN)
        game_moves.instruct(
            game_id=game_id, seat=seat, change=lambda table: cancel, source=Move.Source.ADVANCE, now=now
        )


def seat_changed_hands(*, game_id: int, seat: int, now: datetime) -> None:
    """Ends all orders and plans of a seat: its new player must neither be bound by them nor read them."""
    game = Game.objects.get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        return
    sheet = game.rules.orders(game.load_state(), seat)
    if sheet.is_active or sheet.given or sheet.planned:
        _instruct(game_id, seat, lambda table: CancelOrders([], OTHER_HANDS), Move.Source.ADVANCE, now, None, ())


# A seat's orders as its player reads them: in words, with what they would do now. For nobody else.

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
    """Returns the orders that a view allows, with none given."""
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


def in_words(forms: Iterable[ActionForm], entry: Entry, say: Say, *, is_read: bool = False) -> str:
    """An answer or a condition in one line; what is offered no more, such as a token that was placed, as it is.

    Arguments:
        is_read: by people alone: amounts are said as one speaks, which no line of orders is written with.
    """
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
            given = {name: amount for name, amount in value.items() if amount}
            parts += [
                say(Text("counted", {"counted": {"counted": [name, amount]}}))
                if is_read and name in labels
                else f"{amount} {labels.get(name, name)}"
                for name, amount in given.items()
            ]
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
        return _("depends on what you can't see: %(condition)s") % {"condition": by}
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
