"""Flying Carpet."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Artifact, Shown, at_open
from engine.aladdins_dragons.effects import may_bring
from engine.aladdins_dragons.facts import GUARD
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _

STRENGTH = 3


class Carpet(Artifact):
    """A token of 3 in the space being tallied, any space, the guard and empty ones too (A65, A71, A72, A86)."""

    name = "carpet"
    title = _("Flying Carpet")
    short = _("Carpet")
    rule = _("It becomes a token of strength 3 in the space that is being tallied. In a room you pay for it too.")
    keep = 2.5

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """Not under Taboo!, not into a cave without treasure, into a room only for those admitted (A86)."""
        return window.where == state.tallying and may_bring(state, seat, window.where)

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """The space is the one being tallied."""
        return [] if self.fits(state, seat, window) else None

    def borrowed_targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Not into the guard's space (S13)."""
        return None if window.where == GUARD else self.targets(state, seat, window)

    def resolve(self, board: Board, play: Play) -> None:
        """If the space may still be entered."""
        space = board.state.tallying
        if may_bring(board.state, play.seat, space):
            board.add_token(play.seat, space, STRENGTH, self.name)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The space being tallied; at the guard nobody else (A62)."""
        return at_open([shown.tallying])

    def judge(self, case: Case) -> float:
        """If three more in the space being tallied bring a better rank, or let it in at the guard."""
        outlook = case.outlook
        return case.gain(outlook.with_token(outlook.view.tallying, case.caster, STRENGTH))
