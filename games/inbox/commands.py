"""Lines that ask for something beside a move, in the same words in every game."""

from games.inbox.keywords import Keyword, spoken
from games.inbox.phrases import split

ALONE = (Keyword.STATUS, Keyword.HELP, Keyword.RESIGN, Keyword.ORDERS)
"""Commands that are a whole line; those about standing orders are in `order_lines`."""


def find(line: str) -> Keyword | None:
    """The command a whole line is, in any language."""
    said = split(line)
    return next((command for command in ALONE if said in spoken(command)), None)


def said_to_all(line: str) -> str:
    """What a line says to the table, as it was written; "" if it says nothing to it."""
    command, _space, words = line.strip().partition(" ")
    return words.strip() if (command.casefold(),) in spoken(Keyword.SAY) else ""
