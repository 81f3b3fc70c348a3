"""The sentences of standing orders: what can be answered in advance, and on what it may depend."""

from engine.core.language import _

ORDER_SENTENCES = {
    # kinds of decision
    "order-move": _("When you move Aladdin"),
    "order-carpet": _("When you fly on the carpet"),
    "order-genie": _("When you place a genie"),
    # answers that are made exact when the time comes
    "wish-kind": _("Take the best treasure of a kind"),
    "wish-character": _("Take a treasure with this character"),
    "wish-best": _("Take what is sure to bring most"),
    "wish-square": _("Put it where it brings most at once"),
    "field-kind": _("Kind"),
    "field-character": _("Character"),
    "field-seat": _("Player"),
    "field-is": _("How"),
    "field-value": _("Number"),
    "at-least": _("at least"),
    "at-most": _("at most"),
    "number": "{value}",
    "space": "{space}",
    "seat": "{seat}",
    "hidden-character": _("nobody to be seen"),
    "character-carpet": _("the carpet"),
    "character-monkey": _("the monkey"),
    "character-princess": _("the princess"),
    "character-sorcerer": _("the sorcerer"),
    # what an order may depend on
    "fact-points": _("My points"),
    "fact-lead": _("My points above the best of the others"),
    "fact-behind": _("The best of the others above me"),
    "fact-points_of": _("Points of a player"),
    "fact-roll": _("The number I rolled"),
    "fact-gain": _("The best choice surely brings"),
    "fact-left": _("Treasures left in the cave"),
    "fact-reach": _("Among my choices is"),
    "fact-filled": _("On my board is filled"),
}
"""Sentences by code."""
