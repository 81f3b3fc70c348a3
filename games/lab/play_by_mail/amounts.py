"""Filling number fields that must make a total together."""

from collections.abc import Sequence
from random import Random


class Unfillable(ValueError):
    """A form asks for something that nobody can give."""


def split(total: int, limits: Sequence[int], dice: Random) -> list[int]:
    """Amounts for fields with these limits that make exactly `total`, drawn piece by piece.

    Raises Unfillable if the limits do not allow so many.
    """
    if sum(limits) < total:
        raise Unfillable(f"{total} in all, but the limits {list(limits)} allow fewer")
    amounts = [0] * len(limits)
    for _piece in range(total):
        room = [index for index, limit in enumerate(limits) if amounts[index] < limit]
        amounts[dice.choice(room)] += 1
    return amounts


def draw_distinct(choices: Sequence[Sequence[str]], dice: Random) -> list[str] | None:
    """One value from each list, no value twice, drawn at random; None if that cannot be."""
    drawn: list[str] = []
    return drawn if _extend(drawn, choices, dice) else None


def _extend(drawn: list[str], choices: Sequence[Sequence[str]], dice: Random) -> bool:
    if len(drawn) == len(choices):
        return True
    here = choices[len(drawn)]
    for value in dice.sample(list(here), len(here)):
        if value not in drawn:
            drawn.append(value)
            if _extend(drawn, choices, dice):
                return True
            drawn.pop()
    return False
