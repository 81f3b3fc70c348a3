"""Another world that one seat cannot tell from a state: what it does not see is dealt anew, in place."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from engine.aladdins_dragons.facts import PIECES
from engine.aladdins_dragons.model import EVERYBODY, State, Tent, Window
from engine.core import Seat
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES


class Slot(NamedTuple):
    """A place where something hidden is, what it is, and how to put another thing there."""

    value: Any
    put: Callable[[Any], None]


def twin(state: State, viewer: Seat | None, random: Random) -> State:
    """The same for the viewer; tokens, spells, tiles and the guard that he does not know are others."""
    other = MAGIC_RULES.load(MAGIC_RULES.dump(state))
    sealed = _sealed(other, viewer)
    for seat in range(other.seats):
        if seat != viewer:
            _deal(_tokens(other, seat), random)
            other.hands[seat].sort()
    _deal([slot for slot in _spells(other, viewer) if slot.value not in sealed], random)
    _deal([slot for slot in _tiles(other, viewer) if slot.value not in sealed], random)
    if other.round and not other.is_guard_shown:
        other.guard = random.choice(PIECES.guards)
    return other


def _deal(slots: list[Slot], random: Random) -> None:
    values = [slot.value for slot in slots]
    random.shuffle(values)
    for slot, value in zip(slots, values, strict=True):
        slot.put(value)


def _sealed(state: State, viewer: Seat | None) -> set[str]:
    """Cards that others have put down face down in this pass: whoever has done so still has them in the other world."""
    frame = state.agenda[-1] if state.agenda else None
    plays = [play for answer in frame.answers for play in answer or []] if isinstance(frame, Window) else []
    names = (name for play in plays if play.seat != viewer for name in (play.card, play.targets.get("give")))
    return {name for name in names if isinstance(name, str)}  # what a card gives may be treasure, too


def _entry(row: list[Any], index: int) -> Callable[[Any], None]:
    def put(value: Any) -> None:
        row[index] = value

    return put


def _tokens(state: State, seat: Seat) -> list[Slot]:
    """Face down on the board, or in hand."""
    hand = state.hands[seat]
    slots = [Slot(value, _entry(hand, index)) for index, value in enumerate(hand)]
    for row in state.spaces.values():
        slots += [
            Slot(token.value, _field(token, "value")) for token in row if token.seat == seat and not token.face_up
        ]
    return slots


def _field(thing: Any, name: str) -> Callable[[Any], None]:
    return lambda value: setattr(thing, name, value)


def _spells(state: State, viewer: Seat | None) -> Iterator[Slot]:
    """In the deck, in the hands of others, discarded by others, just drawn by others."""
    magic = state.magic
    yield from (Slot(card, _entry(magic.spell_deck, index)) for index, card in enumerate(magic.spell_deck))
    yield from (Slot(buried.card, _field(buried, "card")) for buried in magic.buried if buried.seat != viewer)
    for frame in state.agenda:
        if isinstance(frame, Tent) and frame.seat != viewer:
            yield from (Slot(card, _entry(frame.cards, index)) for index, card in enumerate(frame.cards))
    passed = {entry.card: entry for entry in magic.passed}
    for seat, hand in enumerate(magic.spells):
        for index, card in enumerate(hand):
            entry = passed.get(card)
            if seat != viewer and (entry is None or viewer not in (entry.giver, entry.owner)):
                yield Slot(card, _both(_entry(hand, index), _field(entry, "card") if entry else None))


def _both(first: Callable[[Any], None], second: Callable[[Any], None] | None) -> Callable[[Any], None]:
    def put(value: Any) -> None:
        first(value)
        if second:
            second(value)

    return put


def _tiles(state: State, viewer: Seat | None) -> Iterator[Slot]:
    """Face down in a room, or with an owner who has not shown them."""
    for room, stack in state.stacks.items():
        for index, tile in enumerate(stack):
            knowers = state.magic.known[room][index]
            if not (room in state.magic.offers and index == len(stack) - 1) and not {viewer, EVERYBODY} & {*knowers}:
                yield Slot(tile, _entry(stack, index))
    for seat, unknown in enumerate(state.magic.unknown):
        for index, tile in enumerate(unknown if seat != viewer else []):
            owned = state.artifacts[seat]
            yield Slot(tile, _both(_entry(unknown, index), _entry(owned, _place(owned, unknown, index))))


def _place(owned: list[str], unknown: list[str], index: int) -> int:
    """Where a tile nobody has seen is among the owner's: a different place for each of one type."""
    before = unknown[:index].count(unknown[index])
    places = [place for place, tile in enumerate(owned) if tile == unknown[index]]
    return places[-1 - before]
