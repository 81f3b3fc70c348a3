"""What can be answered in advance, and how a wish becomes an exact answer when its question is asked."""

from collections.abc import Callable, Iterable
from itertools import permutations
from random import Random
from typing import Any, TypeAlias

import msgspec

from engine.aladdins_dragons import questions
from engine.aladdins_dragons.actions import play_type, to_answer
from engine.aladdins_dragons.board.facts import GUARD, KINDS, PIECES, rooms
from engine.aladdins_dragons.board.model import Placing, State, View, Window
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS, get_card
from engine.aladdins_dragons.orders.facts import (
    ANY_SPELL,
    is_card,
    kind_options,
    number_field,
    own,
    seat_options,
    shown_plays,
    space_options,
)
from engine.aladdins_dragons.views.determinise import determinise
from engine.core import ActionForm, Amounts, Answer, Choice, Field, Option, Question, Text
from engine.orders.vocabulary import OrderKind

Wish: TypeAlias = dict[str, Any]
BETWEEN = ("start", "placed", "caves")  # windows that are at no space
NO_KIND = "none"
MOST_PAID = 60


def kinds(view: View) -> list[OrderKind]:
    """The decisions of this version; the treasures of the beginning are chosen before any order can be given."""
    if view.seat is None:
        return []
    spaces = space_options(view.spaces)
    found = [
        OrderKind("place", Text("order-place"), _placements(view)),
        OrderKind("market", Text("order-market"), _exchanges(), is_once=True),
        OrderKind("camel", Text("order-camel"), _camel(view), is_once=True),
        OrderKind("bribe", Text("order-bribe"), _bribes(view)),
        OrderKind("buy", Text("order-buy"), _purchases(view), space_options(rooms(view.seats)), is_once=True),
    ]
    if not view.has_magic:
        return found
    between = [Option(name, Text(f"place-{name}")) for name in BETWEEN]
    plays = _plays(view)
    return [
        *found,
        OrderKind("window", Text("order-window"), [_plain("pass", "do-pass"), *plays, _counter()], [*between, *spaces]),
        OrderKind("declare", Text("order-declare"), plays, is_unasked=True),
        OrderKind("tent", Text("order-tent"), [_tent(), _default()], is_once=True),
        OrderKind("ask", Text("order-ask"), [_default()]),
    ]


def _plain(wish: str, label: str) -> ActionForm:
    return ActionForm(wish, Text(label))


def _default() -> ActionForm:
    return _plain("default", "wish-default")


def _placements(view: View) -> list[ActionForm]:
    is_placing = any(isinstance(frame, Placing) for frame in view.agenda)
    values = (view.hand if is_placing else None) or PIECES.tokens  # with none left the next round is meant
    tokens = [Option(value, Text("token", {"value": value})) for value in values]
    space = Choice("space", Text("field-space"), space_options(view.spaces))
    exact = ActionForm("place", Text("do-place"), [Choice("token", Text("field-token"), tokens), space])
    return [
        exact,
        ActionForm("place_low", Text("wish-place-low"), [space]),
        ActionForm("place_high", Text("wish-place-high"), [space]),
    ]


def _exchanges() -> list[ActionForm]:
    give = Choice("give", Text("field-give"), kind_options())
    limits = [msgspec.structs.replace(option, limit=3) for option in kind_options()]
    take = Amounts("take", Text("field-take"), limits, 3)
    of_a_kind = Choice("kind", Text("field-kind"), kind_options())
    return [
        ActionForm("exchange", Text("do-exchange"), [give, take]),
        ActionForm("exchange_for", Text("wish-exchange"), [of_a_kind]),
        _plain("keep", "do-keep"),
    ]


def _camel(view: View) -> list[ActionForm]:
    """Whoever has the camel then cannot be given it; the order does not fit in that case."""
    seats = [*seat_options(view), Option(view.seat or 0, Text("seat", {"seat": {"seat": view.seat}}))]
    give = ActionForm("give_camel", Text("do-give-camel"), [Choice("seat", Text("field-seat"), seats)])
    return [give, _plain("leave_camel", "do-leave-camel")]


def _preferred() -> list[Field]:
    """Which kinds are paid with first, which next, and which last of all."""
    return [_of_kinds("first", "paying-first"), _of_kinds("next", "paying-next"), _of_kinds("spare", "sparing")]


