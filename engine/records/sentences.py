"""What can be wrong with a record and what the verifier prints, by code, in English; and in the reader's language.

The catalogues in locale/ have the other languages.
"""

from engine.core import Text
from engine.core.language import _, catalogue, locale_of

LOCALE = locale_of(__package__)
DOMAIN = "records"

SENTENCES = {
    # What is wrong with a record
    "record.malformed": _("This isn't a game record: {detail}"),
    "record.too-large": _("This file is too large. A record has at most {most} MB."),
    "record.rules": _("This needs version {version} of the rules “{rules}”, which isn't here."),
    "record.version": _("This record has version {version} of the format, which is newer than this program."),
    "record.time": _("The time {time} can't be right in this game."),
    "record.seed": _("The seed doesn't match the commitment."),
    "record.joined": _("The seats don't say in which order the players joined."),
    "record.seats": _("The players aren't in the seats that the seed gave them."),
    "record.bot": _("These rules have no bot “{bot}”."),
    "record.missing": _("Move {number} is missing."),
    "record.impossible": _("Move {number} is against the rules."),
    "record.events": _("Move {number} leads to something other than the record says."),
    "record.chain": _("The hash of move {number} is wrong."),
    "record.position": _("The position's hash of move {number} is wrong."),
    "record.state": _("The stored position isn't the one after move {number}."),
    "record.state-too-large": _("The position after move {number} has more than {most} kB, which no game needs."),
    "record.too-many-branches": _("This game was rolled back more than {most} times."),
    "record.too-much-memory": _("Checking this record takes more than {most} MB of memory."),
    "record.too-much-time": _("Checking this record takes more than {most} seconds of processor time."),
    "record.unfinished": _("The game isn't over after its last move."),
    "record.outcome": _("The game ended differently from what the record says."),
    "record.other-commitment": _("The commitment isn't the one you gave."),
    "record.other-head": _("The last hash isn't the one you gave."),
    "record.unproven": _(
        "To be sure that this is your own game, give {missing} as well: a game played with another seed would pass too."
    ),
    # The verifier's own
    "verifier.about": _(
        "Checks records of games: the commitment, the drawing of the seats, every shuffle, every move and the result. "
        "Each move is played again by the rules inside this file. To be sure that a record is of your own game, give "
        "the commitment from the email that told you of the start, and the last hash that the table shows."
    ),
    "verifier.record": _("a record of a game; - for standard input"),
    "verifier.commitment": _("the commitment that you were sent when the game started"),
    "verifier.hash": _("the hash of the last move, as the table shows it"),
    "verifier.language": _("the language of all that is printed: {languages}"),
    "verifier.help": _("show this help"),
    "verifier.usage": _("Usage:"),
    "verifier.wrong": _("These arguments can't be understood. --help explains them."),
    "verifier.absent": _("There's no such file."),
    "verifier.unreadable": _("This file can't be read."),
    "verifier.passed": _("The record is correct."),
    "verifier.failed": _("The record is wrong. {why}"),
    "verifier.unchecked": _("This record can't be checked here. {why}"),
    "verifier.table": _("Table: {title} ({ref})"),
    "verifier.rules": _("Rules: {rules}, version {version}, {seats} seats"),
    "verifier.moves": _("Moves: {moves}, all played again from the seed with the same events, positions and hashes"),
    "verifier.seed": _("Commitment: {commitment}"),
    "verifier.head": _("Last hash: {head}"),
}


def languages() -> list[str]:
    """The languages there are, English first."""
    return ["en", *sorted(one.name for one in LOCALE.iterdir() if one.is_dir())]


def say(fault: Text, language: str) -> str:
    """The sentence of a fault."""
    return catalogue(LOCALE, DOMAIN, language).gettext(SENTENCES[fault.code]).format(**fault.params)
