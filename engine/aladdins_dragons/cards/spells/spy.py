"""Spy."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import PLACING, Shown, Spell
from engine.aladdins_dragons.effects import FACE_UP
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Placing, Play
from engine.core import Seat
from engine.core.language import _

SEEING = 4.0  # what it brings to see the tokens of others as they come


class Spy(Spell):
    """Holds all others place face up from now on; the caster does not, and what lies face down stays so (S17, A31)."""

    name = "spy"
    title = _("Spy")
    rule = _("For the rest of the round all other players place their tokens face up.")
    keep = 1.6

    def resolve(self, board: Board, play: Play) -> None:
        """Once all tokens are placed it does nothing."""
        if any(isinstance(frame, Placing) for frame in board.state.agenda):
            board.begin_effect(FACE_UP, play.seat)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """While tokens are placed every placement of the others; afterwards nothing."""
        is_placing = any(isinstance(frame, Placing) for frame in shown.agenda)
        return PLACING if is_placing and seat != play.seat else ()

    def judge(self, case: Case) -> float:
        """Before tokens are placed."""
        return 0.0 if any(case.outlook.view.turns) else SEEING
