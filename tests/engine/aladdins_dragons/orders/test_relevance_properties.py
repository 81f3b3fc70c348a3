"""What must be true of cards and orders in any magic game: random orders, given at random moments of random games."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.aladdins_dragons.cards.deck import get_card
from engine.aladdins_dragons.events import CardPlayed
from engine.aladdins_dragons.model import Play
from engine.orders.model import OrderFired
from engine.orders.running import is_touched
from tests.engine.aladdins_dragons.basic_rules import with_orders
from tests.engine.aladdins_dragons.magic_rules import DealtRules
from tests.engine.orders.test_properties import walk
from tests.engine.playing import Step

pytestmark = pytest.mark.slow

DEALT = with_orders(DealtRules())
SEATS = 4
NUMBERS = (3, 17, 29)


def steps() -> Iterator[Step]:
    """Some games, one behind the other."""
    for number in NUMBERS:
        yield from walk(DEALT, SEATS, number)


def shown(step: Step) -> list[tuple[CardPlayed, int]]:
    """The cards that the step shows, each with every other seat."""
    cards = [event for event in step.events if isinstance(event, CardPlayed)]
    return [(card, seat) for card in cards for seat in range(SEATS) if seat != card.seat]


def test_what_a_card_touches_is_read_from_what_everybody_sees() -> None:
    """From the state itself, from what a spectator sees, and from each seat's view the same words come."""
    compared = 0
    for step in steps():
        for event, seat in shown(step):
            play, card = Play(event.seat, event.card, dict(event.targets)), get_card(event.card)
            if step.decision is None or event.card in ("counterspell", "parasite"):
                continue  # these name plays of a window that may have been shown in the same step
            views = [step.before, *(DEALT.view(step.before, viewer) for viewer in (None, *range(SEATS)))]
            assert len({tuple(card.touches(view, play, seat)) for view in views}) == 1
            compared += 1
    assert compared > 30


def test_no_order_answers_that_a_card_shown_before_touches() -> None:
    """Unless it says even so, or is about the card."""
    fired = suspended = 0
    for step in steps():
        for event in step.events:
            if not isinstance(event, OrderFired):
                continue
            sheet = DEALT.orders(step.before, event.seat)
            order = next((one for one in sheet.orders if one.id == event.order), None)
            has_looked = step.decision is not None and step.decision.seat == event.seat
            if order is None or has_looked or order.even_so:
                continue
            if {one["type"] for one in order.conditions} & DEALT.vocabulary.about_plays:
                continue
            assert not is_touched(order, order.topic, sheet.touched)
            fired += 1
        suspended += sum(bool(DEALT.orders(step.after, seat).touched) for seat in range(SEATS))
    assert fired > 10
    assert suspended > 5


def test_who_has_answered_or_given_orders_has_seen_what_was_shown() -> None:
    for step in steps():
        if step.decision is not None and not shown(step):
            sheet: Any = DEALT.orders(step.after, step.decision.seat)
            assert (sheet.plays, sheet.touched) == (0, [])
