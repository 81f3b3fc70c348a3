"""What a layout of one's own tokens brings in a world: treasure, prizes of the city, artifacts."""

from collections.abc import Mapping, Sequence
from math import log

from engine.aladdins_dragons.board.facts import CAVES, GUARD, cave_kind, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.bots.estimate import city_prizes
from engine.aladdins_dragons.bots.lookahead.worlds import World, can_pay
from engine.aladdins_dragons.judging.worth import ARTIFACT, SATURATION
from engine.core import Seat

KEY_COST = 2.0  # what else the use of a key could do
Layout = Mapping[str, Sequence[int]]
"""The seat's own tokens by space; spaces without any may be left out."""


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

    def mean(self, layout: Layout, worlds: Sequence[World]) -> float:
        """What it brings on average."""
        return sum(self.value(layout, world) for world in worlds) / len(worlds)

    def value(self, layout: Layout, world: World) -> float:
        """What it brings in one world."""
        held, prize = self._taken(layout, world)
        return prize + self._palace(layout, world, held)

    def bribing(self, layout: Layout, world: World, price: int) -> float:
        """What it brings to pay the guard so much, against staying out; nothing for who cannot pay it."""
        held, _prize = self._taken(layout, world)
        out = self._hoard(sum(held))
        if price > sum(held):
            return 0.0
        for _ in range(price):
            held[held.index(max(held))] -= 1
        held.sort(reverse=True)
        bought = self._buy(layout, world, held)
        return self._hoard(sum(held)) + ARTIFACT * bought - out

    def _taken(self, layout: Layout, world: World) -> tuple[list[int], float]:
        """The treasure by kind after caves and market, and what else the city brings."""
        held = self._held[:]
        for place, (space, shelves) in enumerate(self._shelves):
            if (row := layout.get(space)) and shelves:
                rank = rank_of(sum(row), world.bars[space])
                held[place] += shelves[rank] if rank < len(shelves) else 0
        prize = 0.0
        for space, worth in self._prizes.items():
            if (row := layout.get(space)) and not rank_of(sum(row), world.bars[space]):
                if space == "market":
                    held[held.index(min(held))] += int(worth)
                else:
                    prize += worth
        return held, prize

    def _palace(self, layout: Layout, world: World, held: list[int]) -> float:
        """The better of staying out and going in, by whatever way is open."""
        out, strength = self._hoard(sum(held)), sum(layout.get(GUARD, ()))
        missing = world.guard - strength
        if missing > 0 and not strength and not self._has_key:
            return out
        held.sort(reverse=True)
        bought = self._buy(layout, world, held)
        left = sum(held)
        ways = []
        if missing <= 0:
            ways.append(self._hoard(left))
        elif strength and left >= missing:
            ways.append(self._hoard(left - missing))
        if missing > 0 and self._has_key:
            ways.append(self._hoard(left) - KEY_COST)
        return max([out, *(way + ARTIFACT * bought for way in ways)]) if bought else out

    def _buy(self, layout: Layout, world: World, held: list[int]) -> int:
        """How many artifacts are bought, each paid at once; `held` has most first."""
        bought = 0
        for room in self._rooms:
            tokens = layout.get(room)
            if tokens and sum(tokens) >= world.room_bars[room] and can_pay(held, tokens):
                bought += 1
                _pay(held, tokens)
        return bought

    def _hoard(self, amount: int) -> float:
        return self._thrift * SATURATION * log(1 + amount / SATURATION)


def rank_of(strength: int, bars: Sequence[int]) -> int:
    """How many rivals are before a strength."""
    rank = 0
    for bar in bars:
        if bar <= strength:
            break
        rank += 1
    return rank


def _pay(held: list[int], tokens: Sequence[int]) -> None:
    """Each token from the kind with most; most first again."""
    for place, token in enumerate(sorted(tokens, reverse=True)):
        held[place] -= token
    held.sort(reverse=True)
