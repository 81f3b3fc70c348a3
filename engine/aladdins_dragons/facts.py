"""The pieces in the box and on the board: loaded from data/ and checked once, when this module is imported."""

from importlib.resources import files

import msgspec

KINDS = ("crown", "pearl", "gem", "trophy", "gold")
"""The five kinds of treasure, in the order of their caves from left to right (A14)."""

CAVES = tuple(f"cave-{kind}" for kind in KINDS)
CITY = ("tent", "djinn", "market", "caravanserai")
"""The city in the order of its tally, which is from right to left on the board (A32)."""

GUARD = "guard"
ROOMS = tuple(f"room-{number}" for number in range(1, 6))
SPACES = (*CAVES, *CITY, GUARD, *ROOMS)
"""Every space in tally order (A32)."""

LAMP = "lamp"
"""The artifact under which spells are played (A84)."""

CLOSED_IN_BASIC = ("tent", "djinn")  # A26


class TreasureCard(msgspec.Struct, frozen=True):
    """A treasure card: for each cave in the order of `KINDS` the values of its shelves, top first (A49, A52)."""

    id: str
    caves: list[list[int]]


class _Decks(msgspec.Struct, frozen=True):
    kinds_left_to_right: list[str]
    decks: dict[str, list[TreasureCard]]


class _Treasures(msgspec.Struct, frozen=True):
    small: int
    large: int
    large_value: int


class Pieces(msgspec.Struct, frozen=True):
    """Everything in the box that is counted."""

    tokens: list[int]
    guards: list[int]
    treasures: _Treasures
    artifacts: dict[str, int]
    artifacts_per_room: dict[str, int]
    starting_treasures: int
    room_limit: int


_DATA = files("engine.aladdins_dragons") / "data"


def _load_pieces() -> Pieces:
    pieces = msgspec.json.decode((_DATA / "pieces.json").read_bytes(), type=Pieces)
    assert pieces.tokens == sorted(set(pieces.tokens)), pieces.tokens
    assert sum(pieces.artifacts.values()) == len(ROOMS) * pieces.artifacts_per_room["basic"]
    return pieces


def _load_decks() -> dict[int, list[TreasureCard]]:
    raw = msgspec.json.decode((_DATA / "treasure_decks.json").read_bytes(), type=_Decks)
    assert tuple(raw.kinds_left_to_right) == KINDS, raw.kinds_left_to_right
    decks = {int(seats): cards for seats, cards in raw.decks.items()}
    for seats, cards in decks.items():
        for card in cards:
            _check_card(seats, card)
    return decks


def _check_card(seats: int, card: TreasureCard) -> None:
    assert len(card.caves) == len(KINDS), card.id
    for shelves in card.caves:
        assert len(shelves) < seats, card.id  # A49: at most one shelf fewer than players
        assert shelves == sorted(shelves, reverse=True), card.id
        assert all(0 < value <= TREASURE_PER_KIND for value in shelves), card.id


PIECES = _load_pieces()
TREASURE_PER_KIND = PIECES.treasures.small + PIECES.treasures.large * PIECES.treasures.large_value
"""Value of each kind in the whole game: 29 (A40)."""

DECKS = _load_decks()
"""The treasure cards by number of seats (the decks are ours)."""

TREASURE_CARDS = {card.id: card for deck in DECKS.values() for card in deck}


def rooms(seats: int) -> tuple[str, ...]:
    """The rooms in use: as many as players, from the left (A10)."""
    return ROOMS[:seats]


def open_spaces(seats: int, version: str) -> tuple[str, ...]:
    """The spaces a game with so many seats is played on, in tally order (A10, A26, A32)."""
    city = tuple(space for space in CITY if version != "basic" or space not in CLOSED_IN_BASIC)
    return (*CAVES, *city, GUARD, *rooms(seats))


def cave_kind(space: str) -> str:
    """The kind of treasure in a cave (A52)."""
    return space.removeprefix("cave-")
