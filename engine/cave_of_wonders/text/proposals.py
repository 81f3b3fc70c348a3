"""Why a proposal is made, in words."""

from engine.core.language import _

PROPOSAL_SENTENCES = {
    "why-most": _("Nothing else is sure to bring more than {gain}."),
    "why-again": _("It brings {gain}, and another token after it."),
    "why-next": _("It brings {gain}, and is best with the next turn in view."),
    "why-hidden": _("It lies face down and brings about {gain} on average."),
    "why-genie": _("There the genie brings {gain} at once."),
    "why-later": _("There the genie helps most to complete a row or a column."),
}
"""Sentences by code."""
