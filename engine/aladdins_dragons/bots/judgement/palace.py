"""Cards for the palace and its artifacts."""

from dataclasses import replace

from engine.aladdins_dragons.board.facts import rooms
from engine.aladdins_dragons.bots.judgement.case import Case
from engine.aladdins_dragons.bots.judging.worth import KEEP

SEARCH = 3.0  # how useful the best artifact of a stack may be
CHOICE = 0.5  # what it brings to choose what the others can buy as well


def key(case: Case) -> float:
    """If there is something to buy inside, and no cheaper way in."""
    return case.gain(replace(case.outlook, inside=case.outlook.inside | {case.caster}))


def mages_apprentice(case: Case) -> float:
    """If the artifact for sale is more useful than the one given for it."""
    return KEEP[case.outlook.view.magic.offers[case.text("space")]] - KEEP[case.text("give")]


def mirage(case: Case) -> float:
    """Where the seat is the first to buy."""
    room = case.text("space")
    return CHOICE if room in rooms(case.outlook.view.seats) and case.outlook.order(room)[:1] == [case.caster] else 0.0


def abracadabra(case: Case) -> float:
    """For whoever buys anyway, if what lies face up is of little use."""
    view = case.outlook.view
    return SEARCH - KEEP.get(view.magic.offers.get(view.tallying, ""), 0.0)
