"""Which treasure to take and to give: several kinds pay for more tokens than much of one kind."""

from collections.abc import Mapping
from math import sqrt

from engine.aladdins_dragons.facts import KINDS
from engine.core import Amounts


def usefulness(hoard: Mapping[str, int]) -> float:
    """Different kinds pay for more tokens than much of one kind."""
    return sum(sqrt(amount) for amount in hoard.values())


def change(hoard: dict[str, int], amounts: Mapping[str, int], sign: int) -> None:
    """Adds amounts to a hoard, or takes them from it."""
    for kind, amount in amounts.items():
        hoard[kind] += sign * amount


def best_gift(hoard: Mapping[str, int], field: Amounts) -> dict[str, int]:
    """As much as the field asks for, unit by unit of the kind the hoard has least of."""
    return _split(hoard, field, 1)


def best_payment(hoard: Mapping[str, int], field: Amounts) -> dict[str, int]:
    """As much as the field asks for, unit by unit of the kind the hoard has most of."""
    return _split(hoard, field, -1)


def _split(hoard: Mapping[str, int], field: Amounts, sign: int) -> dict[str, int]:
    limits = {str(o.value): field.total if o.limit is None else o.limit for o in field.options}
    kinds, left, chosen = [kind for kind in KINDS if kind in limits], dict(hoard), dict.fromkeys(KINDS, 0)
    for _ in range(field.total):
        open_kinds = [kind for kind in kinds if chosen[kind] < limits[kind]]
        kind = min(open_kinds, key=lambda kind: sign * left.get(kind, 0))
        chosen[kind] += 1
        left[kind] = left.get(kind, 0) + sign
    return {kind: amount for kind, amount in chosen.items() if amount}
