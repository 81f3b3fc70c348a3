"""Further names of things for answers by mail, with commas between them; the first is the one examples use.

`_` only marks a sentence for the catalogues. Spaces need none: they are called by their value, such as E4.
"""


def _(sentence: str) -> str:
    return sentence


REPLY_SENTENCES = {
    "words-move": _("move, go"),
    "words-fly": _("fly"),
    "words-place_genie": _("genie, place the genie"),
}
