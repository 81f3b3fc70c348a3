"""Sacrifice."""

from engine.aladdins_dragons.cards.families import GIVING, Giving
from engine.core.language import _


class Sacrifice(Giving):
    """Everybody, the caster too, returns treasure worth 7 of his choice, or all he has (S14, A93)."""

    name = "sacrifice"
    title = _("Sacrifice")
    rule = _("All players, including you, return treasure worth 7 to the bank; anyone with less returns everything.")
    sentences = {f"sacrifice-{code}": sentence for code, sentence in GIVING.items()}
    price = 7
    keep = 1.5
