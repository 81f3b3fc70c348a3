"""Effects that last for the round, and what depends on them: where a token may go, what it counts, who is first.

The names of effects: "closed" (a space nobody may enter, A36, S19), "face_up" (others place face up, A31), "last_first"
(S3) and "first" (a seat counts as strongest in an empty space of the city, S15).
"""

from collections.abc import Mapping, Sequence
from itertools import permutations

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, LAMP, PIECES, cave_kind
from engine.aladdins_dragons.model import State, Token
from engine.core import Choice, Field, Option, Seat, Text

CLOSED, FACE_UP, LAST_FIRST, FIRST = "closed", "face_up", "last_first", "first"

SWAPPED = {1: 9, 9: 1}  # S3, option swap19


def has_effect(state: State, name: str, space: str = "") -> bool:
    """True if an effect of that name holds for the space, or everywhere."""
    if not state.has_magic or not state.magic.effects:
        return False
    return any(effect.name == name and effect.space in ("", space) for effect in state.magic.effects)


def places_face_up(state: State, seat: Seat) -> bool:
    """Must the seat place its tokens face up? Whoever began the effect goes on face down (A31)."""
    return state.has_magic and any(effect.name == FACE_UP and effect.seat != seat for effect in state.magic.effects)


def shut(state: State) -> set[str]:
    """The spaces into which no token may come: tallied (A36) or closed (S19), caves without treasure, and rooms without
    artifacts (A25, A27)."""
    closed = set(state.tallied)
    if not all(state.caves.values()):  # asked first, for there seldom is such a one
        closed.update(cave for cave in CAVES if not state.caves[cave_kind(cave)])
    if not all(state.stacks.values()):
        closed.update(room for room, stack in state.stacks.items() if not stack)
    if state.has_magic and state.magic.effects:
        closed.update(effect.space for effect in state.magic.effects if effect.name == CLOSED)
    return closed


def is_evicted(state: State, seat: Seat) -> bool:
    """True once the guard is done with and the seat is not in the palace (A68)."""
    return GUARD in state.tallied and seat not in state.admitted


def own_tokens(state: State, seat: Seat, space: str) -> list[Token]:
    """The seat's tokens in a space, carpets and doubles included."""
    return [token for token in state.spaces[space] if token.seat == seat]


def unused_types(state: State, seat: Seat) -> list[str]:
    """The artifacts of the seat less those it has used this round, tile for tile; a type may come more than once."""
    left = list(state.artifacts[seat])
    for name in state.magic.used[seat]:
        if name in left:  # a borrowed power is no tile of its own
            left.remove(name)
    return left


def spare_tiles(state: State, seat: Seat) -> list[str]:
    """The types of which the seat has a tile not used this round, the lamp a spell needs left out (S11, A84)."""
    spare = unused_types(state, seat)
    if LAMP in spare and LAMP not in state.magic.used[seat]:
        spare.remove(LAMP)
    return [name for name in PIECES.artifacts if name in spare]


def may_enter(state: State, seat: Seat, space: str) -> bool:
    """May a number token of the seat come into the space now, placed or moved (A23-A25, A27, A36, S19)?"""
    return space not in shut(state) and (space not in state.stacks or _has_place(state, seat, space))


def may_be_entered(state: State, seat: Seat) -> list[str]:
    """The spaces of which that is true, in tally order."""
    shut_now, rooms = shut(state), state.stacks
    return [
        space
        for space in state.spaces
        if space not in shut_now and (space not in rooms or _has_place(state, seat, space))
    ]


def _has_place(state: State, seat: Seat, room: str) -> bool:
    """In a room a seat has so many number tokens and no more (A24), and none once it was evicted (A68)."""
    tokens = state.spaces[room]
    is_full = len(tokens) >= PIECES.room_limit and (
        sum(token.is_number for token in own_tokens(state, seat, room)) >= PIECES.room_limit
    )
    return not is_full and not is_evicted(state, seat)


def may_move_to(state: State, seat: Seat, space: str) -> bool:
    """May a token of the seat be moved into the space by a card? Never to the guard (A66)."""
    return space != GUARD and may_enter(state, seat, space)


def may_be_moved_to(state: State, seat: Seat) -> list[str]:
    """The spaces of which that is true, in tally order."""
    return [space for space in may_be_entered(state, seat) if space != GUARD]


def may_bring(state: State, seat: Seat, space: str) -> bool:
    """May the seat bring a carpet into the space being tallied (A86)? The limit of five does not bind it (A24)."""
    is_open = space in state.spaces and space not in shut(state)
    return is_open and not (space in state.stacks and is_evicted(state, seat))