def _of_kinds(name: str, said: str) -> Choice:
    kinds = [Option(kind, Text(said, {"kind": {"kind": kind}})) for kind in KINDS]
    return Choice(name, Text(f"field-{name}"), [Option(NO_KIND, Text(f"{said}-none")), *kinds], unsaid=NO_KIND)


def _bribes(view: View) -> list[ActionForm]:
    limit = number_field("limit", 1, max(PIECES.guards))
    bribe = ActionForm("bribe_up_to", Text("wish-bribe"), [limit, *_preferred()])
    plays = _forms_of(view, Window(GUARD, windows.ENTRY)) if view.has_magic else []
    return [bribe, *plays, *([_card(view)] if view.has_magic else []), _plain("stay_out", "do-stay-out")]


def _purchases(view: View) -> list[ActionForm]:
    limit = number_field("limit", 1, MOST_PAID)
    buy = ActionForm("buy_up_to", Text("wish-buy"), [limit, *_preferred()])
    return [buy, *([_card(view)] if view.has_magic else []), _plain("decline", "do-decline")]


def _tent() -> ActionForm:
    cards = [Option(name, Text("card", {"card": {"card": name}})) for name in SPELLS]
    return ActionForm("keep_spell", Text("do-keep-spell"), [Choice("card", Text("field-card"), cards)])


def _counter() -> ActionForm:
    cards = [Option(ANY_SPELL, Text("any-spell"))]
    cards += [Option(name, Text("card", {"card": {"card": name}})) for name in SPELLS]
    return ActionForm("counter", Text("wish-counter"), [Choice("card", Text("field-card"), cards)])


def _card(view: View) -> ActionForm:
    names = [*ARTIFACTS, *(view.magic.spells or [])]
    cards = [Option(name, Text("card", {"card": {"card": name}})) for name in dict.fromkeys(names)]
    return ActionForm("card", Text("wish-card"), [Choice("card", Text("field-card"), cards)])


def _plays(view: View) -> list[ActionForm]:
    return [_card(view), *_forms_of(view, Window(BETWEEN[0]))]


def _forms_of(view: View, window: Window) -> list[ActionForm]:
    """The seat's own cards as they could be aimed now, whether or not a lamp is lit yet."""
    state = own_world(view)
    seat = view.seat
    assert seat is not None
    cards = [*state.magic.spells[seat], *windows.unused_tiles(state, seat)]
    forms = [form for name in dict.fromkeys(cards) for form in get_card(name).forms(state, seat, window)]
    return [form for form in forms if form.fields]


def forms_of_card(state: State, seat: int, name: str, window: Window) -> list[ActionForm]:
    """The ways to play one card there."""
    return get_card(name).forms(state, seat, window)


def own_world(view: View) -> State:
    """A state in which everything the seat can see is as it sees it; only that may be read from it."""
    return determinise(view, Random(0))  # nothing of what is drawn is used


# A wish becomes an answer


def answer(view: View, question: Question, wish: Wish) -> Answer | None:
    """The exact answer, or None if there is none. The question still decides whether it is legal."""
    make = _MAKERS.get(wish["type"])
    return wish if make is None else make(view, question, wish)


def _place_low(view: View, question: Question, wish: Wish) -> Answer | None:
    return {"type": "place", "token": min(view.hand or [0]), "space": wish["space"]}


def _place_high(view: View, question: Question, wish: Wish) -> Answer | None:
    return {"type": "place", "token": max(view.hand or [0]), "space": wish["space"]}


def _form(question: Question, kind: str) -> ActionForm | None:
    return next((form for form in question.actions if form.type == kind), None)


def _exchange_for(view: View, question: Question, wish: Wish) -> Answer | None:
    """Gives the kind of which there is most, another than the one wanted; takes three, or as many as there are."""
    form = _form(question, "exchange")
    if form is None:
        return None
    give, take = form.fields
    hoard = view.hoards[view.seat or 0] or {}
    given = [str(option.value) for option in give.options if option.value != wish["kind"]]
    total = take.total if isinstance(take, Amounts) else 0
    if not given:
        return None
    return {"type": "exchange", "give": max(given, key=lambda kind: hoard[kind]), "take": {wish["kind"]: total}}


