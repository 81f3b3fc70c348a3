"""Runs orders: after each step of a game they answer what has just opened, until a person must decide."""

from typing import TypeAlias

from engine.core import Answer, Decision, Question, Seat, Text
from engine.orders import firing
from engine.orders.actions import ALL, NEVER, InnerRules
from engine.orders.model import (
    EVERYTHING,
    Order,
    OrderDropped,
    OrderedState,
    OrderFired,
    OrderHeld,
    SeatView,
    Sheet,
    sheets_of,
)
from engine.orders.vocabulary import AnyVocabulary
from engine.orders.words.sentences import answer_texts, as_entry

Key: TypeAlias = tuple[str, Seat]

STEP_LIMIT = 500
"""Answers given by orders between two stops; a whole round of five players has about a hundred."""


def key_of(decision: Decision) -> Key:
    """What names a decision in a game."""
    return decision.id, decision.seat


class OrderRun:
    """A game between the step that was taken and the next question for a person.

    Arguments:
        state: may be changed in place: it belongs to nobody else.
        known: the decisions that were open before; they wait for their players, not for orders.
        before: what everybody saw before the step; needed only where `Vocabulary.weighs` has the kind of its decision.
    """

    def __init__(
        self,
        rules: InnerRules,
        vocabulary: AnyVocabulary,
        state: OrderedState,
        events: list[object],
        known: set[Key],
        before: SeatView | None = None,
    ):
        self.rules = rules
        self.vocabulary = vocabulary
        self.state = state
        self.events: list[object] = []
        self.known = set(known)
        self._seen: dict[Seat | None, SeatView] = {}
        self._happened(events, before)

    def run(self) -> None:
        """Lets orders answer until none has anything to say. Raises RuntimeError past the step limit."""
        for _ in range(STEP_LIMIT):
            if not sheets_of(self.state) or self.rules.outcome(self.state) is not None:
                return
            self._turn_period()
            if not any(sheet.is_active for sheet in sheets_of(self.state)) or not self._step():
                return
        raise RuntimeError(f"orders found no end within {STEP_LIMIT} answers")

    def _view(self, seat: Seat | None) -> SeatView:
        """What the seat sees now; made once between two answers, for orders show in no view of the game itself."""
        if seat not in self._seen:
            self._seen[seat] = self.rules.view(self.state, seat)
        return self._seen[seat]

    def _happened(self, events: list[object], before: SeatView | None) -> None:
        """Adds events of the game; what a seat has shown suspends the orders of others that it touches."""
        self.events += events
        for event in events:
            player = self.vocabulary.player_of(event)
            for seat, sheet in enumerate(sheets_of(self.state)) if player is not None else ():
                if seat != player and sheet.is_active:
                    self._show(event, seat, sheet, before)

    def _show(self, event: object, seat: Seat, sheet: Sheet, before: SeatView | None) -> None:
        """The seat has not seen this play yet."""
        sheet.plays += 1
        if before is not None:
            touched = self.vocabulary.touched(before, self.state, event, seat)
            sheet.touched = sorted({*sheet.touched, *touched})

    def _turn_period(self) -> None:
        """A new round ends the orders that were for the last one, and nothing shown in that one counts any more."""
        period = self.vocabulary.period(self.state)
        for seat, sheet in enumerate(sheets_of(self.state)):
            if sheet.period == period:
                continue
            sheet.period = period
            sheet.forget_plays()
            sheet.ready = sheet.ahead = sheet.quiet = ""
            for order in [order for order in sheet.orders if order.until == "round"]:
                self.drop(seat, order, "round")

    def drop(self, seat: Seat, order: Order, why: str) -> None:
        """Takes an order off its sheet and tells its seat."""
        sheet = sheets_of(self.state)[seat]
        sheet.orders = [other for other in sheet.orders if other.id != order.id]
        kinds = self.vocabulary.kinds(self._view(seat))
        label = next((kind.label for kind in kinds if kind.name == order.kind), Text(""))
        self.events.append(OrderDropped(seat, order.id, as_entry(label), why))

    def _step(self) -> bool:
        """Looks at each decision an order may answer now; True as soon as one has been answered."""
        decisions = self.rules.decisions(self.state)
        self.known &= {key_of(decision) for decision in decisions}
        unasked = [decision for decision in decisions if not decision.prompted and not decision.sealed]
        fresh = [decision for decision in decisions if decision.prompted and key_of(decision) not in self.known]
        # What acts unasked comes first: a player who sits at the table would not wait for the next placement either.
        return any(self._try(decision) for decision in [*unasked, *fresh])

    def _try(self, decision: Decision) -> bool:
        """Lets the orders of the decision's seat answer it; True if one has."""
        seat = decision.seat
        sheet = sheets_of(self.state)[seat]
        if not sheet.is_active:
            return False
        found = self._find(decision, sheet)
        if found is not None and found[2].action is not None:
            self._fire(found[0], found[1], found[2].action)
            return True
        quiet = self._quiet_answer(decision, sheet, is_held=found is not None)
        if quiet is not None:
            self._answer(decision, quiet)
            return True
        if found is not None:
            self._leave(*found)
        return False

    def _find(self, decision: Decision, sheet: Sheet) -> tuple[Question, Order, firing.OrderVerdict] | None:
        """The order that has something to say to the decision, and what; None if none has."""
        if not any(order.kind == decision.kind for order in sheet.orders):
            return None
        seat = decision.seat
        view = self._view(seat)
        question = firing.find_question(self.rules.questions(view), decision)
        topic = self.vocabulary.topic(view, decision)
        found = firing.find(self.vocabulary, view, question, topic, sheet)
        return None if found is None else (question, *found)

    def _quiet_answer(self, decision: Decision, sheet: Sheet, *, is_held: bool) -> object:
        """What the plan answers where no order does: it passes, or does what the deadline would; None if it asks."""
        if not decision.prompted or not sheet.quiet:
            return None
        if sheet.quiet == ALL:
            return self.rules.default(self.state, decision)
        if is_held or (sheet.quiet != NEVER and self._is_touched(decision, sheet)):
            return None
        passing = self.vocabulary.lapse(self._view(decision.seat), decision)
        return None if passing is None else self.rules.parse(dict(passing))

    def _is_touched(self, decision: Decision, sheet: Sheet) -> bool:
        """Has a play been shown since the player last looked that touches the decision, by its kind or its place?"""
        if not sheet.plays or not self.vocabulary.weighs:
            return sheet.plays > 0
        topic = self.vocabulary.topic(self.state, decision)
        return not {EVERYTHING, decision.kind, topic}.isdisjoint(sheet.touched)

    def _leave(self, question: Question, order: Order, verdict: firing.OrderVerdict) -> None:
        """The player decides himself; what is unfit is dropped, and nothing behind it acts in its place."""
        decision = question.decision
        self.known.add(key_of(decision))
        if verdict.does == "unfit":
            self.drop(decision.seat, order, "unfit")
        elif decision.prompted:
            self.events.append(OrderHeld(decision.seat, order.id, decision.id, as_entry(question.title), verdict.why))

    def _fire(self, question: Question, order: Order, action: Answer) -> None:
        decision = question.decision
        seat = decision.seat
        title, answer = as_entry(question.title), answer_texts(question, action)
        self.events.append(OrderFired(seat, order.id, decision.id, dict(action), title, answer))
        self._answer(decision, self.rules.parse(dict(action)))
        sheet = sheets_of(self.state)[seat]
        if not order.stays:
            sheet.orders = [other for other in sheet.orders if other.id != order.id]

    def _answer(self, decision: Decision, action: object) -> None:
        """What was open and considered stays so; what this answer has opened is new."""
        self.known &= {key_of(open_now) for open_now in self.rules.decisions(self.state)}
        self.rules.check(self.state, decision.id, decision.seat, action)
        before = self._view(None) if decision.kind in self.vocabulary.weighs else None
        self._seen.clear()
        self._happened(self.rules.play(self.state, decision.seat, action), before)