def value(state: State, space: str, token: Token) -> int:
    """Returns what a token counts in its space, and what it costs in a room (S3)."""
    swaps = has_effect(state, LAST_FIRST, space) and space != GUARD and state.magic.last_first == "swap19"
    return SWAPPED.get(token.value, token.value) if swaps else token.value


def strengths(state: State, space: str) -> dict[Seat, int]:
    """The total of each seat that takes part in a space (A34); who counts as first does so without tokens (S15)."""
    totals: dict[Seat, int] = {}
    for token in state.spaces[space]:
        totals[token.seat] = totals.get(token.seat, 0) + value(state, space, token)
    for seat in first_seats(state, space):
        totals.setdefault(seat, 0)
    return totals


def first_seats(state: State, space: str) -> list[Seat]:
    """Seats that count as strongest in the space, tokens or not (S15)."""
    if not state.has_magic:
        return []
    return [effect.seat for effect in state.magic.effects if effect.name == FIRST and effect.space == space]


def order(state: State, space: str) -> list[Seat]:
    """The seats of a space, strongest first, ties by player sequence (A35); `last_first` turns it round (S3).

    Beside a seat that counts as first everybody is its equal, so sequence alone decides (S15).
    """
    totals = strengths(state, space)
    present = [seat for seat in state.sequence() if seat in totals]
    if first_seats(state, space):
        return present
    is_reversed = has_effect(state, LAST_FIRST, space) and space != GUARD and state.magic.last_first == "reverse"
    return sorted(present, key=lambda seat: totals[seat] if is_reversed else -totals[seat])


# The price of an artifact, and every way to pay it (A69-A72)


def values(state: State, seat: Seat, room: str) -> list[int]:
    """Returns what each own token in the room costs, the dearest first (A71, S3)."""
    own = own_tokens(state, seat, room)
    return sorted((value(state, room, token) for token in own), reverse=True)


def price(state: State, seat: Seat, room: str) -> int:
    """Returns all of it together."""
    return sum(values(state, seat, room))


def can_pay(state: State, seat: Seat, room: str) -> bool:
    """Can the seat pay for all its tokens there?"""
    return is_payable(values(state, seat, room), state.hoards[seat])


def is_payable(costs: Sequence[int], hoard: Mapping[str, int]) -> bool:
    """Is there a kind for each token, the dearest of which meets the largest holding (A69)?"""
    amounts = sorted(hoard.values(), reverse=True)
    dearest = sorted(costs, reverse=True)
    return len(dearest) <= len(amounts) and all(amount >= cost for amount, cost in zip(amounts, dearest, strict=False))


def pay_fields(state: State, seat: Seat, room: str) -> list[Field] | None:
    """One kind for each own token, all different (A69, A71); None if the seat cannot pay.

    Kinds that fit no whole payment are left out.
    """
    tokens, hoard = values(state, seat, room), state.hoards[seat]
    usable = payable_kinds(tokens, hoard)
    if not all(usable):
        return None
    return [
        Choice(
            name,
            Text("field-pay-token", {"value": value}),
            [_paid(value, kind, hoard) for kind in kinds],
            distinct="kind",
        )
        for name, value, kinds in zip(_pay_names(tokens), tokens, usable, strict=True)
    ]


def payment(targets: Targets) -> Amounts:
    """Value paid by kind in the fields of `pay_fields`; other fields are passed over."""
    return {str(kind): int(name.split("_")[1]) for name, kind in targets.items() if name.startswith("pay_")}


def _paid(value: int, kind: str, hoard: Mapping[str, int]) -> Option:
    label = Text("pay-option", {"amounts": {"amounts": {kind: value}}})
    return Option(kind, label, Text("hint-held", {"amount": hoard[kind]}), limit=hoard[kind])


def _pay_names(tokens: list[int]) -> list[str]:
    """ "pay_9", and "pay_9_2" for a second token of that value."""
    counts = [tokens[: place + 1].count(value) for place, value in enumerate(tokens)]
    return [
        f"pay_{value}" if count == 1 else f"pay_{value}_{count}" for value, count in zip(tokens, counts, strict=True)
    ]


def payable_kinds(tokens: list[int], hoard: dict[str, int]) -> list[list[str]]:
    """For each token the kinds that pay it in some payment of all; all empty if there is none (A69)."""
    usable: list[set[str]] = [set() for _ in tokens]  # more tokens than kinds cannot be paid: no permutation
    for kinds in permutations(KINDS, len(tokens)):
        if all(hoard[kind] >= value for kind, value in zip(kinds, tokens, strict=True)):
            for options, kind in zip(usable, kinds, strict=True):
                options.add(kind)
    return [[kind for kind in KINDS if kind in options] for options in usable]
