"""Spy."""

from engine.aladdins_dragons.board.effects import FACE_UP
from engine.aladdins_dragons.board.model import Placing, Play
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.card import Spell
from engine.aladdins_dragons.text.sentences import _


class Spy(Spell):
    """All others place face up from now on; the caster does not, and what lies face down stays so (S17, A31)."""

    name = "spy"
    title = _("Spy")
    rule = _("For the rest of the round all other players place their tokens face up.")

    def resolve(self, board: Board, play: Play) -> None:
        """Once all tokens are placed it does nothing."""
        if any(isinstance(frame, Placing) for frame in board.state.agenda):
            board.begin_effect(FACE_UP, play.seat)
        else:
            board.fizzle(play)
