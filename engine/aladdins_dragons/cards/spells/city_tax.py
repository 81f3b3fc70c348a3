"""City Tax."""

from collections.abc import Sequence

from engine.aladdins_dragons.cards.card import find_token
from engine.aladdins_dragons.cards.families import Tax
from engine.aladdins_dragons.facts import CITY
from engine.aladdins_dragons.model import State
from engine.core import Text
from engine.core.language import _


class CityTax(Tax):
    """Holds all others pay two for each of their tokens in the city, token by token, or take it back (S5, A93)."""

    name = "city_tax"
    title = _("City Tax")
    rule = _("All others pay treasure worth 2 for each of their tokens in the city, or take the token back.")
    sentences = {
        "city_tax-ask": _("City Tax: do you pay {price} for your {value} {at}, or take it back?"),
        "city_tax-pay": _("Pay {price} for it"),
        "city_tax-remove": _("Take the token back"),
        "city_tax-default": _("You take the token back."),
    }
    spaces = CITY
    rate = 2
    is_piecemeal = True
    keep = 2.2

    def title_of(self, state: State, names: Sequence[str], price: int) -> Text:
        """About one token, which its owner knows."""
        match = find_token(state, names[0])
        assert match, names
        return Text("city_tax-ask", {"price": price, "value": match[1].value, "at": {"at": match[0]}})
