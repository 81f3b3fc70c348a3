"""A step played again and watched: in its middle the board is seen as it was then, and as its viewer may see it."""

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from engine.aladdins_dragons import events
from engine.registry import AnyRules
from tests.engine.aladdins_dragons.rules import BasicRules
from tests.engine.playing import PUBLISHED, TABLES, one_step, seed_of, walk_again
from tests.engine.test_secrecy import EVERY, alike, dumped

NAMES = ["Anna", "Ben", "Carla", "David", "Eva"]


def watch(rules: AnyRules, step: Any, viewer: int | None) -> tuple[Any, list[Any], list[tuple[Any, Any]]]:
    """The step played again: its state and events, and the game's own events with what the viewer saw after each."""
    seen: list[tuple[Any, Any]] = []
    watched = rules.watched(lambda state, event: seen.append((event, rules.still(state, viewer))))
    if step.decision is None:
        after, happened = watched.advance(step.before)
    else:
        after, happened = watched.apply(step.before, step.decision.id, step.decision.seat, step.action)
    return after, happened, seen


GOING_ON = ("agenda", "frame", "asked", "questions", "tallying", "tallied", "outcome")
"""What a view says of what there is left to do; the step goes on after its last event to where somebody is asked."""


def board_of(view: Any) -> dict[str, Any]:
    """What a view says of the board."""
    return {name: said for name, said in msgspec.to_builtins(view).items() if name not in GOING_ON}


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_watched_step_is_the_same_step_and_ends_with_the_board_as_it_is_then(rules: AnyRules, seats: int) -> None:
    for count, step in enumerate(walk_again(rules, seats)):
        if count % EVERY and step.decision is not None:
            continue
        viewer = count % seats
        after, happened, seen = watch(rules, step, viewer)
        assert (rules.dump(after), happened) == (rules.dump(step.after), step.events)
        assert [event for event, _still in seen] == [e for e in happened if rules.redact(e, None) is not None]
        for _event, still in seen[:: EVERY // 3]:
            assert not rules.questions(still)
            assert rules.describe(still, "en", NAMES[:seats]) and rules.picture(still, "en", NAMES[:seats])
        if seen:
            assert board_of(seen[-1][1]) == board_of(rules.view(step.after, viewer))


@pytest.mark.parametrize(("rules", "seats"), PUBLISHED)
def test_what_is_seen_in_the_middle_of_a_step_looks_the_same_whatever_others_hide(rules: AnyRules, seats: int) -> None:
    """As far as nothing has been turned over: the answer is the viewer's own, in two worlds that look alike to him."""
    random, compared = Random(5), 0
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is None or count % EVERY:
            continue
        viewer = step.decision.seat
        other = step._replace(before=alike(rules, step, viewer, random))
        mine, theirs = watch(rules, step, viewer), watch(rules, other, viewer)
        for (event, still), (again, seen) in zip(mine[2], theirs[2], strict=False):
            if dumped(rules.redact(event, viewer)) != dumped(rules.redact(again, viewer)):
                break
            assert dumped(still) == dumped(seen)
            compared += 1
    assert compared


def test_a_tally_turns_over_one_space_after_the_other_and_gives_what_it_brings_behind_it() -> None:
    rules, random = BasicRules(), Random(3)
    state, _ = rules.new(3, {}, seed_of(3))
    while not (rules.is_advance_pending(state) and state.round and state.agenda[-1].after == "placing"):
        state = one_step(rules, state, random).after
    step = one_step(rules, state, random)
    seen = watch(rules, step, None)[2]
    scenes = [last for last, (event, _still) in pairwise(seen) if rules.opens_scene(event, last[0])]
    assert len(scenes) > 6
    turned = [still.tallying for event, still in scenes if isinstance(event, events.SpaceRanked)]
    assert turned == [space for space in step.after.spaces if space in turned], "in the order of the tally"
    for event, still in scenes:
        assert set(still.rankings) == {space for space in still.tallied if still.spaces[space]}
        for space, row in still.spaces.items():
            is_turned = space in still.tallied or space == still.tallying
            assert all((token.value is not None) == is_turned for token in row), (event, space)
    at = next(at for at, (event, _still) in enumerate(scenes) if isinstance(event, events.SpaceRanked))
    (event, turned_over), (_event, given) = scenes[at : at + 2]
    kind = event.space.removeprefix("cave-")
    assert turned_over.caves[kind] and not given.caves[kind], "what lies there is given in a scene of its own"


def test_what_one_seat_places_in_a_wave_is_one_scene() -> None:
    rules, random = BasicRules(), Random(3)
    state, _ = rules.new(3, {"placing": "waves", "tokens_per_turn": "4"}, seed_of(3))
    seen: list[tuple[Any, Any]] = []
    while not any(isinstance(event, events.TokenPlaced) for event, _still in seen):
        step = one_step(rules, state, random)
        seen, state = watch(rules, step, None)[2], step.after
    placed = [event for event, _still in seen if isinstance(event, events.TokenPlaced)]
    opened = [after for (before, _then), (after, _now) in pairwise(seen) if rules.opens_scene(after, before)]
    assert len(placed) == 12
    assert [event.seat for event in opened if isinstance(event, events.TokenPlaced)][-2:] == [
        placed[4].seat,
        placed[8].seat,
    ]
