"""Scroll."""

from collections.abc import Iterable

from engine.aladdins_dragons.cards.card import Artifact, Shown
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Play
from engine.core import Seat
from engine.core.language import _


class Scroll(Artifact):
    """Never invoked; at the end it breaks ties among those with most artifacts (A85, A96)."""

    name = "scroll"
    title = _("Scroll")
    rule = _("Whoever has the most scrolls wins a tie at the end of the game. It has no other use.")
    moments = frozenset()
    can_be_borrowed = False
    keep = 2.0

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """It is never declared."""
        return ()

    def judge(self, case: Case) -> float:
        """It is never declared."""
        return 0.0
