"""What can be wrong with a record, by code, in English, and how it is said in the reader's language.

The catalogues in locale/ have the other languages.
"""

from engine.core import Text
from engine.core.language import _, catalogue, locale_of

LOCALE = locale_of(__package__)
DOMAIN = "records"

SENTENCES = {
    "record.malformed": _("This is no record of a game: {detail}"),
    "record.too-large": _("This file is larger than a record can be: {most} MB at the most."),
    "record.rules": _("Version {version} of the rules “{rules}” is not known here."),
    "record.time": _("The time {time} is not possible in this game."),
    "record.seed": _("The seed is not the one that was committed to."),
    "record.joined": _("The seats do not say in which order their players sat down."),
    "record.seats": _("The players do not sit where the seed had drawn them to."),
    "record.missing": _("Move {number} is missing."),
    "record.impossible": _("Move {number} is not possible."),
    "record.events": _("Move {number} leads to other events."),
    "record.chain": _("The hash chain breaks at move {number}."),
    "record.state": _("The stored state is not the one after move {number}."),
    "record.state-too-large": _("After move {number} the position has more than {most} kB: no game comes to that."),
    "record.too-many-branches": _("This game was taken back more than {most} times."),
    "record.too-much-memory": _("Checking this record takes more than {most} MB of memory."),
    "record.too-much-time": _("Checking this record takes more than {most} s of processor time."),
    "record.unfinished": _("The game is not over after its last move."),
    "record.outcome": _("The game ended otherwise than the record says."),
    "record.other-commitment": _("The commitment is not the one you have."),
    "record.other-head": _("The last hash is not the one you have."),
    "record.unproven": _(
        "Without {missing} nobody can tell whether this is the record of your game: another one, played with a seed of"
        " somebody's own, would fit as well."
    ),
}


def say(fault: Text, language: str) -> str:
    """The sentence of a fault."""
    return catalogue(LOCALE, DOMAIN, language).gettext(SENTENCES[fault.code]).format(**fault.params)
