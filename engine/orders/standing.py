"""What a seat orders in advance: writing orders, reading them, trying them out, giving and cancelling them."""

from engine.core import ActionForm, Answer, IllegalAction, Seat
from engine.orders import actions, checking
from engine.orders.actions import InnerRules
from engine.orders.dry_run import OrderForecast, dry_run
from engine.orders.model import (
    CancelOrders,
    OrderedState,
    OrderMove,
    SeatView,
    SetOrders,
    Sheet,
    open_sheets,
    sheet_of,
)
from engine.orders.running import OrderRun
from engine.orders.vocabulary import AnyVocabulary, OrderKind
from engine.orders.words.events_and_words import EventsAndWords


class StandingOrders(EventsAndWords):
    """The orders of each seat, in rules with the vocabulary of their game. Methods as in `OrderedRules`."""

    def __init__(self, rules: InnerRules, vocabulary: AnyVocabulary) -> None:
        super().__init__(rules)
        self.vocabulary = vocabulary

    def orders(self, state: OrderedState, seat: Seat) -> Sheet:
        """The orders of a seat."""
        return sheet_of(state, seat)

    def places_nothing(self, answer: Answer, given: Sheet) -> bool:
        """True of a sheet by which its player would be asked for each of his placements."""
        if answer.get("type") != actions.SHEET:
            return False
        orders = checking.parse({actions.ORDERS: answer[actions.ORDERS]}).orders if actions.ORDERS in answer else None
        placed = given.orders if orders is None else orders
        return not any(order.kind in self.vocabulary.brings and order.answers for order in placed)

    def order_kinds(self, view: SeatView) -> list[OrderKind]:
        """The kinds of decision that can be answered in advance."""
        return self.vocabulary.kinds(view)

    def order_facts(self, view: SeatView) -> list[ActionForm]:
        """What an order may depend on."""
        return self.vocabulary.facts(view)

    def dry_run(self, view: SeatView, sheet: Sheet, giving: Answer | None = None) -> list[OrderForecast]:
        """What these orders would do now, or after an answer."""
        questions = self.inner.questions(view)
        following = None if giving is None else self.vocabulary.after(view, giving)
        if following is not None:
            view = following
            questions = [one for one in questions if one.decision.kind not in self.vocabulary.brings]
        return dry_run(self.vocabulary, view, questions, sheet)

    def parse_orders(self, raw: object) -> SetOrders:
        """Orders in what JSON gives."""
        return checking.parse(raw)

    def dump_orders(self, move: OrderMove) -> bytes:
        """The move as JSON."""
        return checking.dump(move)

    def load_orders(self, data: bytes) -> OrderMove:
        """The move of a `dump_orders`."""
        return checking.load(data)

    def instruct(self, state: OrderedState, seat: Seat, move: OrderMove) -> tuple[OrderedState, list[object]]:
        """Gives or cancels orders of a seat."""
        if self.inner.outcome(state) is not None:
            raise IllegalAction("orders.over")
        after = self.inner.load(self.inner.dump(state))
        view = self.inner.view(after, seat)
        sheet = open_sheets(after, self.vocabulary.period(after))[seat]
        run = OrderRun(self.inner, self.vocabulary, after, [], set())
        if isinstance(move, CancelOrders) and move.why == "hands":
            sheet.orders, sheet.given, sheet.planned = [], [], []
            sheet.forget_plays()
            sheet.quiet = sheet.ahead = ""  # what is still to come is asked of whoever sits there now
        elif isinstance(move, CancelOrders):
            for order in [order for order in sheet.orders if order.id in move.ids]:
                run.drop(seat, order, move.why)
        else:
            checking.check(self.vocabulary, view, sheet, move.orders)
            sheet.orders = checking.numbered(sheet, move.orders)
            sheet.period = self.vocabulary.period(after)
            sheet.forget_plays()
        return run.state, run.events
