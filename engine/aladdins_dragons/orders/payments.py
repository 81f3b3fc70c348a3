"""Bribes and purchases in advance: up to which price, and with which kinds."""

from collections.abc import Iterable
from itertools import permutations

from engine.aladdins_dragons.board.facts import GUARD, KINDS, PIECES
from engine.aladdins_dragons.board.model import Window
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.orders.cards import card_form, forms_of_cards
from engine.aladdins_dragons.orders.fields import (
    MOST_PAID,
    NO_KIND,
    find_form,
    number_field,
    plain,
)
from engine.core import ActionForm, Amounts, Answer, Choice, Field, JsonObject, Option, Question, Text
from engine.orders.model import Entry


def _preferred() -> list[Field]:
    """Which kinds are paid with first, which next, and which last of all."""
    return [_of_kinds("first", "paying-first"), _of_kinds("next", "paying-next"), _of_kinds("spare", "sparing")]


def _of_kinds(name: str, said: str) -> Choice:
    kinds = [Option(kind, Text(said, {"kind": {"kind": kind}})) for kind in KINDS]
    return Choice(name, Text(f"field-{name}"), [Option(NO_KIND, Text(f"{said}-none")), *kinds], unsaid=NO_KIND)


def bribe_forms(view: View) -> list[ActionForm]:
    """At the guard."""
    limit = number_field("limit", 1, max(PIECES.guards))
    bribe = ActionForm("bribe_up_to", Text("wish-bribe"), [limit, *_preferred()])
    plays = forms_of_cards(view, Window(GUARD, windows.ENTRY)) if view.has_magic else []
    return [bribe, *plays, *([card_form(view)] if view.has_magic else []), plain("stay_out", "do-stay-out")]


def purchase_forms(view: View) -> list[ActionForm]:
    """In a room."""
    limit = number_field("limit", 1, MOST_PAID)
    buy = ActionForm("buy_up_to", Text("wish-buy"), [limit, *_preferred()])
    return [buy, *([card_form(view)] if view.has_magic else []), plain("decline", "do-decline")]


def bribe_up_to(view: View, question: Question, entry: Entry) -> Answer | None:
    """Unit by unit from the kind that is preferred, else from the one of which there is most."""
    form = find_form(question, "bribe")
    pay = form.fields[0] if form else None
    if not isinstance(pay, Amounts) or pay.total > entry["limit"]:
        return None
    left = {str(option.value): option.limit or 0 for option in pay.options}
    paid: dict[str, int] = {}
    for _ in range(pay.total):
        kind = max((kind for kind in left if left[kind]), key=lambda kind: (_liking(entry, kind), left[kind]))
        left[kind] -= 1
        paid[kind] = paid.get(kind, 0) + 1
    return {"type": "bribe", "pay": paid}


def _liking(entry: Entry, kind: str) -> int:
    """How gladly the seat pays with a kind. Orders of older games name no kind to pay with first."""
    names = ("spare", "", "next", "first")
    return next((rank for rank, name in enumerate(names) if name and entry.get(name) == kind), names.index(""))


def has_two_ranks(entry: Entry) -> bool:
    """Is one kind named more than once among those that are paid with first, next and last?"""
    named = [entry[name] for name in ("first", "next", "spare") if entry.get(name, NO_KIND) != NO_KIND]
    is_payment = entry["type"] in ("bribe_up_to", "buy_up_to")
    return is_payment and len(set(named)) < len(named)


def buy_up_to(view: View, question: Question, entry: Entry) -> Answer | None:
    """Of all ways to pay the one that spends least of the spared kind, then most of the preferred ones, then of what
    there is most of."""
    form = find_form(question, "buy")
    if form is None:
        return None
    costs = {field.name: int(field.name.split("_")[1]) for field in form.fields}
    if sum(costs.values()) > entry["limit"]:
        return None
    hoard = view.hoards[view.seat or 0] or {}
    ways = list(_payments(form.fields))
    if not ways:
        return None

    def spent(way: JsonObject, on: str) -> int:
        return sum(costs[name] for name, kind in way.items() if kind == entry.get(on))

    def painful(way: JsonObject) -> tuple[int, int, int, int]:
        left = min((hoard[kind] - costs[name] for name, kind in way.items()), default=0)
        return spent(way, "spare"), -spent(way, "first"), -spent(way, "next"), -left

    least: JsonObject = min(ways, key=painful)
    return {"type": "buy", **least}


def _payments(fields: Iterable[Field]) -> Iterable[JsonObject]:
    fields = list(fields)
    allowed = [{option.value for option in field.options} for field in fields]
    for chosen in permutations(KINDS, len(fields)):
        if all(kind in options for kind, options in zip(chosen, allowed, strict=True)):
            yield {field.name: kind for field, kind in zip(fields, chosen, strict=True)}
