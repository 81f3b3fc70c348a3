"""Smuggler."""

from collections.abc import Iterable
from dataclasses import replace

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Shown, Spell, at, untallied
from engine.aladdins_dragons.effects import FIRST
from engine.aladdins_dragons.facts import CITY
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


def empty_city(state: State) -> list[str]:
    """The spaces of the city without a token."""
    return [space for space in CITY if not state.spaces[space]]


class Smuggler(Spell):
    """The strongest, without a token, in every space of the city that is empty between caves and city (S15, A33).

    Whoever comes there later is his equal: player sequence decides. A closed space does not stop him.
    """

    name = "smuggler"
    title = _("Smuggler")
    rule = _("After the last cave: you count as the strongest in every space of the city without a token.")
    keep = 2.4

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Only between caves and city, and only with an empty space there."""
        return [] if window.where == "caves" and empty_city(state) else None

    def resolve(self, board: Board, play: Play) -> None:
        """The spaces that are empty now."""
        spaces = empty_city(board.state)
        for space in spaces:
            board.begin_effect(FIRST, play.seat, space)
        if not spaces:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The spaces of the city that are empty."""
        return at(*(space for space in CITY if space in untallied(shown) and not shown.spaces[space]))

    def judge(self, case: Case) -> float:
        """Returns what the empty spaces of the city bring."""
        return case.gain(replace(case.outlook, smuggler=case.caster))
