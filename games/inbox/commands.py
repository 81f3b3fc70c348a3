"""Lines that ask for something beside a move, in the same words in every game."""

from games.play.keywords import Keyword, split, spoken

ALONE = (Keyword.STATUS, Keyword.HELP, Keyword.RESIGN, Keyword.ORDERS)
"""Commands that are a whole line; those about standing orders are in `order_lines`."""


def find_command(line: str) -> Keyword | None:
    """Return the command that a whole line is, in any language, or None."""
    words = split(line)
    return next((command for command in ALONE if words in spoken(command)), None)


def is_yes(line: str) -> bool:
    """Return whether the line is no more than a yes, in any language: it plays what is proposed."""
    return split(line.rstrip(".! ")) in spoken(Keyword.YES)


def parse_table_talk(line: str) -> str:
    """Return what a line says to the table, as it was written; "" if it is not table talk."""
    command, _space, words = line.strip().partition(" ")
    return words.strip() if (command.casefold(),) in spoken(Keyword.SAY) else ""
