"""Carries out orders: which of them answers a question, in a game that runs on and in a dry run.

After each step of a game orders answer what has just opened, until a person must decide. A dry run says by the same
functions, from the seat's own view alone, what its orders would do now: fire, not fire, or depend on what is hidden.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeAlias

import msgspec

from engine.core import Answer, Decision, IllegalAction, Outcome, Question, Seat, Text
from engine.core.answers import check_answer
from engine.orders.model import (
    ALL,
    EVERYTHING,
    NEVER,
    AnyVocabulary,
    Entry,
    Order,
    OrderDropped,
    OrderedState,
    OrderFired,
    OrderHeld,
    SeatView,
    Sheet,
    sheets_of,
)
from engine.orders.sentences import answer_texts, as_entry


class OrderVerdict(msgspec.Struct, frozen=True):
    """Holds what becomes of one order at one question.

    Arguments:
        does: "fires"; "passed over" (the next order is tried); "asks" (its player); "unfit" (asks, and is dropped).
        why: the code of the reason.
        action: the exact answer, if it fires.
        by: the condition that decided.
    """

    does: str
    why: str = ""
    action: Answer | None = None
    by: Entry | None = None


def is_for(order: Order, kind: str, topic: str) -> bool:
    """Does the order answer this kind of decision in this place?"""
    return order.kind == kind and order.topic in ("", topic)


def find(
    vocabulary: AnyVocabulary, view: SeatView, question: Question, topic: str, sheet: Sheet
) -> tuple[Order, OrderVerdict] | None:
    """The first order that has something to say to the question, and what; None if none has."""
    for order in sheet.orders:
        if is_for(order, question.decision.kind, topic):
            verdict = judge(vocabulary, view, question, topic, order, sheet)
            # Who is not asked anything cannot be asked instead: the next order has its chance.
            if verdict.does == "asks" and not question.decision.prompted and not question.decision.sealed:
                continue
            if verdict.does != "passed over":
                return order, verdict
    return None


def judge(
    vocabulary: AnyVocabulary, view: SeatView, question: Question, topic: str, order: Order, sheet: Sheet
) -> OrderVerdict:
    """Returns what becomes of this order at this question, as its seat sees it."""
    verdict = judge_conditions(vocabulary, view, topic, order, sheet)
    if verdict is not None:
        return verdict
    if not order.answers:
        return OrderVerdict("asks", "told")
    for entry in order.answers:
        action = fitting(vocabulary, view, question, entry)
        if action is not None:
            return OrderVerdict("fires", action=action)
    return OrderVerdict("unfit", "unfit")


def judge_conditions(
    vocabulary: AnyVocabulary, view: SeatView, topic: str, order: Order, sheet: Sheet
) -> OrderVerdict | None:
    """The verdict if the conditions, stops or suspension of an order decide; None if it may answer."""
    unknown: OrderVerdict | None = None
    for condition in order.conditions:
        is_so = vocabulary.holds(view, condition, topic)
        if is_so is False:
            return OrderVerdict("passed over", "condition", by=condition)
        if is_so is None:
            unknown = unknown or OrderVerdict("asks", "unknown", by=condition)
    if is_suspended(vocabulary, order, topic, sheet):
        return OrderVerdict("asks", "suspended")
    for stop in order.stops:
        if vocabulary.holds(view, stop, topic) is not False:
            return OrderVerdict("asks", "stopped", by=stop)
    return unknown


def is_suspended(vocabulary: AnyVocabulary, order: Order, topic: str, sheet: Sheet) -> bool:
    """Have others shown a play since the player last looked that touches the order, and that it does not expect?"""
    if not sheet.plays or order.even_so:
        return False
    if any(condition["type"] in vocabulary.about_plays for condition in order.conditions):
        return False
    return order.any_play or not vocabulary.weighs or is_touched(order, topic, sheet.touched)


def is_touched(order: Order, topic: str, touched: Iterable[str]) -> bool:
    """Do plays that touch this touch the order: its kind, the place it answers in, or what it speaks of?"""
    return bool({EVERYTHING, order.kind, order.topic or topic, *_words(order)}.intersection(touched))


def _words(order: Order) -> Iterator[str]:
    """Names in the answers, conditions and stops of an order: types, spaces, cards. A token goes by its space."""
    for entry in (*order.answers, *order.conditions, *order.stops):
        yield from (value.partition(":")[0] for value in entry.values() if isinstance(value, str))


def fitting(vocabulary: AnyVocabulary, view: SeatView, question: Question, entry: Entry) -> Answer | None:
    """The entry as an exact answer, if the question allows it."""
    action = vocabulary.answer(view, question, entry)
    return action if action is not None and is_legal(question, action) else None


def is_legal(question: Question, action: Answer) -> bool:
    """Does the question allow exactly this answer?"""
    try:
        check_answer(question, action)
    except IllegalAction:
        return False
    return True


# A game that runs on


class GameRules(Protocol):
    """The game's own half of its rules (`engine.rules.Rules`), by which orders are carried out."""

    def game_decisions(self, state: Any) -> Iterable[Decision]: ...
    def game_question(self, state: Any, decision: Decision) -> Question: ...
    def game_default(self, state: Any, decision: Decision) -> Any: ...
    def game_check(self, state: Any, question: Question, action: Any) -> None: ...
    def game_play(self, state: Any, seat: Seat, action: Any) -> list[Any]: ...
    def game_view(self, state: Any, seat: Seat | None) -> Any: ...
    def parse_own(self, raw: object) -> Any: ...
    def outcome(self, state: Any) -> Outcome | None: ...


