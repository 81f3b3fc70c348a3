"""The dates on which standing orders end. The service stores them: the rules know no dates."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from engine.registry import AnyRules
from games.errors import Illegal
from games.play.models import OrderDate
from games.tables.models import Game
from games.tables.seats import Seat

ON_DATE = "date"


def store(rules: AnyRules, state: object, seat: Seat, dates: Sequence[datetime | None], now: datetime) -> None:
    """Stores when a seat's orders end; dates of orders that are gone or end otherwise are deleted.

    Arguments:
        dates: in the order of the seat's orders; None, or missing, to keep the date that is stored.
    Raises Illegal for an order that ends on a date nobody gave, or on one that has passed.
    """
    orders = rules.orders(state, seat.number).orders
    dated = {order.id for order in orders if order.until == ON_DATE}
    seat.order_dates.exclude(order__in=dated).delete()
    known = set(seat.order_dates.values_list("order", flat=True))
    for place, order in enumerate(orders):
        ends_at = dates[place] if place < len(dates) else None
        if order.id not in dated or (ends_at is None and order.id in known):
            continue
        if ends_at is None:
            raise Illegal(_("Order %(number)s: choose the date it ends.") % {"number": order.tag})
        if ends_at <= now:
            raise Illegal(_("Order %(number)s: that date has passed.") % {"number": order.tag})
        OrderDate.objects.update_or_create(seat=seat, order=order.id, defaults={"ends_at": ends_at})


def delete_all(game: Game) -> None:
    """Deletes the dates of a game: all its orders have ended."""
    OrderDate.objects.filter(seat__game=game).delete()
