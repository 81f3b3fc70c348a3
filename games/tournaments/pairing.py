"""Seats the next round of a tournament: pure, and the same whenever it is asked again.

Everybody plays if that is possible: tables have the tournament's size or one player less, at need one more, and differ
by one at most. Only where the game allows no such tables do as few as possible sit out. Nobody meets somebody again
while there are others to meet; among such seatings, players with like points sit together.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from random import Random

STARTS = 6  # arrangements from which a better one is looked for; the best of them is taken
MOST_PASSES = 12  # through all players of one arrangement

Table = list["Contender"]
Weight = Callable[["Contender", "Contender"], int]  # how bad it is that two sit together


@dataclass(frozen=True)
class Contender:
    """A player who is to be seated.

    Arguments:
        lot: drawn once for the tournament; decides between equals.
        byes: how many rounds this player has sat out.
        met: how often this player has met others, by their keys.
    """

    key: int
    lot: int
    points: Fraction = Fraction(0)
    byes: int = 0
    met: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Seating:
    """The keys of those who sit at each table, the leaders first, and of those who sit out."""

    tables: list[list[int]]
    byes: list[int]


def sizes(count: int, size: int, allowed: Collection[int]) -> list[int]:
    """The sizes of the tables for so many players, the largest first; their sum is less if some must sit out.

    Arguments:
        size: of a table, if all goes well.
        allowed: the numbers of players that the game can be played with.
    """
    for seated in range(count, 0, -1):
        for most in (size, size + 1):
            found = _split(seated, most, allowed)
            if found:
                return found
    return []


def _split(count: int, most: int, allowed: Collection[int]) -> list[int]:
    """Returns the sizes of as few tables as possible, of at most `most` players, that differ by one; [] if none fit."""
    for tables in range(-(-count // most), count + 1):
        least, larger = divmod(count, tables)
        found = [least + 1] * larger + [least] * (tables - larger)
        if set(found) <= set(allowed):
            return found
    return []


def draw(contenders: Sequence[Contender], size: int, allowed: Collection[int]) -> Seating:
    """Seats the players of a round. Who sits out has done so least often, and of those has the fewest points."""
    wanted = sizes(len(contenders), size, allowed)
    by_claim = sorted(
        contenders, key=lambda contender: (contender.byes, contender.points, -contender.lot), reverse=True
    )
    out = by_claim[sum(wanted) :]
    order = sorted(by_claim[: sum(wanted)], key=lambda one: (-one.points, one.lot))
    best = _best([_cut(start, wanted) for start in _starts(order)], _weights(order))
    return Seating([[one.key for one in table] for table in best], [one.key for one in out])


def _starts(order: Sequence[Contender]) -> Iterator[Sequence[Contender]]:
    """The players by points; then with those of equal points in other orders, always the same."""
    yield order
    dice = Random(len(order))  # noqa: S311  nothing is hidden here, and everybody gets the same
    for _again in range(STARTS - 1):
        lots = {one.key: dice.random() for one in order}
        yield sorted(order, key=lambda one: (-one.points, lots[one.key]))


def _cut(order: Sequence[Contender], wanted: Sequence[int]) -> list[Table]:
    rest = iter(order)
    return [[next(rest) for _seat in range(size)] for size in wanted]


def _weights(order: Sequence[Contender]) -> Weight:
    """How bad it is that two sit together: the square of their distance in points, and far worse if they have met.

    In whole numbers, which are exact as fractions are, and much quicker.
    """
    unit = lcm(*(one.points.denominator for one in order)) if order else 1
    points = {one.key: int(one.points * unit) for one in order}
    widest = max(points.values(), default=0) - min(points.values(), default=0)
    again = (len(order) * (widest + 1)) ** 2  # more than all distances together

    def weight(one: Contender, other: Contender) -> int:
        return again * one.met.get(other.key, 0) + (points[one.key] - points[other.key]) ** 2

    return weight


def _best(starts: Sequence[list[Table]], weight: Weight) -> list[Table]:
    """The best of what can be made of these; the first in which nobody meets again is good enough."""
    found: list[tuple[int, int, list[Table]]] = []
    for number, start in enumerate(starts):
        tables = _improved(start, weight)
        found.append((sum(weight(*pair) for table in tables for pair in combinations(table, 2)), number, tables))
        if not any(_repeats(table, seat) for table in tables for seat in range(len(table))):
            break
    return min(found)[2]


def _improved(tables: list[Table], weight: Weight) -> list[Table]:
    """Lets players who meet somebody again change seats with others, each where it helps most, until nothing helps."""
    for _round in range(MOST_PASSES):
        changed = [
            _exchange(tables, here, seat, weight)
            for here, table in enumerate(tables)
            for seat in range(len(table))
            if _repeats(table, seat)
        ]
        if not any(changed):
            break
    return tables


def _repeats(table: Table, seat: int) -> bool:
    return any(table[seat].met.get(other.key) for other in table)


def _exchange(tables: list[Table], here: int, seat: int, weight: Weight) -> bool:
    """Lets one player change seats with the best of all others. Returns whether that made anything better."""
    one = tables[here][seat]
    left = [other for other in tables[here] if other is not one]
    relief = sum(weight(one, other) for other in left)
    best, place = 0, None
    for there, table in enumerate(tables):
        if there == here:
            continue
        joined = [weight(one, other) for other in table]
        together = sum(joined)
        for number, other in enumerate(table):
            change = together - joined[number] - relief
            change += sum(weight(other, near) for near in left)
            change -= sum(weight(other, near) for near in table if near is not other)
            if change < best:
                best, place = change, (there, number)
    if place is None:
        return False
    there, number = place
    tables[here][seat], tables[there][number] = tables[there][number], one
    return True


# Points and standings

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
        return total[key], wins[key], _mean_points(total, met.get(key, Counter()))

    merits = {key: merit(key) for key in keys}
    found = sorted(keys, key=lambda key: merits[key], reverse=True)
    by_merit = [merits[key] for key in found]
    return [
        Line(key, by_merit.index(merits[key]) + 1, merits[key][0], merits[key][1], merits[key][2], played[key])
        for key in found
    ]


def _mean_points(total: Mapping[int, Fraction], met: Counter[int]) -> Fraction:
    return sum((total[key] * count for key, count in met.items()), Fraction(0)) / (met.total() or 1)