Key: TypeAlias = tuple[str, Seat]

STEP_LIMIT = 500
"""Answers given by orders between two stops; a whole round of five players has about a hundred."""


def key_of(decision: Decision) -> Key:
    """Returns what names a decision in a game."""
    return decision.id, decision.seat


class OrderRun:
    """A game between the step that was taken and the next question for a person.

    Arguments:
        state: may be changed in place: it belongs to nobody else.
        considered: the decisions that were open before; they wait for their players, not for orders.
        before: what everybody saw before the step; needed only where `Vocabulary.weighs` has the kind of its decision.
    """

    def __init__(
        self,
        rules: GameRules,
        vocabulary: AnyVocabulary,
        state: OrderedState,
        events: list[object],
        considered: set[Key],
        before: SeatView | None = None,
    ):
        self.rules = rules
        self.vocabulary = vocabulary
        self.state = state
        self.events: list[object] = []
        self.considered = set(considered)
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
        """The view of the seat now; made once between two answers, for orders show in no view of the game itself."""
        if seat not in self._seen:
            self._seen[seat] = self.rules.game_view(self.state, seat)
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
        decisions = list(self.rules.game_decisions(self.state))
        self.considered &= {key_of(decision) for decision in decisions}
        unasked = [decision for decision in decisions if not decision.prompted and not decision.sealed]
        fresh = [decision for decision in decisions if decision.prompted and key_of(decision) not in self.considered]
        # What acts unasked comes first: a player who sits at the table would not wait for the next placement either.
        return any(self._try(decision) for decision in [*unasked, *fresh])

    def _try(self, decision: Decision) -> bool:
        """Lets the orders of the decision's seat answer it; True if one has."""
        seat = decision.seat
        sheet = sheets_of(self.state)[seat]
        if not sheet.is_active:
            return False
        match = self._find(decision, sheet)
        if match is not None and match[2].action is not None:
            self._fire(match[0], match[1], match[2].action)
            return True
        quiet = self._quiet_answer(decision, sheet, is_held=match is not None)
        if quiet is not None:
            self._answer(decision, quiet)
            return True
        if match is not None:
            self._leave(*match)
        return False

    def _find(self, decision: Decision, sheet: Sheet) -> tuple[Question, Order, OrderVerdict] | None:
        """The order that has something to say to the decision, and what; None if none has."""
        if not any(order.kind == decision.kind for order in sheet.orders):
            return None
        seat = decision.seat
        view = self._view(seat)
        question = next(entry for entry in view.questions if entry.decision.id == decision.id)
        topic = self.vocabulary.topic(view, decision)
        match = find(self.vocabulary, view, question, topic, sheet)
        return None if match is None else (question, *match)

    def _quiet_answer(self, decision: Decision, sheet: Sheet, *, is_held: bool) -> object:
        """The plan's answer where no order speaks: it passes, or does what the deadline would; None if it asks."""
        if not decision.prompted or not sheet.quiet:
            return None
        if sheet.quiet == ALL:
            return self.rules.game_default(self.state, decision)
        if is_held or (sheet.quiet != NEVER and self._is_touched(decision, sheet)):
            return None
        passing = self.vocabulary.lapse(self._view(decision.seat), decision)
        return None if passing is None else self.rules.parse_own(dict(passing))

    def _is_touched(self, decision: Decision, sheet: Sheet) -> bool:
        """Has a play been shown since the player last looked that touches the decision, by its kind or its place?"""
        if not sheet.plays or not self.vocabulary.weighs:
            return sheet.plays > 0
        topic = self.vocabulary.topic(self.state, decision)
        return not {EVERYTHING, decision.kind, topic}.isdisjoint(sheet.touched)

    def _leave(self, question: Question, order: Order, verdict: OrderVerdict) -> None:
        """The player decides himself; what is unfit is dropped, and nothing behind it acts in its place."""
        decision = question.decision
        self.considered.add(key_of(decision))
        if verdict.does == "unfit":
            self.drop(decision.seat, order, "unfit")
        elif decision.prompted:
            self.events.append(OrderHeld(decision.seat, order.id, decision.id, as_entry(question.title), verdict.why))

    def _fire(self, question: Question, order: Order, action: Answer) -> None:
        decision = question.decision
        seat = decision.seat
        title, answer = as_entry(question.title), answer_texts(question, action)
        self.events.append(OrderFired(seat, order.id, decision.id, dict(action), title, answer))
        self._answer(decision, self.rules.parse_own(dict(action)))
        sheet = sheets_of(self.state)[seat]
        if not order.stays:
            sheet.orders = [other for other in sheet.orders if other.id != order.id]

    def _answer(self, decision: Decision, action: object) -> None:
        """Gives an answer: what was open and considered stays so; what it has opened is new."""
        self.considered &= {key_of(open_now) for open_now in self.rules.game_decisions(self.state)}
        self.rules.game_check(self.state, self.rules.game_question(self.state, decision), action)
        before = self._view(None) if decision.kind in self.vocabulary.weighs else None
        self._seen.clear()
        self._happened(self.rules.game_play(self.state, decision.seat, action), before)


