"""Nobody learns what he may not know: from a view, an event, or from what is asked of whom."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.registry import AnyRules
from tests.engine.playing import TABLES, question_of, walk_again

EVERY = 9
"""Steps between two looks at a game; a number without a common factor with the steps of a round."""


MOST_WORLDS = 100
"""Worlds that are dealt until one is as wanted."""


def dumped(value: object) -> bytes:
    return msgspec.json.encode(value)


def others_view(rules: AnyRules, state: Any, viewer: int | None, random: Random) -> Any:
    """Another state that looks the same to the viewer, as if it had always been so.

    Orders are the same in both: what they do depends on nothing their seat cannot see (tests/engine/orders).
    """
    other = rules.determinise(rules.view(state, viewer), random)
    other.orders = rules.load(rules.dump(state)).orders
    return other


def alike(rules: AnyRules, step: Any, viewer: int, random: Random) -> Any:
    """The same, with a sealed decision complete by the same answer: that others have yet to answer is not seen."""
    for _ in range(MOST_WORLDS):
        other = others_view(rules, step.before, viewer, random)
        if is_last(rules, other, step.decision) == is_last(rules, step.before, step.decision):
            return other
    raise AssertionError(f"no world in which {step.decision.id} is complete by the same answer")


def is_last(rules: AnyRules, state: Any, decision: Any) -> bool:
    """True if all others have given their sealed answers."""
    others = [d for d in rules.decisions(state) if d.id == decision.id and d.seat != decision.seat]
    return decision.sealed and not any(other.prompted for other in others)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_view_shows_nothing_that_a_state_of_other_secrets_would_not(rules: AnyRules, seats: int) -> None:
    random, compared, differing = Random(1), 0, 0
    for count, step in enumerate(walk_again(rules, seats)):
        if count % EVERY:
            continue
        for viewer in (None, *range(seats)):
            other = others_view(rules, step.after, viewer, random)
            compared += 1
            differing += rules.dump(other) != rules.dump(step.after)
            assert dumped(rules.view(other, viewer)) == dumped(rules.view(step.after, viewer))
            assert [d.id for d in rules.decisions(other)] == [d.id for d in rules.decisions(step.after)]
    assert differing > compared // 2, "the other states are other states"


def redacted(rules: AnyRules, events: list[Any], viewer: int | None) -> list[Any]:
    return [seen for event in events if (seen := rules.redact(event, viewer)) is not None]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_what_the_viewer_does_looks_the_same_whatever_the_others_hide(rules: AnyRules, seats: int) -> None:
    """The same public answer in two worlds that look alike, up to where a secret is openly turned over.

    The last sealed answer turns over what the others have sealed: if that is the same, all the rest must be, too.
    """
    random, compared = Random(2), 0
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is None or count % EVERY:
            continue
        viewer = step.decision.seat
        after, events = rules.apply(alike(rules, step, viewer, random), step.decision.id, viewer, step.action)
        seen = redacted(rules, step.events, viewer)
        if reveals(step.events) or reveals(events):
            continue
        if is_last(rules, step.before, step.decision) and redacted(rules, events, viewer) != seen:
            continue
        compared += 1
        assert redacted(rules, events, viewer) == redacted(rules, step.events, viewer)
        assert [(d.id, d.seat, d.kind) for d in rules.decisions(after)] == [
            (d.id, d.seat, d.kind) for d in rules.decisions(step.after)
        ]
        assert dumped(rules.view(after, viewer)) == dumped(rules.view(step.after, viewer))
    assert compared or turns_over_with_each_answer(rules, seats), "something was compared"


def reveals(events: list[Any]) -> bool:
    """True if something hidden was openly turned over on the way: such events have "Reveal" in their name."""
    return any("Reveal" in type(event).__name__ for event in events)


def turns_over_with_each_answer(rules: AnyRules, seats: int) -> bool:
    """True of a game of open dice alone, in which no two worlds can be compared behind an answer."""
    return all(reveals(step.events) for step in walk_again(rules, seats) if step.decision is not None)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_what_others_see_of_an_answer_does_not_depend_on_its_secret_part(rules: AnyRules, seats: int) -> None:
    """Two states that differ in the hidden tokens of the seat that moves look alike to the others afterwards too."""
    random, compared = Random(3), 0
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is None or count % EVERY:
            continue
        viewer = (step.decision.seat + 1) % seats
        other = alike(rules, step, viewer, random)
        twin = _same_for_others(rules, other, step, random, viewer)
        if twin is None or reveals(step.events) or reveals(twin[1]):
            continue
        compared += 1
        assert redacted(rules, twin[1], viewer) == redacted(rules, step.events, viewer)
        assert dumped(rules.view(twin[0], viewer)) == dumped(rules.view(step.after, viewer))
    assert compared or turns_over_with_each_answer(rules, seats), "something was compared"


def _same_for_others(rules: AnyRules, other: Any, step: Any, random: Random, viewer: int) -> Any:
    """The answer in the other world that looks like the one given: found among the legal ones by its events."""
    expected = redacted(rules, step.events, viewer)
    if (step.decision.id, step.decision.seat) not in {(d.id, d.seat) for d in rules.decisions(other)}:
        return None
    legal = rules.legal(other, step.decision.id, step.decision.seat)
    random.shuffle(legal)
    for action in sorted(legal, key=lambda action: type(action) is not type(step.action)):  # the likely ones first
        after, events = rules.apply(other, step.decision.id, step.decision.seat, action)
        if redacted(rules, events, viewer) == expected:
            return after, events
    return None


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_sealed_answer_shows_nobody_else_that_or_what_was_answered(rules: AnyRules, seats: int) -> None:
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is None or not step.decision.sealed:
            continue
        still_open = [d for d in rules.decisions(step.after) if d.id == step.decision.id]
        if not still_open or count > 200:
            continue
        legal = rules.legal(step.before, step.decision.id, step.decision.seat)
        # Whoever has nothing to play has one answer only, and that he has given it must not be seen either.
        other = next((action for action in legal if action != step.action), step.action)
        changed, events = rules.apply(step.before, step.decision.id, step.decision.seat, other)
        for viewer in {None, *range(seats)} - {step.decision.seat}:
            assert redacted(rules, events, viewer) == redacted(rules, step.events, viewer) == []
            assert (
                dumped(rules.view(changed, viewer))
                == dumped(rules.view(step.after, viewer))
                == dumped(rules.view(step.before, viewer))
            )


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_sealed_answer_may_be_replaced_until_all_have_answered(rules: AnyRules, seats: int) -> None:
    for count, step in enumerate(walk_again(rules, seats)):
        if count > 200:
            return
        if step.decision is None or not step.decision.sealed:
            continue
        again = [d for d in rules.decisions(step.after) if (d.id, d.seat) == (step.decision.id, step.decision.seat)]
        if again:
            assert not again[0].prompted
            assert question_of(rules, step.after, again[0])
            legal = rules.legal(step.after, step.decision.id, step.decision.seat)
            replaced, _ = rules.apply(step.after, step.decision.id, step.decision.seat, legal[0])
            straight, _ = rules.apply(step.before, step.decision.id, step.decision.seat, legal[0])
            assert rules.dump(replaced) == rules.dump(straight)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_seed_and_counter_are_in_no_view(rules: AnyRules, seats: int) -> None:
    for count, step in enumerate(walk_again(rules, seats)):
        if count % 50 == 0:
            for viewer in (None, 0):
                shown = dumped(rules.view(step.after, viewer))
                assert step.after.rng.seed.encode() not in shown
                assert b"rng" not in shown
                assert b'"counter"' not in shown
