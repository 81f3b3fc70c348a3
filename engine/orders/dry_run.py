"""What orders would do now, from the seat's own view alone: fires, does not, or depends on what it cannot see."""

import msgspec

from engine.core import Answer, Question
from engine.orders import firing
from engine.orders.model import Entry, Order, SeatView, Sheet
from engine.orders.vocabulary import AnyVocabulary
from engine.orders.words.sentences import answer_texts


class OrderForecast(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one order would do now.

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
        question, topic = _question(vocabulary, view, questions, order)
        if question is None:
            forecasts.append(_unasked(vocabulary, view, order, sheet))
            continue
        key = f"{question.decision.kind}/{question.decision.id}"
        if key in answered:
            forecasts.append(OrderForecast(order.id, "does not", "earlier"))
            continue
        verdict = firing.judge(vocabulary, view, question, topic, order, sheet)
        if verdict.does != "passed over":
            answered.add(key)
        forecasts.append(_forecast(question, order, verdict))
        following = vocabulary.after(view, verdict.action) if verdict.action is not None else None
        if following is not None:
            view, questions = following, [one for one in questions if one is not question]
    return forecasts


def _question(
    vocabulary: AnyVocabulary, view: SeatView, questions: list[Question], order: Order
) -> tuple[Question | None, str]:
    foreseen = vocabulary.foresee(view, order.kind)
    for question in [*questions, *([foreseen] if foreseen else [])]:
        topic = vocabulary.topic(view, question.decision)
        if firing.is_for(order, question.decision.kind, topic):
            return question, topic
    return None, ""


def _unasked(vocabulary: AnyVocabulary, view: SeatView, order: Order, sheet: Sheet) -> OrderForecast:
    verdict = firing.judge_conditions(vocabulary, view, order.topic, order, sheet)
    if verdict is not None and verdict.why == "condition":
        return OrderForecast(order.id, "does not", "condition", by=verdict.by)
    return OrderForecast(order.id, "does not", "not-asked")


def _forecast(question: Question, order: Order, verdict: firing.OrderVerdict) -> OrderForecast:
    if verdict.action is not None:
        answer = answer_texts(question, verdict.action)
        return OrderForecast(order.id, "fires", action=verdict.action, answer=answer)
    if verdict.why == "unknown":
        return OrderForecast(order.id, "depends", by=verdict.by)
    return OrderForecast(order.id, "does not", verdict.why, by=verdict.by)
