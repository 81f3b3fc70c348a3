"""A card somebody plays, aimed, as one seat looks at it."""

from dataclasses import dataclass, replace
from typing import cast

from engine.aladdins_dragons.actions import VARIANT, Targets
from engine.aladdins_dragons.board.model import Play
from engine.aladdins_dragons.bots.judging.outlook import Outlook
from engine.core import Seat


@dataclass(frozen=True)
class Case:
    """What is judged.

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
    card: str
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

    def turned_against(self, play: Play) -> "Case":
        """Another's play, looked at by the same viewer."""
        return replace(self, caster=play.seat, card=play.card, targets=play.targets)

    def borrowed(self) -> "Case":
        """The card whose power is borrowed."""
        return replace(self, card=self.text(VARIANT))
