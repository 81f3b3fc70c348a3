"""Market, caravanserai, tent and what cards ask, in advance: the answers."""

import msgspec

from engine.aladdins_dragons import questions
from engine.aladdins_dragons.actions import to_answer
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.orders.fields import (
    find_form,
    kind_options,
    own_world,
    plain,
    seat_options,
    spell_options,
)
from engine.core import ActionForm, Amounts, Answer, Choice, Option, Question, Text
from engine.orders.model import Entry


def exchange_forms() -> list[ActionForm]:
    """At the market."""
    give = Choice("give", Text("field-give"), kind_options())
    limits = [msgspec.structs.replace(option, limit=3) for option in kind_options()]
    take = Amounts("take", Text("field-take"), limits, 3)
    of_a_kind = Choice("kind", Text("field-kind"), kind_options())
    return [
        ActionForm("exchange", Text("do-exchange"), [give, take]),
        ActionForm("exchange_for", Text("wish-exchange"), [of_a_kind]),
        plain("keep", "do-keep"),
    ]


def camel_forms(view: View) -> list[ActionForm]:
    """Whoever has the camel then cannot be given it; the order does not fit in that case."""
    seats = [*seat_options(view), Option(view.seat or 0, Text("seat", {"seat": {"seat": view.seat}}))]
    give = ActionForm("give_camel", Text("do-give-camel"), [Choice("seat", Text("field-seat"), seats)])
    return [give, plain("leave_camel", "do-leave-camel")]


def tent_form() -> ActionForm:
    """In the tent."""
    cards = spell_options()
    return ActionForm("keep_spell", Text("do-keep-spell"), [Choice("card", Text("field-card"), cards)])


def exchange_for(view: View, question: Question, entry: Entry) -> Answer | None:
    """Gives the kind of which there is most, another than the one wanted; takes three, or as many as there are."""
    form = find_form(question, "exchange")
    if form is None:
        return None
    give, take = form.fields
    hoard = view.hoards[view.seat or 0] or {}
    given = [str(option.value) for option in give.options if option.value != entry["kind"]]
    total = take.total if isinstance(take, Amounts) else 0
    if not given:
        return None
    return {"type": "exchange", "give": max(given, key=lambda kind: hoard[kind]), "take": {entry["kind"]: total}}


def do_default(view: View, question: Question, entry: Entry) -> Answer | None:
    """What the deadline would answer; it depends on what the seat has, which its own world shows."""
    try:
        return to_answer(questions.default(own_world(view), question.decision))
    except KeyError:
        return None
