"""What holds in every game, whatever is answered."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cave_of_wonders import events
from engine.cave_of_wonders.facts import KINDS, TOKENS
from tests.engine.cave_of_wonders.table import RULES
from tests.engine.playing import seed_of, walk

GAMES = settings(max_examples=4, derandomize=True, deadline=None)
numbers = st.integers(min_value=0, max_value=2**32)
tables = pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"equal_turns": "on"}),
        (4, {"full_distance": "on"}),
        (4, {"equal_turns": "on", "full_distance": "on"}),
    ],
)


@tables
@GAMES
@given(number=numbers)
def test_sixty_tokens_are_always_accounted_for(seats, options, number):
    for step in walk(RULES, seats, number, options):
        state = step.after
        everywhere = [here.token for here in state.spaces.values() if here is not None]
        everywhere += [token for board in state.boards for tokens in board.values() for token in tokens]
        everywhere += [state.held] if state.held else []
        assert Counter(everywhere) == Counter(TOKENS)
        assert state.spaces[state.aladdin] is None


@tables
@GAMES
@given(number=numbers)
def test_scores_are_what_a_recount_in_the_order_of_taking_gives(seats, options, number):
    state, happened = RULES.new(seats, options, seed_of(number))
    steps = list(walk(RULES, seats, number, options))
    placed = [event for event in happened if isinstance(event, events.TokenPlaced)]
    placed += [event for step in steps for event in step.events if isinstance(event, events.TokenPlaced)]
    scores = [
        recount([event for event in placed if event.seat == seat], state.favourites[seat]) for seat in range(seats)
    ]
    assert scores == steps[-1].after.scores == RULES.outcome(steps[-1].after).scores


def recount(placed, favourite):
    """The points of one seat by other means than the engine's: whole boards compared before and after each token."""
    stacks: Counter[tuple[str, int]] = Counter()
    carpets, score = set(), 0
    for event in placed:
        kind, number = event.square.split("-")
        lines = bonus_of(stacks)
        stacks[kind, int(number)] += 1
        token = event.token
        points = bonus_of(stacks) - lines
        if token.character == "sorcerer":
            points -= 3
        elif token.number:
            points += token.number
        if token.character != "genie" and token.kind == favourite:
            points += 2 if token.character == "princess" else 1
        if token.character == "princess" and token.kind in carpets:
            points += 2
        if token.character == "carpet":
            carpets.add(token.kind)
        score = max(0, score + points)
    return score


def bonus_of(stacks):
    rows = sum(all(stacks[kind, number] for number in range(1, 6)) for kind in KINDS)
    columns = sum(all(stacks[kind, number] for kind in KINDS) for number in range(1, 6))
    return 5 * rows + 5 * columns + sum(3 * (height // 3) for height in stacks.values())


@tables
@GAMES
@given(number=numbers)
def test_every_game_ends_within_sixty_tokens_and_the_best_have_won(seats, options, number):
    *_, last = walk(RULES, seats, number, options)
    outcome = RULES.outcome(last.after)
    assert last.after.turn <= 61
    assert {outcome.scores[seat] for seat in outcome.winners} == {max(outcome.scores)}
    assert [outcome.scores[seat] for seat in outcome.ranking] == sorted(outcome.scores, reverse=True)
    if options.get("equal_turns") == "on" and "round" in outcome.reason.code:
        assert last.after.turn % seats == 0


@tables
@GAMES
@given(number=numbers)
def test_whoever_has_fifty_points_has_ended_the_game_or_called_the_last_round(seats, options, number):
    for step in walk(RULES, seats, number, options):
        if max(step.after.scores) >= 50:
            assert step.after.outcome is not None or step.after.is_last_round
            assert step.after.is_last_round == (options.get("equal_turns") == "on")
