"""Names of players: told apart at a table, inside sentences, and those of the rules' bots in the reader's language.

In a sentence a name that is written from right to left does not turn what stands around it. UAX 9, 2.4.2: what comes
between FSI and PDI is laid out by itself. Names in scripts that run as the sentences do need neither, and stay as they
are.
"""

import unicodedata
from collections.abc import Collection

from django.utils.translation import gettext, pgettext_lazy

RIGHT_TO_LEFT = ("R", "AL", "AN")
BEGIN, END = "\u2068", "\u2069"
UNSEEN = str.maketrans({BEGIN: None, END: None})

LONGEST = 40  # characters of a name on the board
# Tell namesakes apart. Roman, because strengths and sums follow names in the log: "Anna 2 9" would be a riddle.
ORDINALS = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
BOTS = {  # that both games have; one of a package keeps its own name
    "random": pgettext_lazy("name of a bot", "random"),
    "greedy": pgettext_lazy("name of a bot", "greedy"),
    "sultan": pgettext_lazy("name of a bot", "sultan"),
}


def of_bot(stored: str, bot: str) -> str:
    """Returns the name of a seat's bot in the active language, with its ordinal: "Bot Codicioso II" of "Bot greedy II".

    Arguments:
        stored: the name of the seat, which is the same for everybody.
    """
    plain = f"Bot {bot}"
    if bot not in BOTS or not stored.startswith(plain):
        return stored
    return gettext("Bot %(name)s") % {"name": BOTS[bot]} + stored[len(plain) :]


def told_apart(name: str, taken: Collection[str]) -> str:
    """Returns the name, with an ordinal if somebody at the table has one that reads alike ("Ben", "BEN", "Bén")."""
    alike = {_skeleton(one) for one in taken}
    candidates = (name, *(f"{name[: LONGEST - 6]} {ordinal}" for ordinal in ORDINALS))
    return next(candidate for candidate in candidates if _skeleton(candidate) not in alike)


def _skeleton(name: str) -> str:
    """What is left of a name for a hasty reader: no case, no accents, no signs that are not seen."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    seen = (sign for sign in parts if unicodedata.category(sign) not in ("Mn", "Cf", "Cc"))
    return " ".join("".join(seen).split())


def isolated(name: str) -> str:
    """A name as it stands in a sentence."""
    turns = not name.isascii() and any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name)
    return f"{BEGIN}{name}{END}" if turns else name


def shortened(name: str, most: int) -> str:
    """The same in so many characters at most, with a sign that some are missing; the ordinal of a namesake stays."""
    bare = name.translate(UNSEEN)
    first, _space, last = bare.rpartition(" ")
    end = f" {last}" if first and last in ORDINALS else ""
    return isolated(bare if len(bare) <= most else f"{bare[: most - 1 - len(end)].rstrip()}…{end}")
