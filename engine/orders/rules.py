"""A rule set whose seats may give orders: goes around the rules of any game, and lets orders answer after each step."""

from collections.abc import Callable, Mapping
from copy import copy
from random import Random
from typing import Any, TypeAlias, cast

import msgspec

from engine.core import Decision, IllegalAction, Question, Rules, Seat, StaleDecision
from engine.core.answers import check_answer, draw_answer, every_answer
from engine.core.branches import Branched
from engine.core.questions import find_decision
from engine.orders import actions, gatherings
from engine.orders.actions import ActionWithOrders, CommonAction, InnerRules
from engine.orders.gatherings import Gatherings, PlanningBot
from engine.orders.model import (
    EVERYTHING,
    OrderedState,
    SeatView,
    Sheet,
    open_sheets,
    sheets_of,
)
from engine.orders.protocol import AnyRules
from engine.orders.running import OrderRun, key_of
from engine.orders.standing import StandingOrders
from engine.orders.vocabulary import AnyVocabulary, Vocabulary

Stepped: TypeAlias = tuple[OrderedState, list[object]]


class WithOrders(StandingOrders):
    """Rules and the vocabulary of their game. Methods as in `OrderedRules`; what is not here the rules do alone."""

    def __init__(self, rules: InnerRules, vocabulary: AnyVocabulary) -> None:
        super().__init__(rules, vocabulary)
        self.gatherings = Gatherings(rules, vocabulary)
        self.cross, self.outcome = rules.cross, rules.outcome  # no detour: playouts ask for little else

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def watched(self, see: Callable[[OrderedState, object], None]) -> "WithOrders":
        """The same rules, which show `see` the state after each event of the game."""
        return WithOrders(self.inner.watched(see), self.vocabulary)

    # What is asked

    def decisions(self, state: OrderedState) -> list[Decision]:
        """What the game waits on, and the sheet or plan of everybody before a boundary is crossed."""
        asked = [] if self.inner.is_advance_pending(state) else self.inner.decisions(state)
        return [*asked, *self.gatherings.decisions(state)]

    def find(self, state: OrderedState, decision: str, seat: Seat) -> Decision:
        """One of them. Raises StaleDecision if it is not open."""
        try:
            return find_decision(self.gatherings.decisions(state), decision, seat)
        except StaleDecision:
            if self.inner.is_advance_pending(state):
                raise
            return self.inner.find(state, decision, seat)

    def is_advance_pending(self, state: OrderedState) -> bool:
        """At a boundary for which no sheet or plan is missing."""
        return self.inner.is_advance_pending(state) and self.gatherings.find(state) is None

    def view(self, state: OrderedState, seat: Seat | None) -> SeatView:
        """What one seat may see; a plan that has been given looks to others like one that is missing."""
        return self.gatherings.show(state, self.inner.view(state, seat), seat)

    def questions(self, view: SeatView) -> list[Question]:
        """The questions open to the viewer, with the ways to pass for longer, and to write orders with the answer."""
        asked = [actions.with_rows(self.vocabulary, view, one) for one in self.inner.questions(view)]
        return [actions.with_long_passes(self.vocabulary, view, one) for one in asked]

    def question(self, state: OrderedState, decision: str, seat: Seat) -> Question:
        """One of them, without the rows in which orders are written beside its answer."""
        if self._kind(state, decision, seat) in actions.GATHERINGS:  # then it is we who ask
            return self._whole_question(state, decision, seat)
        asked = actions.taking_orders(self.vocabulary, self.inner.question(state, decision, seat))
        return actions.with_long_passes(self.vocabulary, state, asked)

    def determinise(self, view: SeatView, random: Random) -> OrderedState:
        """A state that looks like this view; nobody in it has orders, but whose plan is given has given it."""
        state = self.inner.determinise(view, random)
        gathering = self.vocabulary.gathering(view)
        if gathering is not None:
            ready = set(gathering.seats) if not view.asked else {view.seat} - {one.seat for one in _missing(view)}
            # Who has not answered has seen a play since: else his former plan would hold, and nobody be asked again.
            missing = Sheet(plays=1, touched=[EVERYTHING] if self.vocabulary.weighs else [])
            state.orders = [Sheet(ready=gathering.id) if seat in ready else copy(missing) for seat in range(view.seats)]
        return state

    def _whole_question(self, state: OrderedState, decision: str, seat: Seat) -> Question:
        """Raises StaleDecision if it is not open, also for a seat that does not exist: that one has no view."""
        self.find(state, decision, seat)
        return next(one for one in self.questions(self.view(state, seat)) if one.decision.id == decision)

    # Actions

    def parse(self, raw: object) -> object:
        """The player's action in `raw`."""
        if isinstance(raw, dict) and isinstance(raw.get("type"), str) and raw["type"] in actions.TYPES:
            return actions.parse(raw)
        if isinstance(raw, dict) and actions.ORDERS in raw:
            return actions.parse_with_orders(self.inner, raw)
        return self.inner.parse(raw)

    def dump_action(self, action: object) -> bytes:
        """An action as JSON."""
        if isinstance(action, ActionWithOrders):
            return msgspec.json.encode(actions.answer_with_orders(self.inner, action))
        return (
            msgspec.json.encode(action.answer()) if isinstance(action, CommonAction) else self.inner.dump_action(action)
        )

    def load_action(self, data: bytes) -> object:
        """The action of a `dump_action`."""
        raw = msgspec.json.decode(data)
        return (
            self.parse(raw) if raw["type"] in actions.TYPES or actions.ORDERS in raw else self.inner.load_action(data)
        )

    def check(self, state: OrderedState, decision: str, seat: Seat, action: object) -> None:
        """Raises StaleDecision or IllegalAction if `apply` would refuse."""
        if action == CommonAction(actions.SHEET_NOTHING):
            if self.find(state, decision, seat).kind != actions.SHEET:
                raise IllegalAction("illegal-type", type=actions.SHEET_NOTHING)
        elif isinstance(action, CommonAction):
            check_answer(self._whole_question(state, decision, seat), action.answer())
            self.gatherings.check(state, seat, action)
        elif self._kind(state, decision, seat) in actions.GATHERINGS:
            raise IllegalAction("orders.not-planned")
        elif isinstance(action, ActionWithOrders):
            check_answer(self._whole_question(state, decision, seat), actions.answer_with_orders(self.inner, action))
            actions.check_with_orders(self.inner, self.vocabulary, state, seat, action)
        else:
            self.inner.check(state, decision, seat, action)

    def legal(self, state: OrderedState, decision: str, seat: Seat) -> list[object]:
        """Every action the seat may answer with."""
        return [self.parse(answer) for answer in every_answer(self._whole_question(state, decision, seat))]

    def sample(self, question: Question, random: Random) -> object:
        """One legal action."""
        return self.parse(draw_answer(question, random))

    def default(self, state: OrderedState, decision: Decision) -> object:
        """What the deadline answers: an empty sheet; of a plan, that nothing more is asked in this tally."""
        gathering = self.gatherings.find(state) if gatherings.is_gathering(decision) else None
        return gatherings.silence(gathering) if gathering else self.inner.default(state, decision)

    def forfeit(self, state: OrderedState, decision: Decision) -> object:
        """The default, but of a sheet that the whole round is left to the defaults and nothing more is asked in it."""
        gathering = self.gatherings.find(state) if gatherings.is_gathering(decision) else None
        return gatherings.forfeit(gathering) if gathering else self.inner.default(state, decision)

    @property
    def bots(self) -> Mapping[str, PlanningBot]:
        """The game's own bots; of sheets and plans they know nothing."""
        return {name: PlanningBot(bot) for name, bot in self.inner.bots.items()}

    # Steps of the game, after which orders are carried out

    def apply(
        self, state: OrderedState, decision: str, seat: Seat, action: object, *, in_place: bool = False
    ) -> Stepped:
        """Answers a decision, then lets orders answer what that has opened.

        Whoever answers has seen what was shown until now: it suspends his orders no more.
        """
        return self._apply(state, decision, seat, action, has_looked=True, in_place=in_place)

    def stand_in(
        self, state: OrderedState, decision: str, seat: Seat, action: object, *, in_place: bool = False
    ) -> Stepped:
        """Answers in place of a seat's player; he has not looked, so his orders stay suspended."""
        return self._apply(state, decision, seat, action, has_looked=False, in_place=in_place)

    def _apply(
        self, state: OrderedState, decision: str, seat: Seat, action: object, *, has_looked: bool, in_place: bool
    ) -> Stepped:
        if isinstance(action, CommonAction | ActionWithOrders):
            self.check(state, decision, seat, action)
        if isinstance(action, CommonAction) and action.type in actions.GATHERED:
            return self._gather(state, decision, seat, action, has_looked=has_looked)
        kind = self._kind(state, decision, seat)
        if kind in actions.GATHERINGS:
            raise IllegalAction("orders.not-planned")
        has_orders = sheets_of(state) or isinstance(action, CommonAction | ActionWithOrders)
        known = {key_of(one) for one in self.decisions(state)} if has_orders else set()  # what is not new to orders
        before = self.inner.view(state, None) if has_orders and kind in self.vocabulary.weighs else None
        given = self._of_the_game(kind, action)
        if in_place:
            self.inner.check(state, decision, seat, given)
            after, events = state, self.inner.play(state, seat, given)
        else:
            after, events = self.inner.apply(state, decision, seat, given)
        if isinstance(action, ActionWithOrders):
            actions.give_orders(self.vocabulary, after, seat, action.orders)
            known -= {(decision, seat)}  # if it asks for more than one answer they give the rest
        if isinstance(action, CommonAction):
            open_sheets(after, self.vocabulary.period(after))
        if sheets_of(after) and has_looked:
            sheet = sheets_of(after)[seat]
            sheet.forget_plays()
            if kind in self.vocabulary.quiet:  # whoever answers otherwise passes on no more
                sheet.orders = [order for order in sheet.orders if order.id != actions.PASSING_ORDER]
            if isinstance(action, CommonAction):
                sheet.orders.append(actions.long_pass_order(self.vocabulary, kind, action))
        return self._run_on(after, events, known, before)

    def _kind(self, state: OrderedState, decision: str, seat: Seat) -> str:
        """Of a decision; "" of one that is not open, which the game itself refuses."""
        try:
            return self.find(state, decision, seat).kind
        except StaleDecision:
            return ""

    def _of_the_game(self, kind: str, action: object) -> object:
        """What the game itself is told."""
        if isinstance(action, CommonAction):
            return self.inner.parse(dict(self.vocabulary.quiet[kind]))
        return action.action if isinstance(action, ActionWithOrders) else action

    def _gather(
        self, state: OrderedState, decision: str, seat: Seat, action: CommonAction, *, has_looked: bool
    ) -> Stepped:
        """An answer is kept, sealed, until everybody has given his; then a worker takes the game over the boundary."""
        after = self.inner.load(self.inner.dump(state))
        self.gatherings.record_answer(after, decision, seat, action, has_looked=has_looked)
        return after, []

    # Playouts, in which orders are not carried out

    def draw(self, state: OrderedState, decision: Decision, random: Random) -> object:
        """A legal answer to an open decision."""
        if not gatherings.is_gathering(decision):
            return self.inner.draw(state, decision, random)
        return self.sample(self._whole_question(state, decision.id, decision.seat), random)

    def play(self, state: OrderedState, seat: Seat, action: object) -> list[object]:
        """Answers a decision and runs on, in place."""
        if not isinstance(action, CommonAction):
            return self.inner.play(state, seat, action)
        gathering = self.gatherings.find(state)
        assert gathering is not None, action
        self.gatherings.record_answer(state, gathering.id, seat, action)
        return []

    def advance(self, state: OrderedState) -> Stepped:
        """Crosses the phase boundary, then lets orders answer. Raises IllegalAction while a plan is missing."""
        if not self.is_advance_pending(state):
            raise IllegalAction("no-boundary")
        after, events = self.inner.advance(state)
        return self._run_on(after, events, set())

    def resign(self, state: OrderedState, seat: Seat) -> Stepped:
        """Marks the seat as resigned; its orders end with it."""
        after, events = self.inner.resign(state, seat)
        if sheets_of(after):
            sheets_of(after)[seat].orders = []
        return after, events

    def branch_off(self, state: OrderedState, seed: str, step: int, branch: int) -> Stepped:
        """A new branch, on which nobody has orders: what was meant for another course of the game never answers."""
        after = self.inner.redeal(state, seed, branch)
        for sheet in sheets_of(after):
            sheet.orders = []
            sheet.forget_plays()
            sheet.quiet = sheet.ahead = sheet.ready = ""
        return after, [Branched(step, branch)]

    def _run_on(
        self,
        state: OrderedState,
        events: list[object],
        known: set[tuple[str, Seat]],
        before: SeatView | None = None,
    ) -> Stepped:
        run = OrderRun(self.inner, self.vocabulary, state, events, known, before)
        run.run()
        if not any(sheet.is_active or sheet.last or sheet.ready for sheet in sheets_of(run.state)):
            run.state.orders = msgspec.UNSET
        return run.state, run.events


def _missing(view: SeatView) -> list[Decision]:
    """The plan the viewer has yet to give."""
    mine = [question.decision for question in view.questions if gatherings.is_gathering(question.decision)]
    return [decision for decision in mine if decision.prompted]


def with_orders(rules: Rules[Any, Any, Any, Any], vocabulary: Vocabulary[Any, Any]) -> AnyRules:
    """The rules, with orders."""
    return cast(AnyRules, WithOrders(rules, vocabulary))
