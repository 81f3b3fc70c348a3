"""Charity."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import TREASURE, Shown, Spell, amounts_field, possible, treasure
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _

GIFT = 3


class Charity(Spell):
    """Three of value from the bank, in any mix the bank has (S4, A39, A44)."""

    name = "charity"
    title = _("Charity")
    rule = _("Take treasure worth 3 from the bank, in any kinds it has.")
    keep = 3.0

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Returns what to take, named when it is declared."""
        return [*amounts_field("take", state.bank, GIFT)] or None

    def resolve(self, board: Board, play: Play) -> None:
        """Gives as much of it as the bank still has."""
        amounts = possible(treasure(play, "take"), board.state.bank)
        if amounts:
            board.take(play.seat, amounts, self.name)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Nobody else."""
        return TREASURE if seat == play.seat else ()

    def judge(self, case: Case) -> float:
        """Always some good."""
        return case.gain(case.outlook.with_gain(case.caster, GIFT))
