"""What can be ordered in this game: kinds of decision, every answer to them, and how it becomes exact in its time."""

from collections.abc import Callable, Iterable
from itertools import permutations

from msgspec.structs import replace

from engine.aladdins_dragons import questions
from engine.aladdins_dragons.actions import to_answer
from engine.aladdins_dragons.board.facts import GUARD, KINDS, PIECES, rooms
from engine.aladdins_dragons.board.model import Placing, Window
from engine.aladdins_dragons.board.view_model import SeenToken, View
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.orders.cards import (
    BETWEEN,
    card_form,
    counter_form,
    forms_of_cards,
    negate,
    play_card,
    play_forms,
)
from engine.aladdins_dragons.orders.fields import (
    MOST_PAID,
    NO_KIND,
    default_form,
    find_form,
    kind_options,
    number_field,
    own_world,
    plain,
    seat_options,
    space_options,
    spell_options,
)
from engine.core import ActionForm, Amounts, Answer, Choice, Field, JsonObject, Option, Question, Text
from engine.orders.model import Entry
from engine.orders.vocabulary import OrderKind

WINDOW_LINES = 4  # of a form: where cards are played, or where to be asked


def order_kinds(view: View) -> list[OrderKind]:
    """The decisions of this version; the treasures of the beginning are chosen before any order can be given."""
    if view.seat is None:
        return []
    spaces = space_options(view.spaces)
    tokens = len(view.hand or PIECES.tokens)
    found = [
        OrderKind(
            "place",
            Text("order-place"),
            placement_forms(view),
            lines=tokens,
            line="place",
            is_steady=view.has_magic,
            is_main=True,
        ),
        OrderKind("market", Text("order-market"), exchange_forms(), is_once=True, lines=1),
        OrderKind("camel", Text("order-camel"), camel_forms(view), is_once=True, lines=1),
        OrderKind("bribe", Text("order-bribe"), bribe_forms(view), lines=1, line="bribe_up_to", is_main=True),
        _buying(view),
    ]
    if not view.has_magic:
        return found
    between = [Option(name, Text(f"place-{name}")) for name in BETWEEN]
    plays = play_forms(view)
    return [
        *found,
        OrderKind(
            "window",
            Text("order-window"),
            [plain("pass", "do-pass"), *plays, counter_form()],
            [*between, *spaces],
            lines=WINDOW_LINES,
        ),
        OrderKind("declare", Text("order-declare"), plays, is_unasked=True),
        OrderKind("tent", Text("order-tent"), [tent_form(), default_form()], is_once=True, lines=1, line="keep_spell"),
        OrderKind("ask", Text("order-ask"), [default_form()], lines=1, lasts=True),
    ]


def _buying(view: View) -> OrderKind:
    """One line of a form speaks for all rooms that have artifacts left."""
    palace, left = space_options(rooms(view.seats)), [room for room, count in view.offers.items() if count]
    forms = purchase_forms(view)
    return OrderKind(
        "buy", Text("order-buy"), forms, palace, is_once=True, everywhere=left, line="buy_up_to", is_main=True
    )


# Placing


def with_token(view: View, value: int, space: str) -> View:
    """The view once its seat has placed that token from its hand."""
    seat = view.seat
    assert seat is not None
    assert view.hand is not None
    spaces = {**view.spaces, space: [*view.spaces[space], SeenToken(seat, value)]}
    hand = [token for token in view.hand if token != value]
    counts, turns = list(view.hand_counts), list(view.turns)
    counts[seat] -= 1
    turns[seat] += 1
    return replace(view, hand=hand, hand_counts=counts, turns=turns, spaces=spaces)


def placement_forms(view: View) -> list[ActionForm]:
    """A certain token, or the lowest or highest one left."""
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


def place_low(view: View, question: Question, entry: Entry) -> Answer | None:
    """The lowest token."""
    return {"type": "place", "token": min(view.hand or [0]), "space": entry["space"]}


def place_high(view: View, question: Question, entry: Entry) -> Answer | None:
    """The highest token."""
    return {"type": "place", "token": max(view.hand or [0]), "space": entry["space"]}


# Market, caravanserai, tent, and what cards ask


def exchange_forms() -> list[ActionForm]:
    """At the market."""
    give = Choice("give", Text("field-give"), kind_options())
    limits = [replace(option, limit=3) for option in kind_options()]
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
    give = ActionForm("give_camel", Text("do-pass-camel"), [Choice("seat", Text("field-seat"), seats)])
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


# Bribes and purchases: up to which price, and with which kinds


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


MAKERS: dict[str, Callable[[View, Question, Entry], Answer | None]] = {
    "place_low": place_low,
    "place_high": place_high,
    "exchange_for": exchange_for,
    "bribe_up_to": bribe_up_to,
    "buy_up_to": buy_up_to,
    "card": play_card,
    "counter": negate,
    "default": do_default,
}
"""How the answers that depend on the moment become exact."""
