"""Where Aladdin may go: the one source of what is legal, for states and for views."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from engine.cave_of_wonders.board.cave import LINES, SPACES


def walk(spaces: Mapping[str, object | None], aladdin: str, direction: str, roll: int) -> list[str]:
    """The treasures Aladdin walks over, the last one his landing: `roll` of them, or up to the wall if it comes first.

    Empty spaces are jumped and not counted (C15); none at all means that there is no move that way (C19).
    """
    return _walk(spaces, LINES[aladdin][direction], roll)


def _walk(spaces: Mapping[str, object | None], line: Sequence[str], roll: int) -> list[str]:
    return [space for space in line if spaces[space] is not None][:roll]


def landings(spaces: Mapping[str, object | None], aladdin: str, roll: int, *, full_distance: bool) -> dict[str, str]:
    """The landings of a roll, each with its direction (C14 to C19).

    Arguments:
        full_distance: if some direction allows the full number, leave out those that do not (C17).
    """
    walks = {direction: _walk(spaces, line, roll) for direction, line in LINES[aladdin].items()}
    if full_distance and any(len(walked) == roll for walked in walks.values()):
        return {walked[-1]: direction for direction, walked in walks.items() if len(walked) == roll}
    return {walked[-1]: direction for direction, walked in walks.items() if walked}


class Aimable(Protocol):
    """What a carpet asks of a token in the cave."""

    @property
    def is_open_character(self) -> bool:
        """True if a character is to be seen on it."""


A = TypeVar("A", bound=Aimable)


def targets(spaces: Mapping[str, A | None]) -> list[str]:
    """Where a carpet may fly: every token without a visible character, wherever it lies (C38)."""
    return [space for space in SPACES if (token := spaces[space]) is not None and not token.is_open_character]
