"""A rule set whose seats may give orders: goes around the rules of any game, and lets orders answer after each step."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import msgspec

from engine.core import ActionForm, IllegalAction, Rules, Seat, Text
from engine.orders import checking, words
from engine.orders.dryrun import Forecast, dry_run
from engine.orders.model import (
    CancelOrders,
    OrderDropped,
    OrderEvent,
    OrderFired,
    OrderHeld,
    OrderMove,
    SetOrders,
    Sheet,
)
from engine.orders.running import AnyInner, Run, key_of, sheets_of
from engine.orders.vocabulary import OrderKind, Vocabulary

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")

EVENTS = (OrderFired, OrderHeld, OrderDropped)
_event: msgspec.json.Decoder[OrderEvent] = msgspec.json.Decoder(OrderEvent)
_MARK = b'{"type":"Order'
Stepped: TypeAlias = tuple[Any, list[Any]]


class OrderedRules(Rules[S, A, E, V], Protocol[S, A, E, V]):
    """A rule set in which seats may give orders.

    Its states have a field `orders` (a list of `Sheet` by seat, or UNSET), which no view shows.
    """

    def orders(self, state: S, seat: Seat) -> Sheet:
        """The orders of a seat: for its own eyes only."""

    def order_kinds(self, view: V) -> list[OrderKind]:
        """The kinds of decision that can be answered in advance, with every way to."""

    def order_facts(self, view: V) -> list[ActionForm]:
        """What an order may depend on."""

    def dry_run(self, view: V, sheet: Sheet) -> list[Forecast]:
        """What these orders would do now, as far as the seat can see."""

    def parse_orders(self, raw: object) -> SetOrders:
        """Orders in what JSON gives. Raises IllegalAction, with the path."""

    def instruct(self, state: S, seat: Seat, move: OrderMove) -> tuple[S, list[E]]:
        """Gives or cancels orders of a seat; nobody else can tell. Nothing that is open already is answered by it.

        Raises IllegalAction for orders that cannot be meant, with the number of the order.
        """

    def dump_orders(self, move: OrderMove) -> bytes:
        """The move as JSON."""

    def load_orders(self, data: bytes) -> OrderMove:
        """The move of a `dump_orders`."""


class WithOrders:
    """Rules and the vocabulary of their game. Methods as in `OrderedRules`; what is not here the rules do alone."""

    def __init__(self, rules: AnyInner, vocabulary: Vocabulary[Any]) -> None:
        self.inner = rules
        self.vocabulary = vocabulary

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    # Steps of the game, after which orders are carried out

    def apply(self, state: Any, decision: str, seat: Seat, action: Any) -> Stepped:
        """Answers a decision, then lets orders answer what that has opened.

        Whoever answers has seen what was shown until now: it suspends his orders no more. So does an answer that is
        given for him: the table does not wait twice for the same play.
        """
        asked = {key_of(known) for known in self.inner.decisions(state)}
        after, events = self.inner.apply(state, decision, seat, action)
        if sheets_of(after):
            sheets_of(after)[seat].plays = 0
        return self._run_on(after, events, asked)

    def advance(self, state: Any) -> Stepped:
        """Crosses the phase boundary, then lets orders answer."""
        after, events = self.inner.advance(state)
        return self._run_on(after, events, set())

    def resign(self, state: Any, seat: Seat) -> Stepped:
        """Marks the seat as resigned; its orders end with it."""
        after, events = self.inner.resign(state, seat)
        if sheets_of(after):
            sheets_of(after)[seat].orders = []
        return after, events

    def _run_on(self, state: Any, events: list[Any], known: set[tuple[str, Seat]]) -> Stepped:
        run = Run(self.inner, self.vocabulary, state, events, known)
        run.run()
        return run.state, run.events

    # Orders

    def orders(self, state: Any, seat: Seat) -> Sheet:
        """The orders of a seat."""
        sheets = sheets_of(state)
        return sheets[seat] if sheets else Sheet()

    def order_kinds(self, view: Any) -> list[OrderKind]:
        """The kinds of decision that can be answered in advance."""
        return self.vocabulary.kinds(view)

    def order_facts(self, view: Any) -> list[ActionForm]:
        """What an order may depend on."""
        return self.vocabulary.facts(view)

    def dry_run(self, view: Any, sheet: Sheet) -> list[Forecast]:
        """What these orders would do now."""
        return dry_run(self.vocabulary, view, self.inner.questions(view), sheet)

    def parse_orders(self, raw: object) -> SetOrders:
        """Orders in what JSON gives."""
        return checking.parse(raw)

    def dump_orders(self, move: OrderMove) -> bytes:
        """The move as JSON."""
        return checking.dump(move)

    def load_orders(self, data: bytes) -> OrderMove:
        """The move of a `dump_orders`."""
        return checking.load(data)

    def instruct(self, state: Any, seat: Seat, move: OrderMove) -> Stepped:
        """Gives or cancels orders of a seat."""
        if self.inner.outcome(state) is not None:
            raise IllegalAction("orders.over")
        after = self.inner.load(self.inner.dump(state))
        view = self.inner.view(after, seat)
        if after.orders is msgspec.UNSET:
            after.orders = [Sheet() for _ in range(view.seats)]
        sheet = after.orders[seat]
        run = Run(self.inner, self.vocabulary, after, [], set())
        if isinstance(move, CancelOrders):
            for order in [order for order in sheet.orders if order.id in move.ids]:
                run.drop(seat, order, move.why)
        else:
            checking.check(self.vocabulary, view, sheet, move.orders)
            sheet.orders = checking.numbered(sheet, move.orders)
            sheet.plays, sheet.period = 0, self.vocabulary.period(view)
        return run.state, run.events

    # Events and words

    def redact(self, event: Any, seat: Seat | None) -> Any:
        """What happens to an order is its own seat's."""
        if isinstance(event, EVENTS):
            return event if event.seat == seat else None
        return self.inner.redact(event, seat)

    def say(self, text: Any, language: str, names: Sequence[str]) -> str:
        """A sentence or an event in words."""
        is_own = text.code.startswith(words.PREFIX) if isinstance(text, Text) else isinstance(text, EVENTS)
        if not is_own:
            return self.inner.say(text, language, names)
        return words.say(text, language, lambda inner: self.say(inner, language, names))

    def dump_events(self, events: Sequence[Any]) -> bytes:
        """Events as a JSON list."""
        return msgspec.json.encode(events)

    def load_events(self, data: bytes) -> list[Any]:
        """The events of a `dump_events`."""
        if _MARK not in data:
            return self.inner.load_events(data)
        return [
            _event.decode(raw) if bytes(raw).startswith(_MARK) else self.inner.load_events(b"[%b]" % bytes(raw))[0]
            for raw in msgspec.json.decode(data, type=list[msgspec.Raw])
        ]


def with_orders(rules: AnyInner, vocabulary: Vocabulary[Any]) -> OrderedRules[Any, Any, Any, Any]:
    """The rules, with orders."""
    return cast(OrderedRules[Any, Any, Any, Any], WithOrders(rules, vocabulary))