def _bribe_up_to(view: View, question: Question, wish: Wish) -> Answer | None:
    """Unit by unit from the kind that is preferred, else from the one of which there is most."""
    form = _form(question, "bribe")
    pay = form.fields[0] if form else None
    if not isinstance(pay, Amounts) or pay.total > wish["limit"]:
        return None
    left = {str(option.value): option.limit or 0 for option in pay.options}
    paid: dict[str, int] = {}
    for _ in range(pay.total):
        kind = max((kind for kind in left if left[kind]), key=lambda kind: (_liking(wish, kind), left[kind]))
        left[kind] -= 1
        paid[kind] = paid.get(kind, 0) + 1
    return {"type": "bribe", "pay": paid}


def _liking(wish: Wish, kind: str) -> int:
    """How gladly the seat pays with a kind. Orders of older games name no kind to pay with first."""
    names = ("spare", "", "next", "first")
    return next((rank for rank, name in enumerate(names) if name and wish.get(name) == kind), names.index(""))


def has_two_ranks(wish: Wish) -> bool:
    """Is one kind named more than once among those that are paid with first, next and last?"""
    named = [wish[name] for name in ("first", "next", "spare") if wish.get(name, NO_KIND) != NO_KIND]
    is_payment = wish["type"] in ("bribe_up_to", "buy_up_to")
    return is_payment and len(set(named)) < len(named)


def _buy_up_to(view: View, question: Question, wish: Wish) -> Answer | None:
    """Of all ways to pay the one that spends least of the spared kind, then most of the preferred ones, then of what
    there is most of."""
    form = _form(question, "buy")
    if form is None:
        return None
    costs = {field.name: int(field.name.split("_")[1]) for field in form.fields}
    if sum(costs.values()) > wish["limit"]:
        return None
    hoard = view.hoards[view.seat or 0] or {}
    ways = list(_payments(form.fields))
    if not ways:
        return None

    def spent(way: dict[str, Any], on: str) -> int:
        return sum(costs[name] for name, kind in way.items() if kind == wish.get(on))

    def painful(way: dict[str, Any]) -> tuple[int, int, int, int]:
        left = min((hoard[kind] - costs[name] for name, kind in way.items()), default=0)
        return spent(way, "spare"), -spent(way, "first"), -spent(way, "next"), -left

    least: dict[str, Any] = min(ways, key=painful)
    return {"type": "buy", **least}


def _payments(fields: Iterable[Field]) -> Iterable[dict[str, Any]]:
    fields = list(fields)
    allowed = [{option.value for option in field.options} for field in fields]
    for chosen in permutations(KINDS, len(fields)):
        if all(kind in options for kind, options in zip(chosen, allowed, strict=True)):
            yield {field.name: kind for field, kind in zip(fields, chosen, strict=True)}


def _play(view: View, question: Question, wish: Wish) -> Answer | None:
    """The card with every field that leaves no choice; a token of one's own where it lies strongest."""
    form = _form(question, play_type(wish["card"]))
    if form is None:
        return None
    aimed = {field.name: _only(view, field) for field in form.fields}
    return None if None in aimed.values() else {"type": form.type, **aimed}


def _only(view: View, field: Field) -> Any:
    values = [option.value for option in field.options]
    if len(values) == 1 and isinstance(field, Choice):
        return values[0]
    if field.name == "token" and view.tallying:
        mine = {f"{view.tallying}:{token.number}": token.value or 0 for token in own(view, view.tallying)}
        return max((value for value in values if value in mine), key=lambda value: mine[str(value)], default=None)
    return None


def _negate(view: View, question: Question, wish: Wish) -> Answer | None:
    """The first spell of another that is meant and has not been struck."""
    form = _form(question, play_type("counterspell"))
    windows_open = [frame for frame in view.agenda if isinstance(frame, Window)]
    if form is None or not windows_open:
        return None
    for option in form.fields[0].options:
        play = windows_open[-1].plays[int(option.value)]
        if play in shown_plays(view) and is_card(play.card, wish["card"]) and not play.is_struck:
            return {"type": form.type, form.fields[0].name: option.value}
    return None


def _silence(view: View, question: Question, wish: Wish) -> Answer | None:
    """What the deadline would answer; it depends on what the seat has, which its own world shows."""
    try:
        return to_answer(questions.default(own_world(view), question.decision))
    except KeyError:
        return None


_MAKERS: dict[str, Callable[[View, Question, Wish], Answer | None]] = {
    "place_low": _place_low,
    "place_high": _place_high,
    "exchange_for": _exchange_for,
    "bribe_up_to": _bribe_up_to,
    "buy_up_to": _buy_up_to,
    "card": _play,
    "counter": _negate,
    "default": _silence,
}
