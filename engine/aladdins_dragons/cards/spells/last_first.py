"""And the last will be the first."""

from dataclasses import replace

from engine.aladdins_dragons.board.effects import LAST_FIRST
from engine.aladdins_dragons.board.model import Play
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.card import Spell
from engine.aladdins_dragons.judging.case import Case
from engine.core.language import _


class LastFirst(Spell):
    """From the space being tallied on, never at the guard, the order is turned round (S3).

    The table option says how: "reverse" ranks the weakest first, "swap19" lets a 1 count 9 and a 9 count 1.
    """

    name = "last_first"
    title = _("And the last will be the first")
    rule = _("In the space being tallied and all later ones but the guard the weakest counts as the strongest.")
    other_rules = {
        "swap19": _("In the space being tallied and all later ones but the guard a 1 counts as 9, and a 9 as 1."),
    }
    keep = 2.5

    def resolve(self, board: Board, play: Play) -> None:
        """Whatever has been ranked stays so."""
        board.begin_effect(LAST_FIRST, play.seat)

    def judge(self, case: Case) -> float:
        """If it is mostly the weakest from here on; the same guess serves where 1 and 9 change places."""
        return case.gain(replace(case.outlook, is_turned=not case.outlook.is_turned))
