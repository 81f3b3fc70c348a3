"""A card that is about to be played, aimed, as one seat looks at it."""

from dataclasses import dataclass, replace
from typing import cast

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.aladdins_dragons.board.model import Play, Window
from engine.aladdins_dragons.judging.outlook import Outlook
from engine.core import Seat


@dataclass(frozen=True)
class Case:
    """What `Card.judge` judges.

    Arguments:
        outlook: the round without the card.
        before: what it is worth to the viewer.
        viewer: whose gain counts.
        caster: who plays it.
        targets: what it is aimed at; maybe without treasure to pay or take.
    """

    outlook: Outlook
    before: float
    viewer: Seat
    caster: Seat
    targets: Targets

    def gain(self, changed: Outlook) -> float:
        """What the viewer gains if the round looks like that instead."""
        return changed.worth(self.viewer) - self.before

    def text(self, name: str) -> str:
        """A target that is a name."""
        return cast(str, self.targets[name])

    def number(self, name: str) -> int:
        """A target that is a seat or the index of a play."""
        return cast(int, self.targets[name])

    def treasure(self, name: str) -> Amounts:
        """A target that is amounts of treasure."""
        return cast(Amounts, self.targets[name])

    @property
    def shown_plays(self) -> list[Play]:
        """The plays of the window that is open."""
        frame = self.outlook.view.agenda[-1]
        return frame.plays if isinstance(frame, Window) else []

    def turned_against(self, play: Play) -> "Case":
        """Another's play, looked at by the same viewer."""
        return replace(self, caster=play.seat, targets=play.targets)
