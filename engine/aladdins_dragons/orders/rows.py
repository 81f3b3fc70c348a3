"""Sheet and plan as sentences with blanks; see `engine.core.Row`. Everything is read from the seat's own view.

Rows that are the same for everybody are made once in a process: nothing in a row is ever changed.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any

from engine.aladdins_dragons.board.facts import GUARD, PIECES, rooms
from engine.aladdins_dragons.board.model import View, Window
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import SPELLS
from engine.aladdins_dragons.orders import wishes as order_wishes
from engine.aladdins_dragons.orders.facts import (
    ANY_SPELL,
    HERE,
    HITS,
    LEAST,
    MOST,
    SHOWN,
    card_options,
    kind_options,
    number_field,
    space_options,
)
from engine.aladdins_dragons.orders.wishes import NO_KIND
from engine.core import ActionForm, Choice, Decision, Option, Question, Row, Text
from engine.core.answers import every_answer
from engine.orders.rows import mark

PLAY_ROWS, ASK_ROWS, REPLY_ROWS, TENT_ROWS = 4, 3, 2, 3
MOST_AIMS = 12
"""Ways to aim a card that are listed one by one; of a card with more only the one that fits."""

COUNTERSPELL, KEY = "counterspell", "key"
ROUND = "round"
WISHES = (GUARD, "rooms", "paying", "city")
"""The groups in which people mostly want the same in each round."""

Fact = dict[str, Any]


def rows(view: View, kind: str) -> list[Row]:
    """The rows of a sheet, which may be a plan, too; of a plan; or of what goes with the placement of one token."""
    if view.seat is None:
        return []
    palace_and_city = [*_guard(view), *_rooms(view), _paying(), *_city(view)]
    if kind == "place":  # where plans are asked they will be, and then with more to go by
        return [*_placing(view, after=1), *([] if view.is_planned else palace_and_city)]
    tally = [*_cards(view), *palace_and_city]
    return [*_placing(view), *tally] if kind == "sheet" else tally


def _row(name: str, blanks: list[Choice], order: Mapping[str, Any], group: str, **more: Any) -> Row:
    """A row whose sentence has its own name, without a number, as its code."""
    code = f"row-{name.rstrip('0123456789').rstrip('-')}"
    sentence = Text(code, {_word(blank.name): mark(blank.name) for blank in blanks} | more.pop("params", {}))
    whole = {**order, "until": ROUND} if order else {}
    return Row(name, sentence, blanks, whole, group=Text(f"rows-{group}"), repeats=group in WISHES, **more)


def _word(blank: str) -> str:
    """The name of a blank in its sentence: that of "space-3" is "space"."""
    return blank.rstrip("0123456789").rstrip("-").replace("-", "_")


def _named(field: Choice, name: str) -> Choice:
    return Choice(name, field.label, field.options)


# Placing


def _placing(view: View, after: int = 0) -> list[Row]:
    """A row for each token, in the order in which they are placed, and what holds for all of them.

    Arguments:
        after: how many tokens are placed before these.
    """
    spaces = space_options(view.spaces)
    tokens = [Option(value, Text("token", {"value": value})) for value in view.hand or PIECES.tokens]
    found = [_placement(number, tokens, spaces, view) for number in range(1, len(tokens) + 1 - after)]
    if not found:
        return []
    watch = [Choice("watched", Text("field-value"), _numbers(1, 4)), Choice("watch", Text("field-space"), spaces)]
    found.append(_row("watch", watch, {}, "placing"))
    if view.has_magic:
        steady = Choice("steady", Text("field-steady"), [Option("yes", Text("steady-yes"))])
        found.append(_row("steady", [steady], {}, "placing", means={"steady": {"yes": True}}))
        found += [] if after else [_start(view)]
    return found


def _placement(number: int, tokens: list[Option], spaces: list[Option], view: View) -> Row:
    token, space, unless = f"token-{number}", f"space-{number}", f"unless-{number}"
    crowd = [Option(count, Text("unless-others", {"count": count})) for count in (1, 2, 3)]
    answer = {"type": "place", "token": mark(token), "space": mark(space)}
    few = {"type": "others", "space": mark(space), "is": MOST, "value": mark(unless)}
    stop = {"type": "others", "space": mark("watch"), "is": LEAST, "value": mark("watched")}
    order = {"kind": "place", "answers": [answer], "conditions": [few], "stops": [stop]}
    return _row(
        f"place-{number}",
        [
            Choice(token, Text("field-token"), tokens),
            Choice(space, Text("field-space"), spaces),
            Choice(unless, Text("field-unless"), crowd),
        ],
        {**order, "even_so": mark("steady")} if view.has_magic else order,
        "placing",
        optional=[unless],
        means={unless: {count: count - 1 for count in (1, 2, 3)}},
    )


def _start(view: View) -> Row:
    options, means = _plays(view, "start")
    play = Choice("start", Text("field-card"), options)
    order = {"kind": "window", "topic": "start", "answers": [mark("start")]}
    return _row("start", [play], order, "placing", means={"start": means})


def _numbers(least: int, most: int) -> list[Option]:
    return number_field("value", least, most).options


# Where cards may be played


def _cards(view: View) -> list[Row]:
    if not view.has_magic:
        return []
    where = [Option(name, Text(f"place-{name}")) for name in ("placed", "caves")] + space_options(view.spaces)
    options, means = _plays(view, "placed")
    found = []
    for number in range(1, PLAY_ROWS + 1) if options else ():
        found.append(_play(number, where, options, means))
    if options:
        found += [_reply(number, options, means) for number in range(1, REPLY_ROWS + 1)]
    if COUNTERSPELL in (view.magic.artifacts or []):
        found += _counters()
    asks = [Choice(f"ask-{number}", Text("field-space"), where) for number in range(1, ASK_ROWS + 1)]
    found += [_row(ask.name, [ask], {"kind": "window", "topic": mark(ask.name)}, "cards") for ask in asks]
    return found


def _play(number: int, where: list[Option], options: list[Option], means: dict[str | int, Any]) -> Row:
    at, play, when = f"where-{number}", f"play-{number}", f"if-{number}"
    order = {"kind": "window", "topic": mark(at), "answers": [mark(play)], "conditions": [mark(when)]}
    blanks = [
        Choice(at, Text("field-space"), where),
        Choice(play, Text("field-card"), options),
        Choice(when, Text("field-if"), [Option(name, Text(f"if-{name}")) for name in WHEN]),
    ]
    return _row(play, blanks, order, "cards", optional=[when], means={play: means, when: dict(WHEN)})


def _first(plus: int, answer: str) -> Fact:
    return {"type": "first", "space": HERE, "plus": plus, "is": answer}


WHEN: dict[str | int, Any] = {
    "behind": [_first(0, "no")],
    "decides": [_first(0, "no"), _first(3, "yes")],
    "first": [_first(0, "yes")],
    "others": [{"type": "others", "space": HERE, "is": LEAST, "value": 1}],
    "crowd": [{"type": "others", "space": HERE, "is": LEAST, "value": 2}],
    "mine": [{"type": "mine", "space": HERE, "is": LEAST, "value": 1}],
    "alone": [
        {"type": "others", "space": HERE, "is": MOST, "value": 0},
        {"type": "mine", "space": HERE, "is": LEAST, "value": 1},
    ],
    "loses": [_first(0, "no"), {"type": "mine", "space": HERE, "is": LEAST, "value": 1}],
    "rich": [{"type": "all_treasure", "is": LEAST, "value": 6}],
    "poor": [{"type": "all_treasure", "is": MOST, "value": 5}],
}
"""The conditions that are offered for a play, and what they mean."""


def _reply(number: int, options: list[Option], means: dict[str | int, Any]) -> Row:
    shown, play = f"shown-{number}", f"reply-{number}"
    order = {
        "kind": "window",
        "answers": [mark(play)],
        "conditions": [{"type": SHOWN, "card": mark(shown), "seat": -1}],
    }
    blanks = [Choice(shown, Text("field-card"), card_options()), Choice(play, Text("field-card"), options)]
    return _row(play, blanks, order, "cards", means={play: means})


@cache
def _counters() -> tuple[Row, ...]:
    spells = [Option(ANY_SPELL, Text("any-spell"))]
    spells += [Option(name, Text("card", {"card": {"card": name}})) for name in SPELLS]
    found = []
    for name, fact in (("counter-mine", {"type": HITS}), ("counter-any", {"type": SHOWN, "seat": -1})):
        order = {
            "kind": "window",
            "answers": [{"type": "counter", "card": mark(name)}],
            "conditions": [{**fact, "card": mark(name)}],
        }
        found.append(_row(name, [Choice(name, Text("field-card"), spells)], order, "cards"))
    return tuple(found)


def _plays(view: View, where: str) -> tuple[list[Option], dict[str | int, Any]]:
    """Every way to play a card of the seat's own, and the answer that each is; counters have rows of their own."""
    state, seat = order_wishes.own_world(view), view.seat
    assert seat is not None
    options: list[Option] = []
    means: dict[str | int, Any] = {}
    names = dict.fromkeys([*state.magic.spells[seat], *windows.unused_tiles(state, seat)])
    for name in names:
        if name == COUNTERSPELL:
            continue
        options.append(Option(name, Text("row-card", {"card": {"card": name}})))
        means[name] = {"type": "card", "card": name}
        for value, targets, answer in _aimed(order_wishes.forms_of_card(state, seat, name, Window(where))):
            options.append(Option(value, Text("row-card", {"card": {"aimed": [name, targets]}})))
            means[value] = answer
    return options, means


