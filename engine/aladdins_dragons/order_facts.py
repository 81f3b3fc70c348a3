"""The facts on which a standing order may depend, read from its seat's view: true, false, or not to be seen (None)."""

from collections.abc import Callable, Iterable
from functools import cache
from random import Random

from engine.aladdins_dragons.cards.deck import ALL_CARDS, SPELLS
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, PIECES, SPACES, cave_kind
from engine.aladdins_dragons.model import Play, SeenToken, State, View, Window
from engine.aladdins_dragons.worlds import determinise
from engine.core import ActionForm, Choice, Field, Option, Question, Seat, Text
from engine.orders.model import Entry

# What the forms of orders are made of: options and fields.

HERE, ANY, ANY_SPELL = "here", "any", "any-spell"
LEAST, MOST = "at_least", "at_most"
NO_KIND = "none"
MOST_PAID = 60  # for one artifact


@cache
def number_field(name: str, least: int, most: int) -> Choice:
    """One of the numbers, both ends included."""
    numbers = [Option(number, Text("token", {"value": number})) for number in range(least, most + 1)]
    return Choice(name, Text(f"field-{name}"), numbers)


def space_options(spaces: Iterable[str]) -> list[Option]:
    """The spaces by name."""
    return [Option(space, Text("space", {"space": {"space": space}})) for space in spaces]


def kind_options() -> list[Option]:
    """The kinds of treasure by name."""
    return [Option(kind, Text("kind", {"kind": {"kind": kind}})) for kind in KINDS]


def seat_options(view: View) -> list[Option]:
    """The other players by name."""
    return [Option(seat, Text("seat", {"seat": {"seat": seat}})) for seat in range(view.seats) if seat != view.seat]


def spell_options() -> list[Option]:
    """Every spell."""
    return [Option(name, Text("card", {"card": {"card": name}})) for name in SPELLS]


def any_spell_options() -> list[Option]:
    """Any spell, or a certain one."""
    return [Option(ANY_SPELL, Text("any-spell")), *spell_options()]


def card_options() -> list[Option]:
    """Every card, or any."""
    names = [*SPELLS, *(name for name in ALL_CARDS if name not in SPELLS)]
    cards = [Option(name, Text("card", {"card": {"card": name}})) for name in names]
    return [Option(ANY, Text("any-card")), Option(ANY_SPELL, Text("any-spell")), *cards]


def plain(kind: str, label: str) -> ActionForm:
    """A form without fields."""
    return ActionForm(kind, Text(label))


def default_form() -> ActionForm:
    """Returns what happens at the deadline."""
    return plain("default", "wish-default")


def own_world(view: View) -> State:
    """A state in which everything the seat can see is as it sees it; only that may be read from it."""
    return determinise(view, Random(0))  # nothing of what is drawn is used


def find_form(question: Question, kind: str) -> ActionForm | None:
    """The form of that type, if the question has it."""
    return next((form for form in question.actions if form.type == kind), None)


SHOWN, HITS, BEFORE = "shown", "hits", "before"
ANYBODY = -1
HIGHEST = 45  # the strength of all number tokens of a seat together


def facts(view: View) -> list[ActionForm]:
    """Every fact, as a form whose fields say what exactly."""
    space, seat, kind = (
        Choice("space", Text("field-space"), [Option(HERE, Text("here")), *space_options(view.spaces)]),
        Choice("seat", Text("field-seat"), seat_options(view)),
        Choice("kind", Text("field-kind"), kind_options()),
    )
    forms = [
        _fact_form("others", space, *_compared(0, 12)),
        _fact_form("tokens", seat, space, *_compared(0, 8)),
        _fact_form("mine", space, *_compared(0, 8)),
        _fact_form("strength", space, *_compared(0, HIGHEST)),
        _fact_form("first", space, _plus_field(), _yes_or_no()),
        _fact_form("place", space, *_compared(1, view.seats)),
        _fact_form("guard", *_compared(min(PIECES.guards), max(PIECES.guards))),
        _fact_form("lack", *_compared(0, max(PIECES.guards))),
        _fact_form("treasure", kind, *_compared(0, 29)),
        _fact_form("all_treasure", *_compared(0, 60)),
        _fact_form("cave", Choice("space", Text("field-space"), space_options(CAVES)), *_compared(0, 20)),
        _fact_form("round", *_compared(1, 60)),
        _fact_form("camel", seat),
        _fact_form(BEFORE, Choice("space", Text("field-space"), space_options(view.spaces))),
    ]
    return [*forms, *_play_facts(view)] if view.has_magic else forms


