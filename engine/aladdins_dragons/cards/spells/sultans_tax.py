"""Sultan's Tax."""

from collections.abc import Sequence

from engine.aladdins_dragons.cards.families import Tax
from engine.aladdins_dragons.facts import ROOMS
from engine.aladdins_dragons.model import State
from engine.core import Text
from engine.core.language import _


class SultansTax(Tax):
    """Holds all others pay one for each of their tokens in the rooms, or take all of them back (S18, A93)."""

    name = "sultans_tax"
    title = _("Sultan's Tax")
    rule = _("All others pay treasure worth 1 for each of their tokens in the palace rooms, or take all of them back.")
    sentences = {
        "sultans_tax-ask": _("Sultan's Tax: do you pay {price} for your tokens in the rooms, or take them all back?"),
        "sultans_tax-pay": _("Pay {price} for them"),
        "sultans_tax-remove": _("Take back all your tokens in the rooms"),
        "sultans_tax-default": _("You take back all your tokens in the rooms."),
    }
    spaces = ROOMS
    rate = 1
    is_piecemeal = False
    keep = 2.0

    def title_of(self, state: State, names: Sequence[str], price: int) -> Text:
        """About all of them."""
        return Text("sultans_tax-ask", {"price": price})
