"""The REST API of standing orders: reading them with their dry run, and replacing all of them."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, READING, problems
from games.api.play.answering import acting_seat
from games.api.play.reading import Data, action_data, option_data
from games.api.play.serializers import ActionShape, OptionShape
from games.errors import Conflict
from games.play import queries, standing_orders
from games.play.models import Move
from games.play.order_forms import can_give, order_book, order_data
from games.play.queries import Access
from notifications.clock import present

UNTIL = [("", "until taken back"), ("round", "this round"), ("return", "until I answer myself"), ("date", "a date")]
ENTRIES = '[{"type": ..., and the fields of that form}]'


class OrderShape(DataSerializer):
    """One of your orders, and what it would do now as far as you can see."""

    id = serializers.CharField()
    kind = serializers.CharField(help_text="The kind of decision it answers.")
    topic = serializers.CharField(allow_blank=True, help_text="Where; empty for anywhere.")
    answers = serializers.ListField(child=serializers.DictField(), help_text="The first that is legal then is given.")
    conditions = serializers.ListField(child=serializers.DictField(), help_text="All must hold.")
    stops = serializers.ListField(child=serializers.DictField(), help_text="If one holds you are asked.")
    stays = serializers.BooleanField(help_text="Kept after it has answered.")
    even_so = serializers.BooleanField(help_text="Answers even if others show a card before that touches it.")
    any_play = serializers.BooleanField(
        help_text="Asks you once others show any card, even one that does not touch it."
    )
    until = serializers.ChoiceField(UNTIL)
    ends_at = serializers.DateTimeField(allow_null=True)
    does = serializers.ChoiceField(["fires", "does not", "depends"], help_text="What it would do now.")
    forecast = serializers.CharField(help_text="The same in words, with the reason.")


class OrderKindShape(DataSerializer):
    """A kind of decision that can be answered in advance."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    is_unasked = serializers.BooleanField(help_text="Nobody asks: it acts as soon as its conditions hold.")
    topics = OptionShape(many=True)
    answers = ActionShape(many=True)


class OrderBookShape(DataSerializer):
    """Your orders, and everything they can be made of."""

    orders = OrderShape(many=True)
    kinds = OrderKindShape(many=True)
    facts = ActionShape(many=True)


class OrderBody(Body):
    """One order."""

    example = {
        "id": ...,
        "topic": ...,
        "answers": [{"type": "place", "token": 9, "space": "cave-gold"}],
        "conditions": [{"type": "others", "space": "cave-gold", "is": "at_most", "value": 0}],
        "stops": [],
        "ends_at": ...,
    }
    id = serializers.CharField(default="", allow_blank=True, max_length=12, help_text="Of an order you keep.")
    kind = serializers.CharField(max_length=40)
    topic = serializers.CharField(default="", allow_blank=True, max_length=40)
    answers = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    conditions = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    stops = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    stays = serializers.BooleanField(default=False)
    even_so = serializers.BooleanField(default=False)
    any_play = serializers.BooleanField(default=False)
    until = serializers.ChoiceField(UNTIL, default="", allow_blank=True)
    ends_at = serializers.DateTimeField(default=None, allow_null=True, help_text='With until "date" only.')


class OrdersBody(Body):
    """All your orders, in the order in which they are tried; those left out are gone."""

    orders = serializers.ListField(child=OrderBody(), max_length=100)


def without_dates(orders: list[Data]) -> Data:
    """Removes the dates, which the rules do not know."""
    return {"orders": [{name: value for name, value in order.items() if name != "ends_at"} for order in orders]}


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


def _data(access: Access) -> Data:
    acting_seat(access)
    if not can_give(access):
        raise Conflict(_("Only players in a running game can give orders."))
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
