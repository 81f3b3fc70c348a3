"""What a play touches of the orders of others, in words: spaces, kinds of decision, types of facts. Public facts alone.

A card says in `Card.touches` which of these; a shown play suspends the orders that name one of them
(`engine.orders.firing.is_touched`). What acts on its player alone touches nobody else.
"""

from collections.abc import Iterable
from typing import TypeAlias

from engine.aladdins_dragons.board.facts import GUARD
from engine.aladdins_dragons.board.model import Play, State, Token
from engine.aladdins_dragons.board.view_model import SeenToken, View
from engine.aladdins_dragons.cards.targets import text
from engine.core import Seat

Shown: TypeAlias = State | View
"""What everybody sees; of a state only that may be read here."""

TREASURE = ("treasure", "all_treasure", "bribe", "buy", "market")
"""Facts about one's own treasure, and the decisions in which it is spent."""

PLACING = ("place",)
"""Every placement."""

_ASKED_AT = {"caravanserai": "camel"}
"""The spaces whose decision is of a kind that has another name."""


def at(*spaces: str) -> list[str]:
    """What lies in these spaces, who is first there, and what is decided there."""
    return [*spaces, *(_ASKED_AT[space] for space in spaces if space in _ASKED_AT)]


def at_open(spaces: Iterable[str]) -> list[str]:
    """As `at`; at the guard everybody stands for himself, so what comes there touches nobody else (A62)."""
    return at(*(space for space in spaces if space != GUARD))


def space_of(play: Play, name: str = "token") -> str:
    """The space of the token that a play names."""
    return text(play, name).partition(":")[0]


def owner_of(shown: Shown, name: str) -> Seat | None:
    """Whose token it is; None once it has left its place."""
    space, _, number = name.partition(":")
    rows: dict[str, list[Token]] | dict[str, list[SeenToken]] = shown.spaces
    return next((token.seat for token in rows[space] if str(token.number) == number), None)


def spaces_of(shown: Shown, seats: Iterable[Seat], among: Iterable[str]) -> list[str]:
    """Those of the spaces in which one of the seats has tokens."""
    wanted = set(seats)
    rows: dict[str, list[Token]] | dict[str, list[SeenToken]] = shown.spaces
    return [space for space in among if any(token.seat in wanted for token in rows.get(space, ()))]


def without_guard(shown: Shown) -> list[str]:
    """Every space but the guard."""
    return [space for space in shown.spaces if space != GUARD]


def untallied(shown: Shown) -> list[str]:
    """The spaces still to be tallied, the one whose tokens lie open included, but not the guard (A66)."""
    return [space for space in without_guard(shown) if space not in shown.tallied]
