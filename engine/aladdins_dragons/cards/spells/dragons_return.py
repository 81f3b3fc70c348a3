"""Dragon's Return."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import Shown, Spell, at, space_field, text
from engine.aladdins_dragons.facts import CAVES, cave_kind
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


def _has_prey(state: State, cave: str) -> bool:
    """Treasure lies there, and the cave is not tallied (A36)."""
    return cave not in state.tallied and bool(state.caves[cave_kind(cave)])


class DragonsReturn(Spell):
    """Holds all treasure of a cave not yet tallied goes to the bank; its tokens stay and win nothing (S8).

    In the tally only: neither while tokens are placed nor in the window after the last of them (A30).
    """

    name = "dragons_return"
    title = _("Dragon's Return")
    rule = _("During the tally: all treasure of a cave that has not been tallied goes back to the bank.")
    keep = 1.8

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """A cave with treasure, in a window of the tally: one that opens at a space."""
        if window.where not in state.spaces:
            return None
        return [*space_field(cave for cave in CAVES if _has_prey(state, cave))] or None

    def resolve(self, board: Board, play: Play) -> None:
        """Returns what lies there now."""
        cave = text(play, "space")
        if _has_prey(board.state, cave):
            board.empty_cave(cave)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """The cave."""
        return at(text(play, "space"))

    def judge(self, case: Case) -> float:
        """If others would take the treasure."""
        return case.gain(case.outlook.with_cave(case.text("space"), ()))
