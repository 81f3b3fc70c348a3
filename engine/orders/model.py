"""Orders as data. They are a part of the game's own state, so they are stored, replayed and kept secret with it."""

from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from engine.core import Decision, Question, Seat

Entry: TypeAlias = dict[str, Any]
"""An answer or a condition in plain data: {"type": form.type, field name: value}, as of an `ActionForm`."""

Until: TypeAlias = Literal["", "round", "return", "date"]
"""When an order ends by itself: never, with the round, when its player is back, on a date the service keeps."""

MOST_ORDERS = 40  # of one seat
MOST_ANSWERS = 8  # of one order
MOST_CONDITIONS = 8  # of one order, and as many to stop
EVERYTHING = "*"
"""What a shown play touches that concerns every order there is; else it is places and kinds of decision."""

MOST_BYTES = 20_000  # of all orders of one seat as JSON; a state has them up to three times: see `Sheet`


class Order(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One answer given in advance.

    Arguments:
        id: names it among its seat's orders; "" for a new one.
        kind: the kind of decision it answers.
        answers: the first of them that is legal then is given; none at all means "stop and ask me".
        topic: where it answers, in the game's words, such as a space; "" anywhere.
        conditions: all must hold, or the order is passed over.
        stops: if one of them holds its player is asked instead.
        stays: it is kept after it has answered.
        even_so: it answers even after others have shown a play that touches it since it was given.
        any_play: its player is asked after any play of others, not only after one that touches it.
        until: when it ends by itself.
    """

    id: str = ""
    kind: str = ""
    answers: list[Entry] = []
    topic: str = ""
    conditions: list[Entry] = []
    stops: list[Entry] = []
    stays: bool = False
    even_so: bool = False
    any_play: bool = False
    until: Until = ""

    @property
    def tag(self) -> str:
        """What its player calls it: the number in its id, which no other order of the seat will ever have."""
        return self.id.removeprefix("o")


class Sheet(msgspec.Struct, omit_defaults=True):
    """All orders of one seat, in the order in which they are tried.

    Arguments:
        last: the number of the newest id.
        plays: how many plays others have shown since the player last answered or gave orders.
        touched: what those plays touch, as everybody can see; it suspends the orders about it. Games of older rules do
            not say: there every play suspends every order.
        period: the round, or what the game has in its place, in which the orders were last looked through.
        ready: the id of the gathering that was last answered.
        ahead: the id of a gathering still to come that is answered by what was last said.
        given: the orders that came with the last sheet, without ids, to be given again.
        planned: the same of the last plan.
        quiet: what happens for the rest of the period where no order speaks; see `engine.orders.actions`.
    """

    orders: list[Order] = []
    last: int = 0
    plays: int = 0
    period: int = 0
    ready: str = ""
    quiet: str = ""
    ahead: str = ""
    given: list[Order] = []
    planned: list[Order] = []
    touched: list[str] = []

    def forget_plays(self) -> None:
        """The player has seen what was shown until now."""
        self.plays, self.touched = 0, []

    @property
    def is_active(self) -> bool:
        """Has it anything to say?"""
        return bool(self.orders or self.quiet or self.ahead)


class SetOrders(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag="set_orders"):
    """The move by which a seat gives its orders: all of them, those it keeps with their ids."""

    orders: list[Order] = []


class CancelOrders(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag="cancel_orders"):
    """The move by which the service ends orders whose time is over.

    Arguments:
        why: "date", "return", or "hands": the seat has another player, and all of it ends without a word.
    """

    ids: list[str]
    why: str


OrderMove: TypeAlias = SetOrders | CancelOrders


class OrderFired(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An order has answered for its seat, which alone is told.

    Arguments:
        order: its id.
        decision: the decision that was answered.
        action: what was answered: a replay must come to the same.
        title, answer: the question and the answer in the game's words, as codes with parameters.
    """

    seat: int
    order: str
    decision: str
    action: Entry
    title: Entry
    answer: list[Entry]


class OrderHeld(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An order leaves a decision to its player, who alone is told.

    Arguments:
        why: "told", "stopped", "suspended" or "unknown" (it depends on what the seat cannot see).
    """

    seat: int
    order: str
    decision: str
    title: Entry
    why: str


class OrderDropped(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """An order is gone without having answered; its seat alone is told.

    Arguments:
        label: the kind of decision it was for, as a code with parameters.
        why: "unfit" (no answer of it is possible), "round", "date" or "return".
    """

    seat: int
    order: str
    label: Entry
    why: str


OrderEvent: TypeAlias = OrderFired | OrderHeld | OrderDropped
"""What happens to orders; stored among the events of the move in which it happened."""


class OrderedState(Protocol):
    """What is asked here of the state of any game."""

    orders: list[Sheet] | msgspec.UnsetType

    @property
    def seats(self) -> int:
        """The number of seats."""


class SeatView(Protocol):
    """What is asked here of a seat's view of any game."""

    seat: Seat | None
    asked: list[Decision]
    questions: list[Question]

    @property
    def seats(self) -> int:
        """The number of seats."""


def sheets_of(state: OrderedState) -> list[Sheet]:
    """The orders by seat; empty as long as nobody has given any."""
    return [] if isinstance(state.orders, msgspec.UnsetType) else state.orders


def sheet_of(state: OrderedState, seat: Seat) -> Sheet:
    """The orders of a seat."""
    sheets = sheets_of(state)
    return sheets[seat] if sheets else Sheet()


def open_sheets(state: OrderedState, period: int) -> list[Sheet]:
    """The orders by seat; from now on there are orders in this game."""
    if isinstance(state.orders, msgspec.UnsetType):
        state.orders = [Sheet(period=period) for _ in range(state.seats)]
    return state.orders
