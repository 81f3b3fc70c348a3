"""What the forms of orders are made of: options and fields."""

from collections.abc import Iterable
from functools import cache
from random import Random

from engine.aladdins_dragons.board.facts import KINDS
from engine.aladdins_dragons.board.model import State
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.deck import ALL_CARDS, SPELLS
from engine.aladdins_dragons.views.determinise import determinise
from engine.core import ActionForm, Choice, Option, Question, Text

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
    """What happens at the deadline."""
    return plain("default", "wish-default")


def own_world(view: View) -> State:
    """A state in which everything the seat can see is as it sees it; only that may be read from it."""
    return determinise(view, Random(0))  # nothing of what is drawn is used


def find_form(question: Question, kind: str) -> ActionForm | None:
    """The form of that type, if the question has it."""
    return next((form for form in question.actions if form.type == kind), None)