def _aimed(forms: Iterable[ActionForm]) -> Iterable[tuple[str, dict[str, Any], dict[str, Any]]]:
    for form in forms:
        question = Question(Decision("", 0, ""), form.label, [form], form.label)
        answers = list(islice(every_answer(question), MOST_AIMS + 1)) if form.fields else []
        for answer in answers if len(answers) <= MOST_AIMS else ():
            targets = {name: value for name, value in answer.items() if name != "type"}
            if not any(isinstance(value, Mapping) for value in targets.values()):
                yield f"{form.type} {' '.join(map(str, targets.values()))}", targets, dict(answer)


# The palace


PAYING = ("first", "next", "spare")


@cache
def _paying() -> Row:
    """With which kinds every payment is made, rather: the other rows use these blanks."""
    blanks = [Choice(f"pay-{name}", Text(f"field-{name}"), kind_options()) for name in PAYING]
    names = [blank.name for blank in blanks]
    means: dict[str, dict[str | int, Any]] = {name: {"": NO_KIND} for name in names}
    return _row("pay", blanks, {}, "paying", optional=names, means=means)


def _payment(wish: str, limit: Choice) -> dict[str, Any]:
    return {"type": wish, "limit": mark(limit.name), **{name: mark(f"pay-{name}") for name in PAYING}}


