"""A rule set whose seats may give orders: goes around the rules of any game, and lets orders answer after each step."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, cast

import msgspec
from msgspec.structs import replace

from engine.core import ActionForm, Decision, IllegalAction, Question, Seat, StaleDecision, Text
from engine.core.answers import check_answer, draw_answer, every_answer
from engine.core.branches import Branched
from engine.core.questions import find_decision
from engine.orders import accompanied, checking, own, words
from engine.orders.accompanied import Accompanied
from engine.orders.bots import PlanningBot
from engine.orders.dryrun import Forecast, dry_run
from engine.orders.gatherings import Gatherings, open_sheets, sheet_of
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
from engine.orders.own import OwnAction
from engine.orders.protocol import OrderedRules
from engine.orders.running import AnyInner, Run, key_of, sheets_of
from engine.orders.vocabulary import OrderKind, Vocabulary

EVENTS = (OrderFired, OrderHeld, OrderDropped)
_event: msgspec.json.Decoder[OrderEvent | Branched] = msgspec.json.Decoder(OrderEvent | Branched)
_MARKS = (b'{"type":"Order', b'{"type":"Branched')
Stepped: TypeAlias = tuple[Any, list[Any]]


class WithOrders:
    """Rules and the vocabulary of their game. Methods as in `OrderedRules`; what is not here the rules do alone."""

    def __init__(self, rules: AnyInner, vocabulary: Vocabulary[Any]) -> None:
        self.inner = rules
        self.vocabulary = vocabulary
        self.gatherings = Gatherings(rules, vocabulary)
        self.cross, self.outcome = rules.cross, rules.outcome  # no detour: playouts ask for little else

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    # What is asked

    def decisions(self, state: Any) -> list[Decision]:
        """What the game waits on, and the sheet or plan of everybody before a boundary is crossed."""
        if not self.inner.is_advance_pending(state):
            return self.inner.decisions(state)
        return self.gatherings.decisions(state)

    def find(self, state: Any, decision: str, seat: Seat) -> Decision:
        """One of them. Raises StaleDecision if it is not open."""
        if not self.inner.is_advance_pending(state):
            return self.inner.find(state, decision, seat)
        return find_decision(self.gatherings.decisions(state), decision, seat)

    def is_advance_pending(self, state: Any) -> bool:
        """At a boundary for which no sheet or plan is missing."""
        return self.inner.is_advance_pending(state) and self.gatherings.find(state) is None

    def view(self, state: Any, seat: Seat | None) -> Any:
        """What one seat may see; a plan that has been given looks to others like one that is missing."""
        return self.gatherings.show(state, self.inner.view(state, seat), seat)

    def questions(self, view: Any) -> list[Question]:
        """The questions open to the viewer, with the ways to pass for longer, and to write orders with the answer."""
        asked = [accompanied.with_rows(self.vocabulary, view, one) for one in self.inner.questions(view)]
        return [own.with_comfort(self.vocabulary, view, one) for one in asked]

    def question(self, state: Any, decision: str, seat: Seat) -> Question:
        """One of them, without the rows in which orders are written beside its answer."""
        if self.inner.is_advance_pending(state):  # then it is we who ask
            return self._whole_question(state, decision, seat)
        asked = accompanied.taking_orders(self.vocabulary, self.inner.question(state, decision, seat))
        return own.with_comfort(self.vocabulary, state, asked)

    def determinise(self, view: Any, random: Random) -> Any:
        """A state that looks like this view; nobody in it has orders, but whose plan is given has given it."""
        state = self.inner.determinise(view, random)
        gathering = self.vocabulary.gathering(view)
        if gathering is not None:
            ready = set(gathering.seats) if not view.asked else {view.seat} - {one.seat for one in _missing(view)}
            # Who has not answered has seen a play since: else his former plan would hold, and nobody be asked again.
            state.orders = [
                Sheet(ready=gathering.id) if seat in ready else Sheet(plays=1) for seat in range(view.seats)
            ]
        return state

    def _whole_question(self, state: Any, decision: str, seat: Seat) -> Question:
        """Raises StaleDecision if it is not open, also for a seat that does not exist: that one has no view."""
        self.find(state, decision, seat)
        return next(one for one in self.questions(self.view(state, seat)) if one.decision.id == decision)

    # Actions

    def parse(self, raw: object) -> Any:
        """The player's action in `raw`."""
        if isinstance(raw, dict) and isinstance(raw.get("type"), str) and raw["type"] in own.TYPES:
            return own.parse(raw)
        if isinstance(raw, dict) and own.ORDERS in raw:
            return accompanied.parse(self.inner, raw)
        return self.inner.parse(raw)

    def dump_action(self, action: Any) -> bytes:
        """An action as JSON."""
        if isinstance(action, Accompanied):
            return msgspec.json.encode(accompanied.entry(self.inner, action))
        return msgspec.json.encode(action.entry()) if isinstance(action, OwnAction) else self.inner.dump_action(action)

    def load_action(self, data: bytes) -> Any:
        """The action of a `dump_action`."""
        raw = msgspec.json.decode(data)
        return self.parse(raw) if raw["type"] in own.TYPES or own.ORDERS in raw else self.inner.load_action(data)

    def check(self, state: Any, decision: str, seat: Seat, action: Any) -> None:
        """Raises StaleDecision or IllegalAction if `apply` would refuse."""
        if isinstance(action, OwnAction):
            check_answer(self._whole_question(state, decision, seat), action.entry())
            self.gatherings.check(state, seat, action)
        elif self._kind(state, decision, seat) in own.GATHERINGS:
            raise IllegalAction("orders.not-planned")
        elif isinstance(action, Accompanied):
            check_answer(self._whole_question(state, decision, seat), accompanied.entry(self.inner, action))
            accompanied.check(self.inner, self.vocabulary, state, seat, action)
        else:
            self.inner.check(state, decision, seat, action)

    def legal(self, state: Any, decision: str, seat: Seat) -> list[Any]:
        """Every action the seat may answer with."""
        return [self.parse(answer) for answer in every_answer(self._whole_question(state, decision, seat))]

    def sample(self, question: Question, random: Random) -> Any:
        """One legal action."""
        return self.parse(draw_answer(question, random))

    def default(self, state: Any, decision: Decision) -> Any:
        """What the deadline answers: an empty sheet; of a plan, that nothing more is asked in this tally."""
        gathering = self.gatherings.find(state) if own.is_gathering(decision) else None
        return own.silence(gathering) if gathering else self.inner.default(state, decision)

    @property
    def bots(self) -> Mapping[str, Any]:
        """The game's own bots; of sheets and plans they know nothing."""
        return {name: PlanningBot(bot) for name, bot in self.inner.bots.items()}

    # Steps of the game, after which orders are carried out

    def apply(self, state: Any, decision: str, seat: Seat, action: Any, *, in_place: bool = False) -> Stepped:
        """Answers a decision, then lets orders answer what that has opened.

        Whoever answers has seen what was shown until now: it suspends his orders no more.
        """
        return self._apply(state, decision, seat, action, has_looked=True, in_place=in_place)

    def stand_in(self, state: Any, decision: str, seat: Seat, action: Any, *, in_place: bool = False) -> Stepped:
        """The same with an answer that is given for a seat, whose player has not looked: his orders stay suspended."""
        return self._apply(state, decision, seat, action, has_looked=False, in_place=in_place)

    def _apply(
        self, state: Any, decision: str, seat: Seat, action: Any, *, has_looked: bool, in_place: bool
    ) -> Stepped:
        if isinstance(action, OwnAction | Accompanied):
            self.check(state, decision, seat, action)
        if isinstance(action, OwnAction) and action.type in own.GATHERED:
            return self._gather(state, decision, seat, action, has_looked=has_looked)
        kind = self._kind(state, decision, seat)
        if kind in own.GATHERINGS:
            raise IllegalAction("orders.not-planned")
        has_orders = sheets_of(state) or isinstance(action, OwnAction | Accompanied)
        known = {key_of(one) for one in self.decisions(state)} if has_orders else set()  # what is not new to orders
        given = self._of_the_game(kind, action)
        if in_place:
            self.inner.check(state, decision, seat, given)
            after, events = state, self.inner.play(state, seat, given)
        else:
            after, events = self.inner.apply(state, decision, seat, given)
        if isinstance(action, Accompanied):
            accompanied.bring(self.vocabulary, after, seat, action.orders)
            known -= {(decision, seat)}  # if it asks for more than one answer they give the rest
        if isinstance(action, OwnAction):
            open_sheets(self.vocabulary, after)
        if sheets_of(after) and has_looked:
            sheet = sheets_of(after)[seat]
            sheet.plays = 0
            if kind in self.vocabulary.quiet:  # whoever answers otherwise passes on no more
                sheet.orders = [order for order in sheet.orders if order.id != own.COMFORT]
            if isinstance(action, OwnAction):
                sheet.orders.append(own.comfort_order(self.vocabulary, kind, action))
        return self._run_on(after, events, known)

    def _kind(self, state: Any, decision: str, seat: Seat) -> str:
        """Of a decision; "" of one that is not open, which the game itself refuses."""
        try:
            return self.find(state, decision, seat).kind
        except StaleDecision:
            return ""

    def _of_the_game(self, kind: str, action: Any) -> Any:
        """What the game itself is told."""
        if isinstance(action, OwnAction):
            return self.inner.parse(dict(self.vocabulary.quiet[kind]))
        return action.action if isinstance(action, Accompanied) else action

    def _gather(self, state: Any, decision: str, seat: Seat, action: OwnAction, *, has_looked: bool) -> Stepped:
        """An answer is kept, sealed, until everybody has given his; then a worker takes the game over the boundary."""
        after = self.inner.load(self.inner.dump(state))
        self.gatherings.note(after, decision, seat, action, has_looked=has_looked)
        return after, []

    # Playouts, in which orders are not carried out

    def draw(self, state: Any, decision: Decision, random: Random) -> Any:
        """A legal answer to an open decision."""
        if not own.is_gathering(decision):
            return self.inner.draw(state, decision, random)
        return self.sample(self._whole_question(state, decision.id, decision.seat), random)

    def play(self, state: Any, seat: Seat, action: Any) -> list[Any]:
        """Answers a decision and runs on, in place."""
        if not isinstance(action, OwnAction):
            return self.inner.play(state, seat, action)
        gathering = self.gatherings.find(state)
        assert gathering is not None, action
        self.gatherings.note(state, gathering.id, seat, action)
        return []

    def advance(self, state: Any) -> Stepped:
        """Crosses the phase boundary, then lets orders answer. Raises IllegalAction while a plan is missing."""
        if not self.is_advance_pending(state):
            raise IllegalAction("no-boundary")
        after, events = self.inner.advance(state)
        return self._run_on(after, events, set())

    def resign(self, state: Any, seat: Seat) -> Stepped:
        """Marks the seat as resigned; its orders end with it."""
        after, events = self.inner.resign(state, seat)
        if sheets_of(after):
            sheets_of(after)[seat].orders = []
        return after, events

    def branch_off(self, state: Any, seed: str, step: int, branch: int) -> Stepped:
        """A new branch, on which nobody has orders: what was meant for another course of the game never answers."""
        after = self.inner.redeal(state, seed, branch)
        for sheet in sheets_of(after):
            sheet.orders, sheet.plays = [], 0
            sheet.quiet = sheet.ahead = sheet.ready = ""
        return after, [Branched(step, branch)]

    def _run_on(self, state: Any, events: list[Any], known: set[tuple[str, Seat]]) -> Stepped:
        run = Run(self.inner, self.vocabulary, state, events, known)
        run.run()
        if not any(sheet.is_active or sheet.last or sheet.ready for sheet in sheets_of(run.state)):
            run.state.orders = msgspec.UNSET
        return run.state, run.events

    # Orders

    def orders(self, state: Any, seat: Seat) -> Sheet:
        """The orders of a seat."""
        return sheet_of(state, seat)

    def order_kinds(self, view: Any) -> list[OrderKind]:
        """The kinds of decision that can be answered in advance."""
        return self.vocabulary.kinds(view)

    def order_facts(self, view: Any) -> list[ActionForm]:
        """What an order may depend on."""
        return self.vocabulary.facts(view)

    def dry_run(self, view: Any, sheet: Sheet, giving: Mapping[str, Any] | None = None) -> list[Forecast]:
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

    def instruct(self, state: Any, seat: Seat, move: OrderMove) -> Stepped:
        """Gives or cancels orders of a seat."""
        if self.inner.outcome(state) is not None:
            raise IllegalAction("orders.over")
        after = self.inner.load(self.inner.dump(state))
        view = self.inner.view(after, seat)
        open_sheets(self.vocabulary, after)
        sheet = after.orders[seat]
        run = Run(self.inner, self.vocabulary, after, [], set())
        if isinstance(move, CancelOrders) and move.why == "hands":
            sheet.orders, sheet.given, sheet.planned, sheet.plays = [], [], [], 0
            sheet.quiet = sheet.ahead = ""  # what is still to come is asked of whoever sits there now
        elif isinstance(move, CancelOrders):
            for order in [order for order in sheet.orders if order.id in move.ids]:
                run.drop(seat, order, move.why)
        else:
            checking.check(self.vocabulary, view, sheet, move.orders)
            sheet.orders = checking.numbered(sheet, move.orders)
            sheet.plays, sheet.period = 0, self.vocabulary.period(after)
        return run.state, run.events

    # Events and words

    def redact(self, event: Any, seat: Seat | None) -> Any:
        """What happens to an order is its own seat's."""
        if isinstance(event, EVENTS):
            return event if event.seat == seat else None
        if isinstance(event, Branched):
            return event
        return self.inner.redact(event, seat)

    def describe(self, view: Any, language: str, names: Sequence[str]) -> str:
        """The whole board as plain text; a plan that is asked is told in our words."""
        plans = [question for question in view.questions if own.is_gathering(question.decision)]
        if not plans:
            return self.inner.describe(view, language, names)
        board = self.inner.describe(replace(view, questions=[]), language, names)
        asked = words.question_text(plans[0], lambda text: self.say(text, language, names))
        return f"{board.rstrip()}\n\n{asked}\n"

    def say(self, text: Any, language: str, names: Sequence[str]) -> str:
        """A sentence or an event in words."""
        is_own = text.code.startswith(words.PREFIX) if isinstance(text, Text) else isinstance(text, (*EVENTS, Branched))
        if not is_own:
            return self.inner.say(text, language, names)
        return words.say(text, language, lambda inner: self.say(inner, language, names))

    def dump_events(self, events: Sequence[Any]) -> bytes:
        """Events as a JSON list."""
        return msgspec.json.encode(events)

    def load_events(self, data: bytes) -> list[Any]:
        """The events of a `dump_events`."""
        if not any(mark in data for mark in _MARKS):
            return self.inner.load_events(data)
        return [
            _event.decode(raw) if bytes(raw).startswith(_MARKS) else self.inner.load_events(b"[%b]" % bytes(raw))[0]
            for raw in msgspec.json.decode(data, type=list[msgspec.Raw])
        ]


def _missing(view: Any) -> list[Decision]:
    """The plan the viewer has yet to give."""
    return [question.decision for question in view.questions if question.decision.prompted]


def with_orders(rules: AnyInner, vocabulary: Vocabulary[Any]) -> OrderedRules[Any, Any, Any, Any]:
    """The rules, with orders."""
    return cast(OrderedRules[Any, Any, Any, Any], WithOrders(rules, vocabulary))
