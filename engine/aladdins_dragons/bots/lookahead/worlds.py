"""Rounds as they may end: where the others' tokens may lie once all are placed, dealt from what one seat sees.

For looking ahead while tokens are placed: bare numbers, microseconds a layout. The tally in full is in `flow`; what is
left out here is what nobody can foresee then, such as cards that others may play.
"""

from collections.abc import Mapping, Sequence
from random import Random

from engine.aladdins_dragons.board.effects import CLOSED
from engine.aladdins_dragons.board.facts import CAVES, GUARD, KINDS, PIECES, cave_kind, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.judging.worth import CAMEL, EXCHANGE, SPELL
from engine.core import Seat

TENDENCY = {"cave": 5.2, "guard": 5.0, "room": 3.8, "city": 5.0}
"""How strong the tokens are that players put in each part of the board, on average."""

NOISE = 3.0  # how far they stray from that
PULL = {"guard": 5.0, "room": 3.5, "market": EXCHANGE, "caravanserai": CAMEL, "tent": SPELL, "djinn": 1.0}
"""What draws tokens to a space; to a cave it is half its treasure."""

BRIBE_SPARE = 4  # what others keep for buying when they bribe


class World:
    """One way in which the others' tokens may lie.

    Arguments:
        bars: by space the strengths the seat must reach to be before each rival there, highest first.
        room_bars: by room the strength it must reach to be the first who can buy.
        guard: his strength.
    """

    __slots__ = ("bars", "guard", "room_bars")

    def __init__(self, bars: dict[str, list[int]], room_bars: dict[str, int], guard: int) -> None:
        self.bars, self.room_bars, self.guard = bars, room_bars, guard


class Worlds:
    """Deals worlds that look like a view to its seat."""

    def __init__(self, view: View, seat: Seat, random: Random) -> None:
        self._view, self._random = view, random
        sequence = view.sequence()
        self._rivals = [other for other in sequence if other != seat]
        self._is_before = {other: sequence.index(other) < sequence.index(seat) for other in self._rivals}
        self._spaces = [space for space in view.spaces if _pull(view, space)]
        self._pulls = [_pull(view, space) for space in self._spaces]
        self._rooms = [room for room in rooms(view.seats) if view.offers[room]]
        self._seen = {other: _seen(view, other) for other in self._rivals}

    def pulls(self, spaces: Sequence[str]) -> list[float]:
        """How much each space draws tokens."""
        return [_pull(self._view, space) for space in spaces]

    def draw(self) -> World:
        """One of them."""
        guard = self._view.guard or self._random.choice(PIECES.guards)
        return self.of({other: self.layout(other) for other in self._rivals}, guard)

    def of(self, layouts: Mapping[Seat, Mapping[str, Sequence[int]]], guard: int) -> World:
        """The world in which the rivals' tokens lie so."""
        bars: dict[str, list[int]] = {space: [] for space in self._view.spaces}
        for other, rows in layouts.items():
            for space, row in rows.items():
                if row:
                    bars[space].append(sum(row) + self._is_before[other])
        for found in bars.values():
            found.sort(reverse=True)
        return World(bars, self._room_bars(layouts, guard), guard)

    def layout(self, other: Seat) -> dict[str, list[int]]:
        """What is known of a rival's tokens, and the rest of them where such tokens tend to lie."""
        open_tokens, hidden, unseen = self._seen[other]
        rows = {space: list(row) for space, row in open_tokens.items()}
        gauss = self._random.gauss
        places = [*hidden, *self._random.choices(self._spaces, self._pulls, k=self._view.hand_counts[other])]
        places.sort(key=lambda space: TENDENCY[_part(space)] + gauss(0, NOISE))
        for value, space in zip(unseen, places, strict=False):
            rows.setdefault(space, []).append(value)
        return rows

    def _room_bars(self, layouts: Mapping[Seat, Mapping[str, Sequence[int]]], guard: int) -> dict[str, int]:
        bars = dict.fromkeys(self._rooms, 0)
        for other, rows in layouts.items():
            strength, hoard = sum(rows.get(GUARD, ())), self._hoard(other, layouts)
            lacking = guard - strength
            if lacking > 0 and (not strength or sum(hoard) < lacking + BRIBE_SPARE):
                continue
            for room in self._rooms:
                row = rows.get(room)
                if row and can_pay(hoard, row):
                    bars[room] = max(bars[room], sum(row) + self._is_before[other])
        return bars

    def _hoard(self, other: Seat, layouts: Mapping[Seat, Mapping[str, Sequence[int]]]) -> list[int]:
        """What a rival will hold by kind after the caves, most first; the seat's own tokens are left out of them."""
        view = self._view
        held = view.hoards[other] or dict.fromkeys(KINDS, 1)
        amounts = []
        for space in CAVES:
            kind, own = cave_kind(space), sum(layouts[other].get(space, ()))
            amount, shelves = held[kind], view.caves[kind]
            if own and shelves:
                rank = sum(sum(rows.get(space, ())) > own for rows in layouts.values())
                amount += shelves[rank] if rank < len(shelves) else 0
            amounts.append(amount)
        return sorted(amounts, reverse=True)


def can_pay(held: Sequence[int], tokens: Sequence[int]) -> bool:
    """Each token in a kind of its own (A69); `held` has most first."""
    if len(tokens) == 1:
        return tokens[0] <= held[0]
    if len(tokens) > len(held):
        return False
    return all(map(int.__le__, sorted(tokens, reverse=True), held))


def _seen(view: View, other: Seat) -> tuple[dict[str, list[int]], list[str], list[int]]:
    """Of a rival: the tokens in view by space, the spaces of those face down, the values not in view, ascending."""
    rows: dict[str, list[int]] = {}
    hidden, unseen = [], list(PIECES.tokens)
    for space, row in view.spaces.items():
        for token in row:
            if token.seat != other:
                continue
            if token.value is None:
                hidden.append(space)
                continue
            rows.setdefault(space, []).append(token.value)
            if not token.source:
                unseen.remove(token.value)
    return rows, hidden, unseen


def _part(space: str) -> str:
    part = space.partition("-")[0]
    return part if part in TENDENCY else "city"


def _pull(view: View, space: str) -> float:
    if _is_closed(view, space):
        return 0.0
    if space.startswith("cave-"):
        return sum(view.caves[cave_kind(space)]) / 2
    if space.startswith("room-"):
        return PULL["room"] if view.offers[space] else 0.0
    return PULL[space]


def _is_closed(view: View, space: str) -> bool:
    return view.has_magic and any(effect.name == CLOSED and effect.space == space for effect in view.magic.effects)