def _otherwise(name: str, answer: str) -> tuple[Choice, dict[str | int, Any]]:
    return Choice(name, Text("field-otherwise"), [Option(answer, Text(f"otherwise-{answer}"))]), {
        answer: {"type": answer}
    }


def _guard(view: View) -> list[Row]:
    has_key = view.has_magic and KEY in (view.magic.artifacts or [])
    return [_key(), _bribe()] if has_key else [_bribe()]


@cache
def _bribe() -> Row:
    limit = _named(number_field("limit", 1, max(PIECES.guards)), "bribe")
    rest, out = _otherwise("bribe-rest", "stay_out")
    order = {"kind": "bribe", "answers": [_payment("bribe_up_to", limit), mark(rest.name)]}
    return _row("bribe", [limit, rest], order, GUARD, optional=[limit.name, rest.name], means={rest.name: out})


@cache
def _key() -> Row:
    above = Choice(KEY, Text("field-value"), _numbers(min(PIECES.guards), max(PIECES.guards)))
    strong = {"type": "guard", "is": LEAST, "value": mark(KEY)}
    use = {"kind": "bribe", "answers": [{"type": "card", "card": KEY}], "conditions": [strong]}
    return _row(KEY, [above], use, GUARD)


def _rooms(view: View) -> list[Row]:
    return [_room(room) for room in rooms(view.seats) if view.offers.get(room)]


