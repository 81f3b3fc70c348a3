"""Spells that send home the face-up tokens of a space whose numbers are odd, or even."""

from collections.abc import Iterable
from typing import ClassVar

from engine.aladdins_dragons.board.model import Play, State, Window
from engine.aladdins_dragons.board.verbs import Board
from engine.aladdins_dragons.cards.card import Spell
from engine.aladdins_dragons.cards.targets import all_tokens, space_field, text
from engine.aladdins_dragons.cards.touching import Shown, at
from engine.aladdins_dragons.judging.case import Case
from engine.core import Field, Seat


class Eclipse(Spell):
    """The face-up tokens of a space whose value has that parity go home, everybody's (S10, S16).

    Arguments:
        parity: 1 for odd values, 0 for even ones.
    """

    parity: ClassVar[int]

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A space with face-up tokens, but not the guard (A66)."""
        spaces = dict.fromkeys(space for space, token in all_tokens(state, guard=False) if token.face_up)
        return [*space_field(spaces)] or None

    def resolve(self, board: Board, play: Play) -> None:
        """On a tallied space nothing follows."""
        board.eclipse(play, text(play, "space"), self.parity)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """If the tokens that go are mostly in the way."""
        return case.gain(
            case.outlook.with_row(
                case.text("space"),
                lambda row: tuple(piece for piece in row if not piece.face_up or piece.value % 2 != self.parity),
            )
        )
