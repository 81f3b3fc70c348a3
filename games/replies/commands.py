"""Words that mean the same in every game. The one place where a further one, such as `plan` or `say`, comes in."""

from enum import StrEnum

from django.conf import settings
from django.utils import translation
from django.utils.translation import pgettext

from games.replies.phrases import split


class Command(StrEnum):
    """What a line may ask for beside a move."""

    STATUS = "status"
    HELP = "help"
    RESIGN = "resign"


def _words(command: Command) -> str:
    return {
        # Translators: the words of an answer by mail that ask for the state of the game, with commas between them
        Command.STATUS: pgettext("reply by mail", "status, board"),
        # Translators: the words of an answer by mail that ask for help, with commas between them
        Command.HELP: pgettext("reply by mail", "help"),
        # Translators: the words of an answer by mail that give up the seat, with commas between them
        Command.RESIGN: pgettext("reply by mail", "resign, I resign"),
    }[command]


def find(line: str) -> Command | None:
    """The command a whole line is, in any language."""
    said = split(line)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for command in Command:
                if said in (split(word) for word in _words(command).split(",")):
                    return command
    return None


def word(command: Command) -> str:
    """What the command is called in the reader's language."""
    return _words(command).split(",")[0]
