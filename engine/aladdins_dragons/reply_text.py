"""Further names of things for answers by mail, with commas between them; the first is the one examples use.

`_` only marks a sentence for the catalogues.
"""


def _(sentence: str) -> str:
    return sentence


REPLY_SENTENCES = {
    "words-crown": _("crowns, crown"),
    "words-pearl": _("pearls, pearl"),
    "words-gem": _("gems, gem, gemstones, gemstone"),
    "words-trophy": _("trophies, trophy"),
    "words-gold": _("gold, gold bar, gold bars"),
    "words-cave-crown": _("crowns, crown, crown cave"),
    "words-cave-pearl": _("pearls, pearl, pearl cave"),
    "words-cave-gem": _("gems, gem, gemstones, gemstone, gem cave"),
    "words-cave-trophy": _("trophies, trophy, trophy cave"),
    "words-cave-gold": _("gold, gold cave"),
    "words-tent": _("tent"),
    "words-djinn": _("djinn, house of the djinn"),
    "words-market": _("market"),
    "words-caravanserai": _("caravanserai"),
    "words-guard": _("guard"),
    "words-take_treasures": _("take"),
    "words-place": _("place, put"),
    "words-exchange": _("exchange, swap"),
    "words-keep": _("pass, keep, do not exchange"),
    "words-give_camel": _("give camel, give the camel, camel"),
    "words-leave_camel": _("pass, leave camel, leave the camel"),
    "words-bribe": _("bribe"),
    "words-stay_out": _("pass, stay out"),
    "words-buy": _("buy"),
    "words-decline": _("pass, decline, do not buy"),
    "words-pass": _("pass"),
    "words-pass_until": _("pass until, pass until the"),
    "words-pass_round": _("pass round, pass this round"),
    "words-pass_until_shown": _("pass until shown, pass until somebody plays"),
}
