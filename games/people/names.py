"""Names of players: which are taken, told apart at a table, inside sentences, and those of the rules' bots.

In a sentence a name that is written from right to left does not turn what stands around it. UAX 9, 2.4.2: what comes
between FSI and PDI is laid out by itself. Names in scripts that run as the sentences do need neither, and stay as they
are.
"""

import re
import unicodedata
from collections.abc import Collection
from functools import cache

from django.conf import settings
from django.utils.translation import gettext, override

from games.errors import Illegal
from games.people.characters import CHARACTERS

RIGHT_TO_LEFT = ("R", "AL", "AN")
BEGIN, END = "\u2068", "\u2069"
UNSEEN = str.maketrans({BEGIN: None, END: None})

NARROW, WIDE = "iljtfrI.,'’:;|!-()[] ", "mwMW@%"  # letters, in the widest of the usual fonts
LONGEST = 40  # characters of a name on the board
MOST_SEATS = 20  # of any table
# Tell namesakes apart. Roman, because strengths and sums follow names in the log: "Anna 2 9" would be a riddle.
ORDINALS = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
BOTS = {bot: character.name for bot, character in CHARACTERS.items()}  # one of a package keeps its own name

RESERVED = (
    "Admin", "Administrator", "Administrador", "Moderator", "Moderador", "Support", "Soporte", "System", "Sistema",
    "Guest", "Gast", "Invitado", "Postmaster", "Webmaster", "Root",
)  # fmt: skip
BLANK = dict.fromkeys((0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0), " ")  # printable, and empty
NEUTRAL = {"COMMON", "INHERITED"}
TOGETHER = {"LATIN", "HAN", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}  # written together (UTS 39, 5.2)


def of_bot(stored: str, bot: str) -> str:
    """Returns the name that readers see of a seat's bot, with its ordinal: "Nur II" of the stored "Bot greedy II"."""
    plain = f"Bot {bot}"
    return BOTS[bot] + stored[len(plain) :] if bot in BOTS and stored.startswith(plain) else stored


def of_hidden(number: int) -> str:
    """Returns what the player of a seat is called while names are hidden; 0 before the seats are drawn."""
    return gettext("Player %(number)s") % {"number": number} if number else gettext("A player")


def _as_read(stored: str) -> str:
    return next((of_bot(stored, bot) for bot in BOTS if stored.startswith(f"Bot {bot}")), stored)


