"""Taboo!"""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Shown, Spell, at, space_field, text
from engine.aladdins_dragons.effects import CLOSED
from engine.aladdins_dragons.facts import GUARD
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _

SAVED = 0.3  # the part of a prize that is saved by letting nobody else come near it


class Taboo(Spell):
    """No token comes into a space any more this round, placed, moved or flown; what lies there counts (S19).

    A double is allowed, for nothing is placed; who counts as first without a token is not stopped either.
    """

    name = "taboo"
    title = _("Taboo!")
    rule = _("Choose a space: for the rest of the round no token may come into it, not even a flying carpet.")
    keep = 1.4

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Any space but the guard (A66)."""
        return [*space_field(space for space in state.spaces if space != GUARD)]

    def resolve(self, board: Board, play: Play) -> None:
        """Into a tallied space nothing could come anyway."""
        space = text(play, "space")
        if space in board.state.tallied:
            board.fizzle(play)
        else:
            board.begin_effect(CLOSED, play.seat, space)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """If something is to be kept there: what the space brings with its tokens, of which a part might get lost."""
        return -SAVED * case.gain(case.outlook.with_row(case.text("space"), lambda _row: ()))
