"""Standing orders of a seat: given, changed and ended, by page, API, reply or date; all of it by `play.instruct`."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from msgspec.structs import replace

from engine.core import IllegalAction
from engine.orders.model import CancelOrders, Order, OrderMove, SetOrders
from games.errors import Conflict, Illegal, Quarantined, ServiceError
from games.models import Game, Move, OrderDate, User
from games.services import decisions, order_dates, play
from games.services.play import Table

logger = logging.getLogger(__name__)
Edit = Callable[[list[Order]], list[Order]]
ON_RETURN = "return"


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
    """Gives a seat's orders, all of them; those that are kept come with their ids.

    Arguments:
        raw: {"orders": [...]} as JSON gives it; see `engine.orders.model.Order`.
        dates: when each order ends, for those whose `until` is "date".
    Raises Illegal with the number of the order and the reason, Conflict, Quarantined.
    """

    def change(table: Table) -> OrderMove:
        try:
            return table.rules.parse_orders(raw)
        except IllegalAction as error:
            raise Illegal(decisions.in_words(table.game, error.text)) from error

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
) -> Move:
    """Changes the orders as they are at this moment: adds one, moves one, takes one away.

    Arguments:
        dates: by id when orders end that are given one; "" for the new one.
    """
    wanted = dates or {}
    made: list[Order] = []

    def run(table: Table) -> OrderMove:
        made[:] = change(list(table.rules.orders(table.state, seat).orders))
        return SetOrders(made)

    def ends(order: Order) -> datetime | None:
        return wanted.get(order.id)

    return _instruct(game_id, seat, run, source, now, actor, lambda: [ends(order) for order in made])


def _instruct(
    game_id: int,
    seat: int,
    change: Callable[[Table], OrderMove],
    source: str,
    now: datetime,
    actor: User | None,
    dates: Sequence[datetime | None] | Callable[[], Sequence[datetime | None]],
) -> Move:
    def after(table: Table) -> None:
        order_dates.keep(table.rules, table.state, table.seats[seat], dates() if callable(dates) else dates, now)

    return play.instruct(game_id=game_id, seat=seat, change=change, source=source, now=now, actor=actor, after=after)


def added(order: Order) -> Edit:
    """Puts an order behind all others."""
    return lambda orders: [*orders, order]


def replaced(number: str, order: Order) -> Edit:
    """Puts an order in the place of the one with that id; it counts as newly given."""
    return lambda orders: [
        replace(order, id=known.id) if known.id == number else known for known in _having(orders, number)
    ]


def removed(number: str) -> Edit:
    """Takes the order with that id away."""
    return lambda orders: [order for order in _having(orders, number) if order.id != number]


def moved(number: str, step: int) -> Edit:
    """Moves the order with that id up (-1) or down (+1); at the end of the list it stays where it is."""

    def change(orders: list[Order]) -> list[Order]:
        place = next(place for place, order in enumerate(_having(orders, number)) if order.id == number)
        other = min(max(place + step, 0), len(orders) - 1)
        orders[place], orders[other] = orders[other], orders[place]
        return orders

    return change


def _having(orders: list[Order], number: str) -> list[Order]:
    """The orders, if one has that id. Raises Conflict: it may just have answered."""
    if not any(order.id == number for order in orders):
        raise Conflict(_("This order is gone: it has answered, or ended, in the meantime."))
    return orders


# They end by themselves


def end_one(now: datetime) -> bool:
    """Ends one order whose date has come. Returns whether there was one."""
    rows = OrderDate.objects.filter(ends_at__lte=now, seat__game__quarantined_at__isnull=True)
    row = rows.select_related("seat").order_by("ends_at").first()
    if row is None:
        return False
    try:
        _cancel(row.seat.game_id, row.seat.number, [row.order], order_dates.ON_DATE, now)
    except Quarantined:
        return True  # its date comes again when the game is repaired
    except ServiceError as error:
        logger.info("Order %s of seat %s ended with its game: %s", row.order, row.seat, error.code)
    row.delete()
    return True


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
    """Ends all orders of a seat: whoever sits down there does not read what his predecessor had in mind."""
    game = Game.objects.get(pk=game_id)
    orders = game.rules.orders(game.load_state(), seat).orders if game.status == Game.Status.RUNNING else []
    if orders:
        play.instruct(game_id=game_id, seat=seat, change=lambda table: SetOrders(), source=Move.Source.ADVANCE, now=now)


def _cancel(game_id: int, seat: int, ids: Iterable[str], why: str, now: datetime) -> None:
    move = CancelOrders(list(ids), why)
    play.instruct(game_id=game_id, seat=seat, change=lambda table: move, source=Move.Source.ADVANCE, now=now)
