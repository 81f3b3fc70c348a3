"""Solar Eclipse."""

from engine.aladdins_dragons.board.model import Play, State, Window
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.card import Spell
from engine.aladdins_dragons.cards.targets import all_tokens, space_field, text
from engine.aladdins_dragons.text.sentences import _
from engine.core import Field, Seat


class SolarEclipse(Spell):
    """The even ones among a space's face-up tokens go home, everybody's; a carpet, being a 3, stays (S16)."""

    name = "solar_eclipse"
    title = _("Solar Eclipse")
    rule = _("Choose a space with face-up tokens: those with even numbers go back to their owners.")

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A space with face-up tokens, but not the guard (A66)."""
        spaces = dict.fromkeys(space for space, token in all_tokens(state, guard=False) if token.face_up)
        return [*space_field(spaces)] or None

    def resolve(self, board: Board, play: Play) -> None:
        """On a tallied space nothing follows."""
        board.eclipse(play, text(play, "space"), parity=0)
