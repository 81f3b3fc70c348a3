"""What a layout of one's own tokens brings in a world: treasure, prizes of the city, artifacts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from engine.aladdins_dragons.board.facts import CAVES, GUARD, cave_kind, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.estimate import city_prizes
from engine.aladdins_dragons.bots.lookahead.worlds import World, can_pay
from engine.aladdins_dragons.judging.worth import ARTIFACT, SATURATION
from engine.core import Seat

KEY_COST = 2.0  # what else the use of a key could do
Layout = Mapping[str, Sequence[int]]
"""The seat's own tokens by space; spaces without any may be left out."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a layout comes to before the others' tokens are known, summed up once for all worlds.

    Arguments:
        caves: of each with own tokens and treasure the kind's place in the hoard, its space, the treasure by rank, and
            the seat's strength there.
        prizes: of each place of the city with own tokens its name, what the first there gets, and the seat's strength.
        guard: the seat's strength at the guard.
        rooms: of each with own tokens and something for sale its name, the seat's strength, and the tokens,
            highest first.
    """

    caves: list[tuple[int, str, Sequence[int], int]]
    prizes: list[tuple[str, float, int]]
    guard: int
    rooms: list[tuple[str, int, list[int]]]


class Harvest:
    """Values layouts of one seat in one position."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._shelves = [(space, view.caves[cave_kind(space)]) for space in CAVES]
        self._held = list((view.hoards[seat] or {}).values())
        self._prizes = city_prizes(view)
        self._has_key = view.has_magic and "key" in (view.magic.artifacts or []) and not view.magic.used[seat]
        self._rooms = [room for room in rooms(view.seats) if view.offers[room]]
        left = sum(view.offers.values())
        self._thrift = min(1.0, left / (1.5 * view.seats))  # treasure is for artifacts: the fewer are left, the less

    def stakes(self, layout: Layout) -> Stakes:
        """Sums a layout up."""
        own = {space: (sum(row), row) for space, row in layout.items() if row}
        return Stakes(
            [
                (place, space, shelves, own[space][0])
                for place, (space, shelves) in enumerate(self._shelves)
                if space in own and shelves
            ],
            [(space, worth, own[space][0]) for space, worth in self._prizes.items() if space in own],
            own[GUARD][0] if GUARD in own else 0,
            [(room, own[room][0], sorted(own[room][1], reverse=True)) for room in self._rooms if room in own],
        )

    def total(self, stakes: Stakes, worlds: Sequence[World], more: float = 0.0) -> float:
        """What it brings in some worlds together, and `more`."""
        return sum((self.value(stakes, world) for world in worlds), more)

    def value(self, stakes: Stakes, world: World) -> float:
        """What it brings in one world."""
        held, prize = self._taken(stakes, world)
        return prize + self._palace(stakes, world, held)

    def bribing(self, stakes: Stakes, world: World, price: int) -> float:
        """What it brings to pay the guard so much, against staying out; nothing for who cannot pay it."""
        held, _prize = self._taken(stakes, world)
        out = self._hoard(sum(held))
        if price > sum(held):
            return 0.0
        for _ in range(price):
            held[held.index(max(held))] -= 1
        held.sort(reverse=True)
        bought = _buy(stakes, world, held)
        return self._hoard(sum(held)) + ARTIFACT * bought - out

    def _taken(self, stakes: Stakes, world: World) -> tuple[list[int], float]:
        """The treasure by kind after caves and market, and what else the city brings."""
        held = self._held[:]
        for place, space, shelves, strength in stakes.caves:
            rank = rank_of(strength, world.bars[space])
            if rank < len(shelves):
                held[place] += shelves[rank]
        prize = 0.0
        for space, worth, strength in stakes.prizes:
            bars = world.bars[space]
            if bars and bars[0] > strength:
                continue
            if space == "market":
                held[held.index(min(held))] += int(worth)
            else:
                prize += worth
        return held, prize

    def _palace(self, stakes: Stakes, world: World, held: list[int]) -> float:
        """The better of staying out and going in, by whatever way is open."""
        out, strength = self._hoard(sum(held)), stakes.guard
        missing = world.guard - strength
        if not stakes.rooms or (missing > 0 and not strength and not self._has_key):
            return out
        held.sort(reverse=True)
        bought = _buy(stakes, world, held)
        if not bought:
            return out
        left, inside = sum(held), -inf
        if missing <= 0:
            inside = self._hoard(left)
        elif strength and left >= missing:
            inside = self._hoard(left - missing)
        if missing > 0 and self._has_key:
            inside = max(inside, self._hoard(left) - KEY_COST)
        return max(out, inside + ARTIFACT * bought)

    def _hoard(self, amount: int) -> float:
        return self._thrift * SATURATION * log(1 + amount / SATURATION)


def _buy(stakes: Stakes, world: World, held: list[int]) -> int:
    """How many artifacts are bought, each paid at once; `held` has most first."""
    bought = 0
    for room, strength, tokens in stakes.rooms:
        if strength >= world.room_bars[room] and can_pay(held, tokens):
            bought += 1
            _pay(held, tokens)
    return bought


def rank_of(strength: int, bars: Sequence[int]) -> int:
    """How many rivals are before a strength."""
    rank = 0
    for bar in bars:
        if bar <= strength:
            break
        rank += 1
    return rank


def _pay(held: list[int], tokens: Sequence[int]) -> None:
    """Each token from the kind with most; both have most first, before and after."""
    for place, token in enumerate(tokens):
        held[place] -= token
    held.sort(reverse=True)
