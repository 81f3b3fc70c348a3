"""The protocol of a rule set with orders: all rules, and what seats may say in advance."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.core import ActionForm, Answer, Decision, Rules, Seat
from engine.orders.dry_run import OrderForecast
from engine.orders.model import OrderMove, SetOrders, Sheet
from engine.orders.vocabulary import OrderKind, Vocabulary

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


class OrderedRules(Rules[S, A, E, V], Protocol[S, A, E, V]):
    """A rule set in which seats may give orders.

    Its states have a field `orders` (a list of `Sheet` by seat, or UNSET), which no view shows.
    """

    vocabulary: Vocabulary[S, V]

    def watched(self, see: Callable[[S, E], None]) -> "OrderedRules[S, A, E, V]":
        """These rules, which show `see` the state after each event of the game; those of orders are a seat's alone."""

    def apply(self, state: S, decision: str, seat: Seat, action: A, *, in_place: bool = False) -> tuple[S, list[E]]:
        """Answers a decision and runs on as the game itself does, then lets orders answer what that has opened.

        Arguments:
            in_place: for whoever has the state to himself: it is changed, and worth nothing any more if this raises.
        """

    def stand_in(self, state: S, decision: str, seat: Seat, action: A, *, in_place: bool = False) -> tuple[S, list[E]]:
        """As `apply`, for an answer that its seat's player has not given himself."""

    def forfeit(self, state: S, decision: Decision) -> A:
        """The default, but of a sheet that the whole round is left to the defaults and nothing more is asked in it."""

    def orders(self, state: S, seat: Seat) -> Sheet:
        """The orders of a seat: for its own eyes only."""

    def places_nothing(self, answer: Answer, given: Sheet) -> bool:
        """True of a sheet by which its player would be asked for each of his placements.

        Arguments:
            given: the orders that its seat has, which stay if none come with the sheet.
        """

    def order_kinds(self, view: V) -> list[OrderKind]:
        """The kinds of decision that can be answered in advance, with every way to."""

    def order_facts(self, view: V) -> list[ActionForm]:
        """What an order may depend on."""

    def dry_run(self, view: V, sheet: Sheet, giving: Answer | None = None) -> list[OrderForecast]:
        """What these orders would do now, as far as the seat can see.

        Arguments:
            giving: the answer its seat is about to give, after which they would come.
        """

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

    def branch_off(self, state: S, seed: str, step: int, branch: int) -> tuple[S, list[E]]:
        """A new branch of a game from the state of an earlier step: redealt, and all orders of all seats are ended."""


AnyRules: TypeAlias = OrderedRules[Any, Any, Any, Any]
"""The rules of some game, with orders."""