@cache
def _room(room: str) -> Row:
    number = room.rpartition("-")[2]
    limit = _named(number_field("limit", 1, order_wishes.MOST_PAID), f"buy-{number}")
    rest, no = _otherwise(f"buy-rest-{number}", "decline")
    order = {"kind": "buy", "topic": room, "answers": [_payment("buy_up_to", limit), mark(rest.name)]}
    return _row(
        f"buy-{number}",
        [limit, rest],
        order,
        "rooms",
        optional=[limit.name, rest.name],
        means={rest.name: no},
        params={"room": {"space": room}},
    )


# The city


def _city(view: View) -> list[Row]:
    found = [_market(), _camel(view.seats, view.seat or 0)]
    return [*found, _tent(), _silence()] if view.has_magic else found


@cache
def _market() -> Row:
    wants = [Option(kind, Text("row-three", {"kind": {"kind": kind}})) for kind in (o.value for o in kind_options())]
    wants.append(Option("keep", Text("row-keep")))
    deals: dict[str | int, Any] = {option.value: {"type": "exchange_for", "kind": option.value} for option in wants}
    deals["keep"] = {"type": "keep"}
    market = Choice("market", Text("field-what"), wants)
    return _row("market", [market], {"kind": "market", "answers": [mark("market")]}, "city", means={"market": deals})


@cache
def _camel(seats: int, own: int) -> Row:
    others = [seat for seat in range(seats) if seat != own]
    options = [Option("leave", Text("row-leave"))]
    options += [Option(f"seat-{seat}", Text("row-give", {"seat": {"seat": seat}})) for seat in [*others, own]]
    means: dict[str | int, Any] = {"leave": {"type": "leave_camel"}}
    for seat in range(seats):
        means[f"seat-{seat}"] = {"type": "give_camel", "seat": seat}
    camel = Choice("camel", Text("field-what"), options)
    return _row("camel", [camel], {"kind": "camel", "answers": [mark("camel")]}, "city", means={"camel": means})


@cache
def _tent() -> Row:
    cards = [Option(name, Text("card", {"card": {"card": name}})) for name in SPELLS]
    blanks = [Choice(f"tent-{number}", Text("field-card"), cards) for number in range(1, TENT_ROWS + 1)]
    answers = [{"type": "keep_spell", "card": mark(blank.name)} for blank in blanks]
    names = [blank.name for blank in blanks]
    params = {word: mark(name) for word, name in zip(("first", "second", "third"), names, strict=True)}
    rest = Choice("tent-rest", Text("field-otherwise"), [Option("default", Text("row-either"))])
    order = {"kind": "tent", "answers": [*answers, mark(rest.name)]}
    means: dict[str, dict[str | int, Any]] = {rest.name: {"default": {"type": "default"}}}
    names.append(rest.name)
    return _row("tent", [*blanks, rest], order, "city", optional=names, params=params, means=means)


@cache
def _silence() -> Row:
    options = [Option("default", Text("row-default"))]
    order = {"kind": "ask", "answers": [mark("asked")], "stays": True}
    means: dict[str, dict[str | int, Any]] = {"asked": {"default": {"type": "default"}}}
    return _row("asked", [Choice("asked", Text("field-what"), options)], order, "city", means=means)
