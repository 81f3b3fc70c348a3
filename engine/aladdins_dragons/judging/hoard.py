"""Which treasure to take and to give: several kinds pay for more tokens than much of one kind."""

from collections.abc import Mapping
from math import sqrt

from engine.aladdins_dragons.actions import Targets
from engine.aladdins_dragons.board.facts import KINDS
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
    limits = _limits(field)
    kinds, left, chosen = [kind for kind in KINDS if kind in limits], dict(hoard), dict.fromkeys(KINDS, 0)
    for _ in range(field.total):
        open_kinds = [kind for kind in kinds if chosen[kind] < limits[kind]]
        kind = min(open_kinds, key=lambda kind: sign * left.get(kind, 0))
        chosen[kind] += 1
        left[kind] = left.get(kind, 0) + sign
    return {kind: amount for kind, amount in chosen.items() if amount}


def evened(hoard: Mapping[str, int], give: Amounts, take: Amounts) -> Targets | None:
    """What the kinds above the mean can be given for, so that the others come nearer to it; None for nothing."""
    mean = sum(hoard.values()) // len(KINDS)
    over = {kind: min(hoard[kind] - mean, _limits(give).get(kind, 0)) for kind in KINDS if hoard[kind] > mean + 1}
    under = {kind: min(mean - hoard[kind], _limits(take).get(kind, 0)) for kind in KINDS if hoard[kind] < mean}
    amount = min(sum(over.values()), sum(under.values()), give.total)
    if amount < give.fewest or not amount:
        return None
    return {give.name: _part(over, amount), take.name: _part(under, amount)}


def _part(amounts: Mapping[str, int], total: int) -> dict[str, int]:
    """So much of them, unit by unit of what there is most of."""
    left = dict(amounts)
    for _ in range(total):
        left[max(left, key=lambda kind: left[kind])] -= 1
    return {kind: amount - left[kind] for kind, amount in amounts.items() if amount > left[kind]}


def _limits(field: Amounts) -> dict[str, int]:
    return {str(option.value): field.total if option.limit is None else option.limit for option in field.options}
