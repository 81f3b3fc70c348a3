"""One proposal: by kind of question who thinks about it."""

from random import Random

from msgspec.structs import replace

from engine.aladdins_dragons.actions import to_answer
from engine.aladdins_dragons.board.facts import KINDS, PIECES
from engine.aladdins_dragons.board.model import StartingTreasures, Wave
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.hand import CardChoice
from engine.aladdins_dragons.proposals.deciding import Decided, decide
from engine.aladdins_dragons.proposals.placing import Layout, placing_orders
from engine.aladdins_dragons.proposals.reasons import line, why_answer, why_place, why_sheet
from engine.aladdins_dragons.proposals.tally import has_plays, tally_orders
from engine.core import Answer, Proposal, Question
from engine.core.proposals import dice_of
from engine.orders.actions import GATHERINGS, NEVER, PASS_ROUND, QUIET, SAME, SHEET


def propose(view: View, question: Question) -> Proposal:
    """The answer to a question of the seat whose view this is, and why."""
    kind, random = question.decision.kind, dice_of(view)
    if kind in GATHERINGS:
        return _sheet(view, question, random)
    if kind == "declare":
        return _declaration(view, question)
    if kind == "place":
        return _placement(view, question, random)
    if not has_plays(view) and any(form.type == PASS_ROUND for form in question.actions):
        return Proposal({"type": PASS_ROUND}, line(("why-no-card", {})))
    decided = decide(view, question, random)
    return Proposal(to_answer(decided.action), why_answer(question, decided))


def _sheet(view: View, question: Question, random: Random) -> Proposal:
    """A sheet with its plan, or the plan alone."""
    form = question.actions[0]
    layout = Layout(_with_treasures(view), question.decision.seat, random, is_placing=form.type == SHEET)
    said = {"windows": QUIET if has_plays(view) else NEVER, "tally": SAME}
    answer: Answer = {"type": form.type, **{field.name: said[field.name] for field in form.fields}}
    orders = [*placing_orders(view, layout.plan), *tally_orders(layout)]
    return Proposal({**answer, "orders": orders}, why_sheet(layout))


def _with_treasures(view: View) -> View:
    """The view once starting treasures have been taken, if they are chosen beside this sheet: what the seat has chosen,
    else what silence takes."""
    frame = view.agenda[-1]
    if not isinstance(frame, StartingTreasures):
        return view
    usual = dict.fromkeys(KINDS[: PIECES.starting_treasures], 1)
    hoards = [
        hoard and {kind: held + (chosen or usual).get(kind, 0) for kind, held in hoard.items()}
        for hoard, chosen in zip(view.hoards, frame.chosen, strict=True)
    ]
    return replace(view, hoards=hoards)


def _declaration(view: View, question: Question) -> Proposal:
    """Nobody is asked for one: only a card that helps at once is proposed."""
    idea = CardChoice(view, question.decision.seat).best(question)
    if idea is None:
        return Proposal({}, line(("why-pass", {})))
    return Proposal(to_answer(idea.action), why_answer(question, Decided(idea.action, idea.gain)))


def _placement(view: View, question: Question, random: Random) -> Proposal:
    """The weakest token; where it saves questions, the rest of the round goes with it."""
    if question.actions[0].type != "place":
        return Proposal({}, line(("why-chosen", {})))
    layout = Layout(view, question.decision.seat, random)
    token, *rest = sorted(layout.plan)
    answer: Answer = {"type": "place", "token": token, "space": layout.plan[token]}
    if not rest or not (view.is_planned or isinstance(view.agenda[-1], Wave)):
        return Proposal(answer, why_place(layout, token))
    orders = [*placing_orders(view, {other: layout.plan[other] for other in rest}), *tally_orders(layout)]
    return Proposal({**answer, "orders": orders}, why_sheet(layout))