def visible(name: str) -> str:
    """The name on one line, without what nobody sees: control and format characters, and letters that are blank."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in name.translate(BLANK)).split())


def checked(name: str) -> str:
    """A name by which others know somebody, a club or a program. Raises Illegal for one that deceives.

    It has a letter or a digit, is not written in several scripts to look like another one, and is not a word by which
    the service itself speaks.
    """
    name = visible(name)
    if not any(unicodedata.category(sign)[0] in "LN" for sign in name):
        raise Illegal(gettext("A name must contain letters."), code="not-a-name", field="name")
    if _is_mixed(name):
        raise Illegal(
            gettext("This name mixes letters of several alphabets that look alike. Please use one alphabet."),
            code="not-a-name",
            field="name",
        )
    if skeleton(name).replace(" ", "") in _reserved() or _reads_as_seat(name):
        raise Illegal(gettext("This name is reserved. Please choose another."), code="taken", field="name")
    return name


def _is_mixed(name: str) -> bool:
    """Whether a word has letters of several alphabets, some of which look like those of another one."""
    from confusable_homoglyphs.categories import unique_aliases  # here, because its lists take eight megabytes
    from confusable_homoglyphs.confusables import is_confusable

    return any(
        len(scripts := unique_aliases(word) - NEUTRAL) > 1 and not scripts <= TOGETHER and bool(is_confusable(word))
        for word in name.split()
    )


@cache
def _reserved() -> frozenset[str]:
    """Skeletons of the names of the service and of those who speak for it, in all languages."""
    words = {settings.SITE_NAME, *RESERVED, *BOTS, *(f"Bot {bot}" for bot in BOTS)}
    for language, _label in settings.LANGUAGES:
        with override(language):
            words |= {gettext("Former player"), *(gettext("Bot %(name)s") % {"name": name} for name in BOTS)}
            words |= {of_hidden(number) for number in range(MOST_SEATS + 1)}
    return frozenset(skeleton(word).replace(" ", "") for word in words)


def _reads_as_seat(name: str) -> bool:
    """Whether a name is what a player is called while names are hidden, with any number: "Player_21"."""
    plain = re.sub(r"[\W\d_]+", "", name)
    return any(map(str.isnumeric, name)) and skeleton(plain) in {skeleton(word) for word in _words_for_hidden()}


@cache
def _words_for_hidden() -> frozenset[str]:
    """Returns "Player" in all languages."""
    words = set()
    for language, _label in settings.LANGUAGES:
        with override(language):
            words.add(of_hidden(1).replace("1", "").strip())
    return frozenset(words)


def told_apart(name: str, taken: Collection[str]) -> str:
    """Returns the name, with an ordinal if somebody at the table has one that reads alike ("Ben", "BEN", "Bén")."""
    alike = {skeleton(_as_read(other)) for other in taken}
    candidates = (name, *(f"{name[: LONGEST - 6]} {ordinal}" for ordinal in ORDINALS))
    return next(candidate for candidate in candidates if skeleton(_as_read(candidate)) not in alike)


def skeleton(name: str) -> str:
    """Returns what a hasty reader sees of a name (UTS 39): no case, no accents, no signs that are not seen, and of
    letters that look alike always the same one; a capital I is an l."""
    parts = unicodedata.normalize("NFKD", visible(name).casefold())
    letters = (_alike(sign) for sign in parts if unicodedata.category(sign) not in ("Mn", "Cf", "Cc"))
    return " ".join("".join(letters).casefold().replace("i", "l").split())


def _alike(sign: str) -> str:
    """The sign that stands in a skeleton for all that look like this one."""
    from confusable_homoglyphs.confusables import confusables_data

    others = confusables_data.get(sign, ())
    if len(others) != 1:  # it stands for them, or nothing looks like it
        return sign
    other = str(others[0]["c"])
    return other if len(confusables_data[other]) > 1 or len(other) > 1 or other.isascii() > sign.isascii() else sign


def isolated(name: str) -> str:
    """A name as it stands in a sentence."""
    turns = not name.isascii() and any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name)
    return f"{BEGIN}{name}{END}" if turns else name


def fitted(name: str, room: float, size: float, *, is_bold: bool = False) -> str:
    """The name cut to the room there is, as `shortened` does it.

    Arguments:
        room, size: of the line and of the font, in the same units. The widest of the usual fonts is reckoned with.
    """
    ems = room / size / (1.1 if is_bold else 1)
    cuts = (shortened(name, most) for most in range(len(name), 1, -1))
    return next((cut for cut in cuts if sum(map(_width, cut.translate(UNSEEN))) <= ems), shortened(name, 1))


def _width(sign: str) -> float:
    if sign in NARROW:
        return 0.36
    if sign in WIDE or unicodedata.east_asian_width(sign) in "WF" or (sign.isupper() and not sign.isascii()):
        return 0.97
    return 0.7 if sign.isupper() else 0.62


def shortened(name: str, most: int) -> str:
    """The same in so many characters at most, with a sign that some are missing; the ordinal of a namesake stays."""
    bare = name.translate(UNSEEN)
    first, _space, last = bare.rpartition(" ")
    end = f" {last}" if first and last in ORDINALS else ""
    return isolated(bare if len(bare) <= most else f"{bare[: most - 1 - len(end)].rstrip()}…{end}")


def clean_title(title: str) -> str:
    """The title on one line, without what nobody sees, at most 60 characters."""
    return visible(title)[:60].strip()