def is_before(topic: str, space: str) -> bool:
    """Does a window there come before the one of the space? Those at no space are in their place between."""
    order = ["start", "placed", *CAVES, "caves", *(space for space in SPACES if space not in CAVES)]
    place = order.index("start") if topic.startswith("declared-") else order.index(topic)
    return place < order.index(space)


def _play_facts(view: View) -> list[ActionForm]:
    others = [Option(ANYBODY, Text("any-player")), *seat_options(view)]
    return [
        _fact_form(
            SHOWN,
            Choice("card", Text("field-card"), card_options()),
            Choice("seat", Text("field-seat"), others, unsaid=ANYBODY),
        ),
        _fact_form(HITS, Choice("card", Text("field-card"), card_options())),
    ]


def _fact_form(fact: str, *fields: Field) -> ActionForm:
    return ActionForm(fact, Text(f"fact-{fact}"), list(fields))


def _compared(least: int, most: int) -> tuple[Choice, Choice]:
    how = [Option(LEAST, Text("at-least")), Option(MOST, Text("at-most"))]
    return Choice("is", Text("field-is"), how), number_field("value", least, most)


def _plus_field() -> Choice:
    numbers = [Option(plus, Text("plus", {"value": plus})) for plus in range(10)]
    return Choice("plus", Text("field-plus"), numbers, unsaid=0)


def _yes_or_no() -> Choice:
    return Choice("is", Text("field-is"), [Option("yes", Text("yes")), Option("no", Text("no"))], unsaid="yes")


def holds(view: View, fact: Entry, topic: str) -> bool | None:
    """Is it so, as far as the seat can see? `topic` is what "there" means."""
    space = fact.get("space", "")
    if space == HERE:
        space = topic or view.tallying
        if space not in view.spaces:
            return False
    return _CHECKS[fact["type"]](view, fact, space)


def _compare(fact: Entry, number: int) -> bool:
    is_met = number >= fact["value"] if fact["is"] == LEAST else number <= fact["value"]
    return bool(is_met)


def own(view: View, space: str) -> list[SeenToken]:
    """The viewer's tokens in a space."""
    return [token for token in view.spaces[space] if token.seat == view.seat]


def own_strength(view: View, space: str) -> int:
    """Returns what they count together; a seat always sees its own."""
    return sum(token.value or 0 for token in own(view, space))


def _others(view: View, fact: Entry, space: str) -> bool:
    return _compare(fact, sum(token.seat != view.seat for token in view.spaces[space]))


def _tokens(view: View, fact: Entry, space: str) -> bool:
    return _compare(fact, sum(token.seat == fact["seat"] for token in view.spaces[space]))


def _first(view: View, fact: Entry, space: str) -> bool | None:
    """Strongest there, ties by player sequence (A35). What lasts there and turns the order round is not foreseen."""
    if view.has_magic and any(effect.space in ("", space) for effect in view.magic.effects if effect.name in _TURNING):
        return None
    mine = own_strength(view, space) + fact.get("plus", 0)
    sequence = view.sequence()
    results = {
        _beats(mine, bounds, is_before=sequence.index(view.seat or 0) < sequence.index(seat))
        for seat, bounds in _bounds(view, space).items()
    }
    if not mine:
        is_first: bool | None = False
    elif False in results:
        is_first = False
    else:
        is_first = None if None in results else True
    return is_first if is_first is None else is_first == (fact.get("is", "yes") == "yes")


_TURNING = ("last_first", "first")


def _beats(mine: int, bounds: tuple[int, int], *, is_before: bool) -> bool | None:
    least, most = bounds
    if mine > most or (mine == most and is_before):
        return True
    return False if mine < least or (mine == least and not is_before) else None


