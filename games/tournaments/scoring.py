"""Points and standings of a tournament: pure functions of the places at its tables.

A table is worth as much as any other, however many sit there: a player gets the share of the opponents at his table
whom he has beaten, and half of one for each with whom he is level. The first has 1 point, the last 0, and the middle of
a table is 1/2. Who sits out a round (a table of one) has 1 point.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Places = Mapping[int, int]  # of the players at one table, by key: 1 for the first; equal if they are level
BYE = Fraction(1)


@dataclass(frozen=True)
class Line:
    """One player in the standings.

    Arguments:
        place: 1 for the first; who is level in everything shares it.
        wins: tables at which nobody came before this player. A bye is none.
        opponents: the mean points of all opponents so far, each as often as they have met; 0 without any.
        played: the number of tables, without byes.
    """

    key: int
    place: int
    points: Fraction
    wins: int
    opponents: Fraction
    played: int


def points(places: Places) -> dict[int, Fraction]:
    """The points of everybody at one table."""
    others = len(places) - 1
    if not others:
        return dict.fromkeys(places, BYE)
    return {key: Fraction(2 * _beaten(places, key) + _level(places, key), 2 * others) for key in places}


def _beaten(places: Places, key: int) -> int:
    return sum(place > places[key] for place in places.values())


def _level(places: Places, key: int) -> int:
    return sum(place == places[key] for place in places.values()) - 1


def total_points(tables: Iterable[Places]) -> defaultdict[int, Fraction]:
    """The points of everybody by key; 0 for who sat at none of these tables."""
    total: defaultdict[int, Fraction] = defaultdict(Fraction)
    for places in tables:
        for key, earned in points(places).items():
            total[key] += earned
    return total


def meetings(tables: Iterable[Places]) -> dict[int, Counter[int]]:
    """How often everybody who sat at these tables has met everybody else, by both keys."""
    met: dict[int, Counter[int]] = {}
    for places in tables:
        for key in places:
            met.setdefault(key, Counter()).update(other for other in places if other != key)
    return met


def standings(keys: Collection[int], tables: Sequence[Places]) -> list[Line]:
    """Everybody of `keys` by place. Ties are broken by wins, then by the opponents' mean points.

    Arguments:
        tables: of all rounds that count; whoever is not among `keys` counts as an opponent.
    """
    total, met = total_points(tables), meetings(tables)
    played = Counter(key for places in tables if len(places) > 1 for key in places)
    wins = Counter(key for places in tables if len(places) > 1 for key, place in places.items() if place == 1)

    def merit(key: int) -> tuple[Fraction, int, Fraction]:
        return total[key], wins[key], _mean(total, met.get(key, Counter()))

    merits = {key: merit(key) for key in keys}
    found = sorted(keys, key=lambda key: merits[key], reverse=True)
    by_merit = [merits[key] for key in found]
    return [
        Line(key, by_merit.index(merits[key]) + 1, merits[key][0], merits[key][1], merits[key][2], played[key])
        for key in found
    ]


def _mean(total: Mapping[int, Fraction], met: Counter[int]) -> Fraction:
    return sum((total[key] * count for key, count in met.items()), Fraction(0)) / (met.total() or 1)
