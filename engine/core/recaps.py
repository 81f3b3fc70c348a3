"""What has happened since somebody last looked, in few sentences."""

from collections.abc import Iterable

import msgspec


class RecapLine(msgspec.Struct, frozen=True):
    """A sentence of a recap.

    Arguments:
        text: the sentence, or an event that says itself.
        weight: how much it matters; where there is little room the lightest are left out.
    """

    text: object
    weight: int = 1


def heaviest(told: Iterable[RecapLine], most: int) -> list[RecapLine]:
    """At most so many sentences in their order: of two that weigh the same the later one stays."""
    lines = list(told)
    kept = sorted(range(len(lines)), key=lambda place: (-lines[place].weight, -place))[:most]
    return [lines[place] for place in sorted(kept)]
