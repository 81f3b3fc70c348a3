"""What a seat can expect from the tokens it has placed, judged from what it sees. Values are in treasure."""

from collections.abc import Mapping, Sequence
from math import exp

from engine.aladdins_dragons.board.facts import CAVES, GUARD, PIECES, cave_kind, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.judging.worth import ARTIFACT, CAMEL, DJINN, EXCHANGE, MEAN_TOKEN, SPELL, greed
from engine.core import Seat

SPREAD = 3.0  # how unsure a guess at a face-down strength is
STILL_TO_COME = 0.25  # strength that each token in an opponent's hand may yet add to a given space
BARE_CHANCE = 0.5  # of entering the palace for a seat that has no token at the guard yet but some in hand
KEY_COST = 2.0  # what else the use of a key in hand could do
PRIZES = {"market": EXCHANGE, "caravanserai": CAMEL}

Rows = Mapping[str, Sequence[int]]
"""The seat's own tokens by space."""


class Estimate:
    """The opponents as one seat sees them, and what its own tokens are worth against them."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._view = view
        self._seat = seat
        self._rivals = {space: self._strengths(space) for space in view.spaces}
        self._hoard = dict(view.hoards[seat] or {})
        self._greed = greed(sum(self._hoard.values()))
        self._prizes = city_prizes(view)
        self._has_key = view.has_magic and "key" in (view.magic.artifacts or []) and not view.magic.used[seat]

    def _strengths(self, space: str) -> list[float]:
        """What each opponent may bring to a space; those who are not there yet count with little."""
        view = self._view
        found = []
        for seat in range(view.seats):
            if seat != self._seat:
                tokens = [token for token in view.spaces[space] if token.seat == seat]
                seen = sum(MEAN_TOKEN if token.value is None else token.value for token in tokens)
                found.append(seen + STILL_TO_COME * view.hand_counts[seat])
        return found

    def own_rows(self) -> dict[str, list[int]]:
        """The seat's own tokens by space."""
        return {
            space: [token.value for token in row if token.seat == self._seat and token.value is not None]
            for space, row in self._view.spaces.items()
        }

    def value(self, rows: Rows, in_hand: int) -> float:
        """What the rows can be expected to bring, with so many tokens still in hand."""
        caves = {space: self._cave(space, sum(rows[space])) for space in CAVES}
        city = sum(prize * self._first(space, rows) for space, prize in self._prizes.items())
        return self._greed * (sum(caves.values()) + city) + self._palace(rows, in_hand, caves)

    def _beaten(self, space: str, strength: int) -> list[float]:
        """For each opponent the chance that he is stronger."""
        return [1 / (1 + exp((strength - rival) / SPREAD)) for rival in self._rivals[space]]

    def _first(self, space: str, rows: Rows) -> float:
        if not rows[space]:
            return 0.0
        chance = 1.0
        for beaten in self._beaten(space, sum(rows[space])):
            chance *= 1 - beaten
        return chance

    def _cave(self, space: str, strength: int) -> float:
        """The shelf at the expected rank, between two shelves in proportion."""
        shelves = [*self._view.caves[cave_kind(space)], 0, 0]
        if strength == 0:
            return 0.0
        rank = min(sum(self._beaten(space, strength)), len(shelves) - 2)
        upper = int(rank)
        return shelves[upper] + (shelves[upper + 1] - shelves[upper]) * (rank - upper)

    def _palace(self, rows: Rows, in_hand: int, caves: Mapping[str, float]) -> float:
        """The chance to enter times what the rooms bring, less the bribe to be expected."""
        holdings = {kind: self._hoard[kind] + caves[f"cave-{kind}"] * 0.7 for kind in self._hoard}
        goods = sum(self._room(room, rows, holdings) for room in rooms(self._view.seats))
        if self._has_key:
            return max(0.0, goods - KEY_COST)
        if not rows[GUARD]:
            return goods * BARE_CHANCE if in_hand else 0.0
        missing = [max(0, guard - sum(rows[GUARD])) for guard in PIECES.guards]
        spare = max(0.0, sum(holdings.values()) - 5)  # a purchase costs about five
        enter = sum(bribe <= spare for bribe in missing) / len(missing)
        bribe = sum(min(bribe, spare) for bribe in missing) / len(missing)
        if not goods and in_hand:
            goods = 5.0 if spare else 0.0
        return enter * goods - (self._greed * bribe if goods else 0.0)

    def _room(self, room: str, rows: Rows, holdings: Mapping[str, float]) -> float:
        tokens = sorted(rows[room], reverse=True)
        kinds = sorted(holdings.values(), reverse=True)
        if not tokens or any(token > kind for token, kind in zip(tokens, kinds, strict=False)):
            return 0.0
        return (ARTIFACT - self._greed * sum(tokens)) * self._first(room, rows)


def city_prizes(view: View) -> dict[str, float]:
    """What the strongest gets: spells while there are any, a second artifact if the viewer has two to use."""
    if not view.has_magic:
        return dict(PRIZES)
    tools = sum(tile not in ("scroll", "lamp") for tile in view.magic.artifacts or [])
    return {
        **PRIZES,
        "tent": SPELL if view.magic.spell_deck_count else 0.0,
        "djinn": DJINN if tools + bool(view.magic.spells) > 1 else 0.0,
    }
