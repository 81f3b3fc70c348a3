"""Events of a rule set with orders, and what is put into words: what is the game's own goes on to the game."""

from collections.abc import Iterable, Sequence
from copy import copy

import msgspec

from engine.core import Seat, Text
from engine.core.branches import Branched
from engine.core.recaps import RecapLine
from engine.orders import gatherings
from engine.orders.actions import InnerRules
from engine.orders.model import OrderDropped, OrderEvent, OrderFired, OrderHeld, SeatView
from engine.orders.words import recaps, sentences

EVENTS = (OrderFired, OrderHeld, OrderDropped)
_event: msgspec.json.Decoder[OrderEvent | Branched] = msgspec.json.Decoder(OrderEvent | Branched)
_MARKS = (b'{"type":"Order', b'{"type":"Branched')


class EventsAndWords:
    """The part of a rule set with orders that changes no state. Methods as in `OrderedRules`."""

    def __init__(self, rules: InnerRules) -> None:
        self.inner = rules

    def recap(self, seen: Iterable[object], reader: Seat | None) -> list[RecapLine]:
        """What these events come to, and what orders have done."""
        return recaps.recap(self.inner, seen, reader)

    def redact(self, event: object, seat: Seat | None) -> object:
        """What happens to an order is its own seat's."""
        if isinstance(event, EVENTS):
            return event if event.seat == seat else None
        if isinstance(event, Branched):
            return event
        return self.inner.redact(event, seat)

    def describe(self, view: SeatView, language: str, names: Sequence[str]) -> str:
        """The whole board as plain text; a plan that is asked is told in our sentences."""
        plans = [question for question in view.questions if gatherings.is_gathering(question.decision)]
        if not plans:
            return self.inner.describe(view, language, names)
        board = self.inner.describe(_without_plans(view), language, names)
        asked = sentences.question_text(plans[0], lambda text: self.say(text, language, names))
        return f"{board.rstrip()}\n\n{asked}\n"

    def say(self, text: object, language: str, names: Sequence[str]) -> str:
        """A sentence or an event in words."""
        if isinstance(text, (*EVENTS, Branched)) or (isinstance(text, Text) and text.code.startswith(sentences.PREFIX)):
            return sentences.say(text, language, lambda inner: self.say(inner, language, names))
        return self.inner.say(text, language, names)

    def dump_events(self, events: Sequence[object]) -> bytes:
        """Events as a JSON list."""
        return msgspec.json.encode(events)

    def load_events(self, data: bytes) -> list[object]:
        """The events of a `dump_events`."""
        if not any(mark in data for mark in _MARKS):
            return self.inner.load_events(data)
        return [
            _event.decode(raw) if bytes(raw).startswith(_MARKS) else self.inner.load_events(b"[%b]" % bytes(raw))[0]
            for raw in msgspec.json.decode(data, type=list[msgspec.Raw])
        ]


def _without_plans(view: SeatView) -> SeatView:
    shown = copy(view)
    shown.questions = [question for question in view.questions if not gatherings.is_gathering(question.decision)]
    return shown
