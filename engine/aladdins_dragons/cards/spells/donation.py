"""Donation."""

from engine.aladdins_dragons.cards.families import GIVING, Giving
from engine.core.language import _


class Donation(Giving):
    """Everybody, the caster too, returns treasure worth 5 of his choice, or all he has (S6, A93)."""

    name = "donation"
    title = _("Donation")
    rule = _("All players, including you, return treasure worth 5 to the bank; anyone with less returns everything.")
    sentences = {f"donation-{code}": sentence for code, sentence in GIVING.items()}
    price = 5
    keep = 1.5
