"""What is in the box: the heads of its tables on the page of the rules."""

from engine.core.language import _

PIECE_SENTENCES = {
    "pieces-deck": _("Treasure cards for {seats} players"),
    "pieces-card": _("Card"),
    "pieces-artifacts": _("Artifacts"),
    "pieces-spells": _("Spells"),
    "pieces-count": _("How many"),
    "pieces-rule": _("What it does in the magic version"),
}
