"""Further names of things for answers by mail, with commas between them; the first is the one examples use.

`_` only marks a sentence for the catalogues. Spaces need none: they are called by their value, such as E4.
"""

from engine.core.language import _

REPLY_SENTENCES = {
    "words-move": _("move, go"),
    "words-fly": _("fly"),
    "words-place_genie": _("genie, place the genie"),
    # kinds of order, and answers that are made exact when the time comes
    "words-order-move": _("moving"),
    "words-order-carpet": _("carpet, flying"),
    "words-order-genie": _("genie"),
    "words-take_best": _("best, take best, take the best"),
    "words-take_kind": _("best of, take"),
    "words-take_character": _("take with, with"),
    "words-best_square": _("best square"),
    # what an order may depend on
    "words-fact-points": _("points, my points"),
    "words-fact-lead": _("lead, my lead"),
    "words-fact-behind": _("behind, I am behind by"),
    "words-fact-points_of": _("points of"),
    "words-fact-roll": _("roll, my roll"),
    "words-fact-gain": _("gain"),
    "words-fact-left": _("left, left in the cave"),
    "words-fact-reach": _("reach, I reach"),
    "words-fact-filled": _("filled"),
}
