"""Aladdin's Lamp."""

from collections.abc import Iterable

from engine.aladdins_dragons.cards.card import Artifact, Shown
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


class Lamp(Artifact):
    """For the rest of the round its owner may play as many spells as he likes; the first may come with it (A84)."""

    name = "lamp"
    title = _("Aladdin's Lamp")
    short = _("Lamp")
    can_be_borrowed = False
    rule = _("For the rest of the round you may play any number of your spells.")
    keep = 1.0

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """Worth a question only with a spell in hand and no lamp lit yet."""
        return bool(state.magic.spells[seat]) and self.name not in state.magic.used[seat]

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """None: it lies before its owner. A second lamp would add nothing."""
        return None if self.name in state.magic.used[seat] else []

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Nobody: what may be played under it is shown by itself."""
        return ()

    def judge(self, case: Case) -> float:
        """Nothing by itself: it is lit with the first spell."""
        return 0.0