# A dry run


class OrderForecast(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds what one order would do now.

    Arguments:
        order: its id.
        does: "fires", "does not" or "depends" (on what its seat cannot see).
        why: the reason, if it does not: "condition", "earlier" (an order before it answers), "suspended", "stopped",
            "told", "unfit", "not-asked" (nothing of the kind is asked now).
        by: the condition that decides.
        action, answer: what it would answer, as data and as codes with parameters.
    """

    order: str
    does: str
    why: str = ""
    by: Entry | None = None
    action: Answer | None = None
    answer: list[Entry] = []


def dry_run(vocabulary: AnyVocabulary, view: SeatView, questions: list[Question], sheet: Sheet) -> list[OrderForecast]:
    """One forecast for each order of the sheet, in its order: each as if those before it had answered.

    Arguments:
        questions: those open to the seat. Where none of a kind is, the game foresees what it would be asked.
    """
    answered: set[str] = set()
    forecasts = []
    for order in sheet.orders:
        question, topic = _foreseen_question(vocabulary, view, questions, order)
        if question is None:
            forecasts.append(_unasked(vocabulary, view, order, sheet))
            continue
        key = f"{question.decision.kind}/{question.decision.id}"
        if key in answered:
            forecasts.append(OrderForecast(order.id, "does not", "earlier"))
            continue
        verdict = judge(vocabulary, view, question, topic, order, sheet)
        if verdict.does != "passed over":
            answered.add(key)
        forecasts.append(_forecast(question, order, verdict))
        following = vocabulary.after(view, verdict.action) if verdict.action is not None else None
        if following is not None:
            view, questions = following, [other for other in questions if other is not question]
    return forecasts


def _foreseen_question(
    vocabulary: AnyVocabulary, view: SeatView, questions: list[Question], order: Order
) -> tuple[Question | None, str]:
    foreseen = vocabulary.foresee(view, order.kind)
    for question in [*questions, *([foreseen] if foreseen else [])]:
        topic = vocabulary.topic(view, question.decision)
        if is_for(order, question.decision.kind, topic):
            return question, topic
    return None, ""


def _unasked(vocabulary: AnyVocabulary, view: SeatView, order: Order, sheet: Sheet) -> OrderForecast:
    verdict = judge_conditions(vocabulary, view, order.topic, order, sheet)
    if verdict is not None and verdict.why == "condition":
        return OrderForecast(order.id, "does not", "condition", by=verdict.by)
    return OrderForecast(order.id, "does not", "not-asked")


def _forecast(question: Question, order: Order, verdict: OrderVerdict) -> OrderForecast:
    if verdict.action is not None:
        answer = answer_texts(question, verdict.action)
        return OrderForecast(order.id, "fires", action=verdict.action, answer=answer)
    if verdict.why == "unknown":
        return OrderForecast(order.id, "depends", by=verdict.by)
    return OrderForecast(order.id, "does not", verdict.why, by=verdict.by)
