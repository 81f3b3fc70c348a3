"""Which order answers a question: the same function for the game itself and for the dry run."""

from collections.abc import Iterable, Iterator

import msgspec

from engine.core import Answer, Decision, IllegalAction, Question
from engine.core.answers import check_answer
from engine.orders.model import EVERYTHING, Entry, Order, SeatView, Sheet
from engine.orders.vocabulary import AnyVocabulary


class OrderVerdict(msgspec.Struct, frozen=True):
    """What becomes of one order at one question.

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
    """What becomes of this order at this question, as its seat sees it."""
    held = judge_conditions(vocabulary, view, topic, order, sheet)
    if held is not None:
        return held
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
        held = vocabulary.holds(view, condition, topic)
        if held is False:
            return OrderVerdict("passed over", "condition", by=condition)
        if held is None:
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
    """What the answers, conditions and stops of an order name: types, spaces, cards. A token goes by its space."""
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


def find_question(questions: Iterable[Question], decision: Decision) -> Question:
    """The question of a decision among those open to its seat."""
    return next(question for question in questions if question.decision.id == decision.id)
