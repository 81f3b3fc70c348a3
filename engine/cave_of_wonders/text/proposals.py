"""Why a proposal is made, in words."""

from engine.core.language import _

PROPOSAL_SENTENCES = {
    "why-sure": _("It is sure to bring {gain} at once."),
    "why-hidden": _("What lies face down there promises more than what you see."),
    "why-later": _("It helps most to complete a row or a column later."),
}
"""Sentences by code."""
