"""Cards that give, take or lay out treasure."""

from dataclasses import replace

from engine.aladdins_dragons.board.facts import cave_kind
from engine.aladdins_dragons.bots.judgement.case import Case
from engine.aladdins_dragons.bots.judging.hoard import change, usefulness

GIFT = 3
LEAVES = (4, 2)


def charity(case: Case) -> float:
    """Always some good."""
    return case.gain(case.outlook.with_gain(case.caster, GIFT))


def trade(case: Case) -> float:
    """If the hoard is all of one or two kinds, which pay for few tokens."""
    hoard = dict(case.outlook.view.hoards[case.caster] or {})
    give, take = case.targets["give"], case.targets["take"]
    assert isinstance(give, dict) and isinstance(take, dict), case.targets
    before = usefulness(hoard)
    change(hoard, give, -1)
    change(hoard, take, 1)
    return usefulness(hoard) - before


def donation(case: Case) -> float:
    """If the others lose more by it."""
    return _giving(case, 5)


def sacrifice(case: Case) -> float:
    """The same, dearer."""
    return _giving(case, 7)


def _giving(case: Case, price: int) -> float:
    outlook = case.outlook
    for seat in range(outlook.view.seats):
        outlook = outlook.with_gain(seat, -min(price, case.outlook.hoard(seat)))
    return case.gain(outlook)


def dragon_leaves(case: Case) -> float:
    """If the seat has tokens there."""
    return _filled(case, LEAVES)


def dragons_return(case: Case) -> float:
    """If others would take the treasure."""
    return _filled(case, ())


def _filled(case: Case, shelves: tuple[int, ...]) -> float:
    caves = {**case.outlook.caves, cave_kind(case.text("space")): shelves}
    return case.gain(replace(case.outlook, caves=caves))
