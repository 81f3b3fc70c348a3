"""Dragon Leaves."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Shown, Spell, at, space_field, text
from engine.aladdins_dragons.facts import CAVES, cave_kind
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _

SHELVES = (4, 2)


def is_bare(state: State, cave: str) -> bool:
    """True for a cave without treasure that has not been tallied."""
    return cave not in state.tallied and not state.caves[cave_kind(cave)]


class DragonLeaves(Spell):
    """A cave without treasure, not yet tallied, gets 4 and 2 of its kind and may be entered from now on (S7, A25)."""

    name = "dragon_leaves"
    title = _("Dragon Leaves")
    rule = _("Choose a cave without treasure: it gets 4 on its first shelf and 2 on its second, and is open.")
    keep = 2.0

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A cave without treasure."""
        return [*space_field(cave for cave in CAVES if is_bare(state, cave))] or None

    def resolve(self, board: Board, play: Play) -> None:
        """Fills the shelves as far as the bank goes, the first before the second."""
        cave = text(play, "space")
        if not is_bare(board.state, cave) or not board.fill_cave(cave, SHELVES):
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The cave."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """If the seat has tokens there."""
        return case.gain(case.outlook.with_cave(case.text("space"), SHELVES))
