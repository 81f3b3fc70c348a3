"""One proposal: by kind of question who thinks about it."""

from random import Random

from engine.aladdins_dragons.actions import to_answer
from engine.aladdins_dragons.board.model import View, Wave
from engine.aladdins_dragons.bots.hand import CardChoice
from engine.aladdins_dragons.bots.sultan import SultanBot
from engine.aladdins_dragons.proposals.placing import placing_orders, plan_of, rows_of
from engine.aladdins_dragons.proposals.reasons import line, why_answer, why_place, why_plan
from engine.aladdins_dragons.proposals.tally import has_plays, tally_orders
from engine.core import Answer, Proposal, Question
from engine.core.proposals import dice_of
from engine.orders.actions import GATHERINGS, NEVER, QUIET, SAME, SHEET
from engine.orders.model import Entry

BOT = SultanBot()


def propose(view: View, question: Question) -> Proposal:
    """The answer to a question of the seat whose view this is, and why."""
    kind, random = question.decision.kind, dice_of(view)
    if kind in GATHERINGS:
        return _sheet(view, question, random)
    if kind == "declare":
        return _declaration(view, question)
    if kind == "place":
        return _placement(view, question, random)
    action = BOT.choose(view, question, random)
    return Proposal(to_answer(action), why_answer(action))


def _sheet(view: View, question: Question, random: Random) -> Proposal:
    """A sheet with its plan, or the plan alone."""
    seat, form = question.decision.seat, question.actions[0]
    plan = plan_of(view, seat, random) if form.type == SHEET else {}
    rows = rows_of(view, seat, plan)
    said = {"windows": QUIET if has_plays(view) else NEVER, "tally": SAME}
    answer: Answer = {"type": form.type, **{field.name: said[field.name] for field in form.fields}}
    orders = [*placing_orders(plan), *tally_orders(view, seat, rows)]
    return Proposal({**answer, "orders": orders}, why_plan(view, plan, rows))


def _declaration(view: View, question: Question) -> Proposal:
    """Nobody is asked for one: only a card that helps at once is proposed."""
    idea = CardChoice(view, question.decision.seat).best(question)
    if idea is None:
        return Proposal({}, line(("why-pass", {})))
    return Proposal(to_answer(idea.action), why_answer(idea.action))


def _placement(view: View, question: Question, random: Random) -> Proposal:
    """The weakest token; where it saves questions, the rest of the round goes with it."""
    if question.actions[0].type != "place":
        return Proposal({}, line(("why-chosen", {})))
    seat = question.decision.seat
    plan = plan_of(view, seat, random)
    token = min(plan)
    answer: Answer = {"type": "place", "token": token, "space": plan[token]}
    rest = {other: space for other, space in plan.items() if other != token}
    reason = why_place(token, plan[token], is_last=not rest)
    if not rest or not (view.is_planned or isinstance(view.agenda[-1], Wave)):
        return Proposal(answer, reason)
    orders: list[Entry] = [*placing_orders(rest), *tally_orders(view, seat, rows_of(view, seat, plan))]
    return Proposal({**answer, "orders": orders}, reason)
