"""Giving, changing and ending the standing orders of a seat; every change is a move, by `game_moves.instruct`."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from msgspec.structs import replace

from engine.core import IllegalAction
from engine.orders import checking
from engine.orders.answers import passing_last
from engine.orders.model import CancelOrders, Order, OrderMove, SetOrders
from games.errors import Conflict, Illegal, Quarantined, ServiceError
from games.people.models import User
from games.play import decisions, game_moves, order_dates
from games.play.locking import Table
from games.play.models import Move, OrderDate
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
    wanted, made, tags = dates or {}, list[Order](), list[str]()

    def run(table: Table) -> OrderMove:
        sheet = table.rules.orders(table.state, seat)
        made[:] = change(list(sheet.orders))
        tags[:] = _tags(made, sheet.last)
        return SetOrders(made)

    def ends() -> list[datetime | None]:
        return [wanted.get(order.id) for order in made]

    try:
        return _instruct(game_id, seat, run, source, now, actor, ends, idempotency_key)
    except Illegal as error:
        raise _by_tag(error, tags, Game.objects.get(pk=game_id)) from error


def _tags(orders: Iterable[Order], last: int) -> list[str]:
    """The tag of each order; of new ones the tag they would get."""
    found = []
    for order in orders:
        last += not order.id
        found.append(order.tag or str(last))
    return found


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
        order_dates.store(table.rules, table.state, table.seats[seat], dates() if callable(dates) else dates, now)

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
        replace(order, id=known.id) if known.id == number else known for known in _having(orders, number)
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
        one = [order for order in orders if order.id == number]
        return [*one, *rest] if is_first else [*rest, *one]

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
    try:
        _cancel(row.seat.game_id, row.seat.number, [row.order], order_dates.ON_DATE, now)
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
        _cancel(game_id, seat, ids, ON_RETURN, now)


def seat_changed_hands(*, game_id: int, seat: int, now: datetime) -> None:
    """Ends all orders and plans of a seat: its new player must neither be bound by them nor read them."""
    game = Game.objects.get(pk=game_id)
    if game.status != Game.Status.RUNNING:
        return
    sheet = game.rules.orders(game.load_state(), seat)
    if sheet.is_active or sheet.given or sheet.planned:
        _instruct(game_id, seat, lambda table: CancelOrders([], OTHER_HANDS), Move.Source.ADVANCE, now, None, ())


def _cancel(game_id: int, seat: int, ids: Iterable[str], why: str, now: datetime) -> None:
    move = CancelOrders(list(ids), why)
    game_moves.instruct(game_id=game_id, seat=seat, change=lambda table: move, source=Move.Source.ADVANCE, now=now)
