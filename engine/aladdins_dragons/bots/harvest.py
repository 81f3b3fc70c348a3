"""What a layout of one's own tokens brings in a world: treasure, prizes of the city, artifacts."""

from collections.abc import Mapping, Sequence
from math import log

from engine.aladdins_dragons.bots.estimate import city_prizes
from engine.aladdins_dragons.bots.worlds import World, can_pay
from engine.aladdins_dragons.bots.worth import ARTIFACT, EXCHANGE, SATURATION
from engine.aladdins_dragons.facts import CAVES, GUARD, cave_kind, rooms
from engine.aladdins_dragons.model import View
from engine.core import Seat

KEY_COST = 2.0  # what else the use of a key could do
Layout = Mapping[str, Sequence[int]]
"""The seat's own tokens by space; spaces without any may be left out."""


class Harvest:
    """The scales of one seat in one position."""

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
        held, bars, prize = self._held[:], world.bars, 0.0
        for place, (space, shelves) in enumerate(self._shelves):
            if (row := layout.get(space)) and shelves:
                strength, rank = sum(row), 0
                for bar in bars[space]:
                    if bar <= strength:
                        break
                    rank += 1
                if rank < len(shelves):
                    held[place] += shelves[rank]
        for space, worth in self._prizes.items():
            if (row := layout.get(space)) and (not bars[space] or sum(row) >= bars[space][0]):
                prize += worth
                if space == "market":
                    held[held.index(min(held))] += int(EXCHANGE)
                    prize -= worth
        return prize + self._palace(layout, world, held)

    def _palace(self, layout: Layout, world: World, held: list[int]) -> float:
        """The better of staying out and going in, by whatever way is open."""
        out = self._hoard(sum(held))
        row = layout.get(GUARD)
        missing = world.guard - sum(row) if row else world.guard
        if missing > 0 and not row and not self._has_key:
            return out
        held.sort(reverse=True)
        bought, total = 0, sum(held)
        for room in self._rooms:
            tokens = layout.get(room)
            if tokens and sum(tokens) >= world.room_bars[room] and can_pay(held, tokens):
                bought += 1
                _pay(held, tokens)
        if not bought:
            return out
        inside = ARTIFACT * bought
        if missing > 0:
            left = sum(held)
            bribed = inside + self._hoard(left - missing) if row and left >= missing else out
            keyed = inside + self._hoard(left) - KEY_COST if self._has_key else out
            return max(out, bribed, keyed)
        return max(out, inside + self._hoard(sum(held))) if total else out

    def _hoard(self, amount: int) -> float:
        return self._thrift * SATURATION * log(1 + amount / SATURATION)


def _pay(held: list[int], tokens: Sequence[int]) -> None:
    """Each token from the kind with most; most first again."""
    for place, token in enumerate(sorted(tokens, reverse=True)):
        held[place] -= token
    held.sort(reverse=True)
