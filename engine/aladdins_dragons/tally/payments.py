"""What an artifact of a room costs, and every way to pay for it (A69-A72)."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.aladdins_dragons.board import effects
from engine.aladdins_dragons.board.facts import KINDS
from engine.aladdins_dragons.board.model import State
from engine.core import Choice, Field, Option, Seat, Text


def values(state: State, seat: Seat, room: str) -> list[int]:
    """What each own token in the room costs, the dearest first (A71, S3)."""
    own = effects.own_tokens(state, seat, room)
    return sorted((effects.value(state, room, token) for token in own), reverse=True)


def price(state: State, seat: Seat, room: str) -> int:
    """All of it together."""
    return sum(values(state, seat, room))


def can_pay(state: State, seat: Seat, room: str) -> bool:
    """Can the seat pay for all its tokens there?"""
    return is_payable(values(state, seat, room), state.hoards[seat])


def is_payable(costs: Sequence[int], hoard: Mapping[str, int]) -> bool:
    """Is there a kind for each token, the dearest of which meets the largest holding (A69)?"""
    held = sorted(hoard.values(), reverse=True)
    dearest = sorted(costs, reverse=True)
    return len(dearest) <= len(held) and all(amount >= cost for amount, cost in zip(held, dearest, strict=False))


def pay_fields(state: State, seat: Seat, room: str) -> list[Field] | None:
    """One kind for each own token, all different (A69, A71); None if the seat cannot pay.

    Kinds that fit no whole payment are left out.
    """
    tokens, hoard = values(state, seat, room), state.hoards[seat]
    usable = payable_kinds(tokens, hoard)
    if not all(usable):
        return None
    return [
        Choice(name, Text("field-pay-token", {"value": value}), [_kind(kind, hoard) for kind in kinds], distinct="kind")
        for name, value, kinds in zip(_pay_names(tokens), tokens, usable, strict=True)
    ]


def payment(targets: Targets) -> Amounts:
    """Value paid by kind in the fields of `pay_fields`; other fields are passed over."""
    return {str(kind): int(name.split("_")[1]) for name, kind in targets.items() if name.startswith("pay_")}


def _kind(kind: str, hoard: Mapping[str, int]) -> Option:
    return Option(kind, Text("kind", {"kind": {"kind": kind}}), Text("hint-held", {"amount": hoard[kind]}))


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
            for found, kind in zip(usable, kinds, strict=True):
                found.add(kind)
    return [[kind for kind in KINDS if kind in found] for found in usable]
