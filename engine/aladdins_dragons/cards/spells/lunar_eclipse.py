"""Lunar Eclipse."""

from engine.aladdins_dragons.cards.families import Eclipse
from engine.core.language import _


class LunarEclipse(Eclipse):
    """The odd ones among a space's face-up tokens go home, everybody's; carpets are a 3 and go too (S10, A90)."""

    name = "lunar_eclipse"
    title = _("Lunar Eclipse")
    rule = _("Choose a space with face-up tokens: those with odd numbers go back to their owners, carpets too.")
    keep = 2.2
    parity = 1
