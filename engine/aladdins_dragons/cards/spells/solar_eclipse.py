"""Solar Eclipse."""

from engine.aladdins_dragons.cards.families import Eclipse
from engine.core.language import _


class SolarEclipse(Eclipse):
    """The even ones among a space's face-up tokens go home, everybody's; a carpet, being a 3, stays (S16)."""

    name = "solar_eclipse"
    title = _("Solar Eclipse")
    rule = _("Choose a space with face-up tokens: those with even numbers go back to their owners.")
    keep = 2.2
    parity = 0
