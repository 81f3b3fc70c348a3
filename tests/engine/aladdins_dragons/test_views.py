"""Secrecy of the magic version: two worlds that a seat cannot tell apart stay so until something is turned over.

The other tests of secrecy deal a state anew from a view; these change a real state in place, so that neither relies on
what the other overlooks. They look at states and at steps: who is asked next is where a secret gets out most easily.
"""

from random import Random

import msgspec
import pytest

from engine.aladdins_dragons import events as magic
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES
from tests.engine.aladdins_dragons.rules import GAMES
from tests.engine.aladdins_dragons.twins import twin
from tests.engine.playing import walk_again

EVERY = 4
"""Steps between two looks; every viewer has his turn, one at each look."""


def steps(rules, seats, option):
    """Each look: a step, a viewer, and a world he cannot tell from the one before it."""
    random = Random(seats)
    for count, step in enumerate(walk_again(rules, seats, last_first=option)):
        if count % EVERY == 0:
            viewer = [None, *range(seats)][count // EVERY % (seats + 1)]
            yield step, viewer, twin(step.before, viewer, random)


def dumped(value):
    return msgspec.json.encode(value)


def public(state):
    """Who is asked what, as everybody may know; and that a seat could do something unasked."""
    return [(d.id, d.seat, d.kind, d.sealed) for d in MAGIC_RULES.decisions(state)]


def is_handed_to(event, viewer):
    """A spell card comes to the viewer: from now on he knows what it is (A53, A54)."""
    match event:
        case magic.SpellsDrawn(seat) | magic.SpellKept(_, _, seat):
            return viewer is not None and seat == viewer
    return False


def until_a_reveal(events, viewer):
    """What the viewer sees of the events up to the first that turns something over, and whether there is one."""
    seen = []
    for event in events:
        if "Reveal" in type(event).__name__ or is_handed_to(event, viewer):
            return seen, True
        seen.append(dumped(MAGIC_RULES.redact(event, viewer)))
    return seen, False


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats", "option"), GAMES)
def test_worlds_that_differ_in_secrets_alone_look_the_same_and_ask_the_same(rules, seats, option):
    differing = 0
    for step, viewer, other in steps(rules, seats, option):
        differing += MAGIC_RULES.dump(other) != MAGIC_RULES.dump(step.before)
        assert dumped(MAGIC_RULES.view(other, viewer)) == dumped(MAGIC_RULES.view(step.before, viewer))
        assert public(other) == public(step.before)
    assert differing > 50, "the other worlds are other worlds"


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats", "option"), GAMES)
def test_the_same_step_in_both_worlds_shows_the_viewer_the_same(rules, seats, option):
    compared = 0
    for step, viewer, other in steps(rules, seats, option):
        try:
            if step.decision is None:
                after, events = MAGIC_RULES.advance(other)
            else:
                after, events = MAGIC_RULES.apply(other, step.decision.id, step.decision.seat, step.action)
        except IllegalAction:
            assert step.decision is not None
            assert step.decision.seat != viewer, "what a seat may do depends on what it sees"
            continue
        seen, is_revealed = until_a_reveal(step.events, viewer)
        seen_there, is_revealed_there = until_a_reveal(events, viewer)
        assert is_revealed == is_revealed_there
        assert seen == seen_there
        if not is_revealed:
            compared += 1
            assert public(after) == public(step.after)
            assert dumped(MAGIC_RULES.view(after, viewer)) == dumped(MAGIC_RULES.view(step.after, viewer))
    assert compared > 30, "something was compared"
