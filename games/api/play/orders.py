"""Standing orders by API: read with their dry run, and given all at once."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import checked
from games.api.base.schema import CHANGING, READING, problems
from games.api.play.answering import acting_seat
from games.api.play.order_shapes import OrderBookShape, OrdersBody, without_dates
from games.api.play.reading import action_data, option_data
from games.api.play.resources import Resource, person
from games.errors import Conflict
from games.models import Move
from games.orders import standing_orders
from games.orders.order_forms import can_give, order_book, order_data
from games.play import queries
from games.play.queries import Access
from notifications.clock import present


class Orders(Resource):
    """The orders of your seat."""

    is_for_bots = True

    @extend_schema(operation_id="read_orders", responses={200: OrderBookShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """Your orders with what they would do now, and everything that can be ordered. Nobody else sees them."""
        access = queries.access_seat(person(request), ref)
        return Response(OrderBookShape(_data(access)).data)

    @extend_schema(
        operation_id="give_orders", request=OrdersBody, responses={200: OrderBookShape, **problems(*CHANGING)}
    )
    def put(self, request: Request, ref: str) -> Response:
        """Gives your orders, all of them. Send those you keep with their `id`; nothing open already is answered."""
        access = queries.access_seat(person(request), ref)
        given = checked(OrdersBody, request)["orders"]
        seat = acting_seat(access)
        standing_orders.give(
            game_id=access.game.pk,
            seat=seat.number,
            raw=without_dates(given),
            source=Move.Source.API,
            now=present.now(),
            actor=seat.user,
            dates=[order["ends_at"] for order in given],
        )
        return Response(OrderBookShape(_data(queries.access_seat(person(request), ref))).data)


def _data(access: Access) -> dict[str, Any]:
    acting_seat(access)
    if not can_give(access):
        raise Conflict(_("Orders can be given in a running game by those who play in it."))
    book = order_book(access)
    return {
        "orders": [order_data(item) for item in book.items],
        "kinds": [
            {
                "name": kind.name,
                "label": book.say(kind.label),
                "is_unasked": kind.is_unasked,
                "topics": [option_data(book.say, option) for option in kind.topics],
                "answers": [action_data(book.say, form) for form in kind.answers],
            }
            for kind in book.kinds
        ],
        "facts": [action_data(book.say, form) for form in book.facts],
    }
