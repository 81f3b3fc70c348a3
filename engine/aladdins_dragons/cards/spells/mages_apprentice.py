"""Mage's Apprentice."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import CARDS, Shown, Spell, at, card_field, space_field, text
from engine.aladdins_dragons.effects import spare_tiles
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


class MagesApprentice(Spell):
    """The face-up artifact of a room for an own one not used this round, which is for sale there now (S11, A95).

    The one taken may be used at once. Rooms tallied without a sale will do. Without one to give there is no swap.
    """

    name = "mages_apprentice"
    title = _("Mage's Apprentice")
    rule = _("Take the face-up artifact of a room and leave there one of yours that you have not used this round.")
    keep = 1.0

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A room with a face-up artifact, and what is given for it."""
        tiles = card_field(spare_tiles(state, seat), "give")
        offers = space_field(state.magic.offers)
        return [*offers, *tiles] if offers and tiles else None

    def declared(self, board: Board, play: Play) -> None:
        """Naming it shows that the seat has it (A47)."""
        board.show_tile(play.seat, text(play, "give"))

    def resolve(self, board: Board, play: Play) -> None:
        """If it is still unused and something still lies face up."""
        room, tile = text(play, "space"), text(play, "give")
        if room in board.state.magic.offers and tile in spare_tiles(board.state, play.seat):
            board.swap_offer(play.seat, room, tile)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The room in which something else is for sale then."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """If the artifact for sale is more useful than the one given for it."""
        return CARDS[case.outlook.view.magic.offers[case.text("space")]].keep - CARDS[case.text("give")].keep
