"""And the last will be the first."""

from collections.abc import Iterable
from dataclasses import replace

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Shown, Spell, at, untallied
from engine.aladdins_dragons.effects import LAST_FIRST
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play
from engine.core import Seat
from engine.core.language import _


class LastFirst(Spell):
    """From the space being tallied on, never at the guard, a 1 counts as 9 and a 9 as 1 (S3).

    That is "swap19"; where the table option says "reverse" the weakest ranks first instead.
    """

    name = "last_first"
    title = _("And the last will be the first")
    rule = _("In the space being tallied and all later ones except the guard, a 1 counts as 9 and a 9 as 1.")
    other_rules = {
        "reverse": _(
            "In the space being tallied and all later ones except the guard, the weakest counts as the strongest."
        ),
    }
    keep = 2.5

    def resolve(self, board: Board, play: Play) -> None:
        """Whatever has been ranked stays so."""
        board.begin_effect(LAST_FIRST, play.seat)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Every space still to be tallied but the guard."""
        return at(*untallied(shown))

    def judge(self, case: Case) -> float:
        """Returns as if the weakest were first from here on: the same guess serves where 1 and 9 change places."""
        return case.gain(replace(case.outlook, is_turned=not case.outlook.is_turned))