def _bounds(view: View, space: str) -> dict[Seat, tuple[int, int]]:
    """The least and the most that each other seat can have in a space, from the tokens of it that are known."""
    bounds: dict[Seat, tuple[int, int]] = {}
    for seat in {token.seat for token in view.spaces[space]} - {view.seat}:
        row = [token for token in view.spaces[space] if token.seat == seat]
        visible = sum(token.value or 0 for token in row)
        hidden = sum(token.value is None for token in row)
        left = _unseen(view, seat)
        bounds[seat] = (visible + sum(left[:hidden]), visible + sum(left[len(left) - hidden :]))
    return bounds


def _unseen(view: View, seat: Seat) -> list[int]:
    """The values of a seat's tokens that the viewer does not know the place of, ascending."""
    values = [token.value for row in view.spaces.values() for token in row if token.seat == seat and not token.source]
    return [value for value in PIECES.tokens if value not in values]


def _place(view: View, fact: Entry, space: str) -> bool | None:
    """Known once the space is ranked."""
    ranking = view.rankings.get(space)
    if ranking is None:
        return None
    return view.seat in ranking.seats and _compare(fact, ranking.seats.index(view.seat) + 1)


def _guard(view: View, fact: Entry, space: str) -> bool | None:
    return None if view.guard is None else _compare(fact, view.guard)


def _lack(view: View, fact: Entry, space: str) -> bool | None:
    return None if view.guard is None else _compare(fact, max(0, view.guard - own_strength(view, GUARD)))


def hoard(view: View) -> dict[str, int]:
    """The viewer's own treasure."""
    amounts = view.hoards[view.seat] if view.seat is not None else None
    return amounts or {}


def _camel(view: View, fact: Entry, space: str) -> bool:
    return bool(view.camel == fact["seat"])


def shown_plays(view: View) -> list[Play]:
    """Returns what has been shown in the window that is open, by others."""
    windows = [frame for frame in view.agenda if isinstance(frame, Window)]
    return [play for play in windows[-1].plays if play.seat != view.seat] if windows else []


def is_card(name: str, wanted: str) -> bool:
    """Is the card the one that is meant, or among those?"""
    return wanted in (ANY, name) or (wanted == ANY_SPELL and name in SPELLS)


def _shown(view: View, fact: Entry, space: str) -> bool:
    return any(
        is_card(play.card, fact["card"]) and fact.get("seat", ANYBODY) in (ANYBODY, play.seat)
        for play in shown_plays(view)
    )


def _hits(view: View, fact: Entry, space: str) -> bool:
    return any(is_card(play.card, fact["card"]) and is_aimed_at(view, play) for play in shown_plays(view))


def is_aimed_at(view: View, play: Play) -> bool:
    """Does a play name the viewer, one of his tokens, or a space in which he has some?"""
    spaces = [str(target) for target in play.targets.values()]
    names = {
        f"{space}:{token.number}" for space, row in view.spaces.items() for token in row if token.seat == view.seat
    }
    is_space = any(space in view.spaces and own(view, space) for space in spaces)
    return play.targets.get("seat") == view.seat or is_space or bool(names & set(spaces))


_CHECKS: dict[str, Callable[[View, Entry, str], bool | None]] = {
    "others": _others,
    "tokens": _tokens,
    "mine": lambda view, fact, space: _compare(fact, len(own(view, space))),
    "strength": lambda view, fact, space: _compare(fact, own_strength(view, space)),
    "first": _first,
    "place": _place,
    "guard": _guard,
    "lack": _lack,
    "treasure": lambda view, fact, space: _compare(fact, hoard(view)[fact["kind"]]),
    "all_treasure": lambda view, fact, space: _compare(fact, sum(hoard(view).values())),
    "cave": lambda view, fact, space: _compare(fact, sum(view.caves[cave_kind(space)])),
    "round": lambda view, fact, space: _compare(fact, view.round),
    "camel": _camel,
    BEFORE: lambda view, fact, space: fact["space"] not in view.tallied and fact["space"] != view.tallying,
    SHOWN: _shown,
    HITS: _hits,
}
