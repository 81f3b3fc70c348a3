"""Orders as programs see and send them."""

from typing import Any

from rest_framework import serializers

from games.api.base.parsing import Body
from games.api.play.serializers import ActionShape, DataSerializer, OptionShape

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
    even_so = serializers.BooleanField(help_text="Answers even if others show a play before.")
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

    id = serializers.CharField(default="", allow_blank=True, max_length=12, help_text="Of an order you keep.")
    kind = serializers.CharField(max_length=40)
    topic = serializers.CharField(default="", allow_blank=True, max_length=40)
    answers = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    conditions = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    stops = serializers.ListField(child=serializers.DictField(), default=list, help_text=ENTRIES)
    stays = serializers.BooleanField(default=False)
    even_so = serializers.BooleanField(default=False)
    until = serializers.ChoiceField(UNTIL, default="", allow_blank=True)
    ends_at = serializers.DateTimeField(default=None, allow_null=True, help_text='With until "date" only.')


class OrdersBody(Body):
    """All your orders, in the order in which they are tried; those left out are gone."""

    orders = serializers.ListField(child=OrderBody(), max_length=100)


def without_dates(orders: list[dict[str, Any]]) -> dict[str, Any]:
    """The same as the rules read it; dates are the service's."""
    return {"orders": [{name: value for name, value in order.items() if name != "ends_at"} for order in orders]}
