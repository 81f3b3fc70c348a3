"""What has happened since somebody last looked, in few sentences."""

from collections.abc import Callable, Iterable

import msgspec


class RecapLine(msgspec.Struct, frozen=True):
    """A sentence of a recap.

    Arguments:
        text: the sentence, or an event that says itself.
        weight: how much it matters; where there is little room the lightest are left out.
    """

    text: object
    weight: int = 1


def heaviest(
    told: Iterable[RecapLine], most: int, cost: Callable[[RecapLine], int] = lambda _line: 1
) -> list[RecapLine]:
    """The sentences that matter most, in their order: of two that weigh the same the later one stays.

    Arguments:
        most: what they may cost together; one sentence stays whatever it costs.
        cost: of a sentence; by default each costs 1, so that `most` is their number.
    """
    lines, spent = list(told), 0
    kept: list[int] = []
    for place in sorted(range(len(lines)), key=lambda place: (-lines[place].weight, -place)):
        price = cost(lines[place])
        if spent + price <= most or not kept:
            kept.append(place)
            spent += price
    return [lines[place] for place in sorted(kept)]
