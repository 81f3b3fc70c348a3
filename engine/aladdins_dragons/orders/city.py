"""Market, caravanserai, tent and what cards ask, in advance: the answers and the rows of a plan."""

from functools import cache

import msgspec

from engine.aladdins_dragons import questions
from engine.aladdins_dragons.actions import to_answer
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.orders.fields import (
    find_form,
    kind_options,
    own_world,
    plain,
    row,
    seat_options,
    spell_options,
)
from engine.core import ActionForm, Amounts, Answer, Choice, Meanings, Option, Question, Row, Text
from engine.orders.model import Entry
from engine.orders.rows import mark

TENT_ROWS = 3


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


def city_rows(view: View) -> list[Row]:
    """Market and camel; in the magic version the tent, and what cards ask."""
    found = [_market_row(), _camel_row(view.seats, view.seat or 0)]
    return [*found, _tent_row(), _default_row()] if view.has_magic else found


@cache
def _market_row() -> Row:
    wants = [Option(kind, Text("row-three", {"kind": {"kind": kind}})) for kind in (o.value for o in kind_options())]
    wants.append(Option("keep", Text("row-keep")))
    deals: Meanings = {option.value: {"type": "exchange_for", "kind": option.value} for option in wants}
    deals["keep"] = {"type": "keep"}
    market = Choice("market", Text("field-what"), wants)
    return row("market", [market], {"kind": "market", "answers": [mark("market")]}, "city", means={"market": deals})


@cache
def _camel_row(seats: int, own: int) -> Row:
    others = [seat for seat in range(seats) if seat != own]
    options = [Option("leave", Text("row-leave"))]
    options += [Option(f"seat-{seat}", Text("row-give", {"seat": {"seat": seat}})) for seat in [*others, own]]
    means: Meanings = {"leave": {"type": "leave_camel"}}
    for seat in range(seats):
        means[f"seat-{seat}"] = {"type": "give_camel", "seat": seat}
    camel = Choice("camel", Text("field-what"), options)
    return row("camel", [camel], {"kind": "camel", "answers": [mark("camel")]}, "city", means={"camel": means})


@cache
def _tent_row() -> Row:
    cards = spell_options()
    blanks = [Choice(f"tent-{number}", Text("field-card"), cards) for number in range(1, TENT_ROWS + 1)]
    answers = [{"type": "keep_spell", "card": mark(blank.name)} for blank in blanks]
    names = [blank.name for blank in blanks]
    params = {word: mark(name) for word, name in zip(("first", "second", "third"), names, strict=True)}
    rest = Choice("tent-rest", Text("field-otherwise"), [Option("default", Text("row-either"))])
    order = {"kind": "tent", "answers": [*answers, mark(rest.name)]}
    means: dict[str, Meanings] = {rest.name: {"default": {"type": "default"}}}
    names.append(rest.name)
    return row("tent", [*blanks, rest], order, "city", optional=names, params=params, means=means)


@cache
def _default_row() -> Row:
    options = [Option("default", Text("row-default"))]
    order = {"kind": "ask", "answers": [mark("asked")], "stays": True}
    means: dict[str, Meanings] = {"asked": {"default": {"type": "default"}}}
    return row("asked", [Choice("asked", Text("field-what"), options)], order, "city", means=means)
