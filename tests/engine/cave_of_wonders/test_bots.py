"""The bots play by what they see, the same again with the same dice; the sketch they think in follows the rules."""

from itertools import combinations
from random import Random

import pytest

from engine.cave_of_wonders.bots import GreedyBot, SultanBot
from engine.cave_of_wonders.facts import SQUARES
from engine.cave_of_wonders.model import Fly, MoveAladdin, Moving, PlaceGenie, PlacingGenie
from engine.cave_of_wonders.scoring import landings, targets
from engine.cave_of_wonders.sketch import SPACE_INDEX, SQUARE, SQUARE_INDEX, TOKEN_INDEX, Sketch
from tests.engine.cave_of_wonders.table import RULES, A, carpet, position, token
from tests.engine.playing import seed_of, walk


def chosen(bot, state, number=1):
    view = RULES.view(state, A)
    return bot.choose(view, view.questions[0], Random(number))


def test_there_are_three_bots():
    assert list(RULES.bots) == ["random", "careless", "greedy", "planner", "sultan", "vizier"]


@pytest.mark.parametrize("options", [{}, {"full_distance": "on"}])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_sketch_finds_the_same_landings_targets_and_scores_as_the_rules(seats, options):
    sketch = None
    for step in walk(RULES, seats, 3, options):
        before, after = step.before, step.after
        sketch = Sketch.of(before)
        for roll in (1, 2, 3, 4):
            expected = landings(before.spaces, before.aladdin, roll, full_distance=bool(options))
            assert sorted(sketch.copy().landings(roll)) == sorted(SPACE_INDEX[space] for space in expected)
        assert sketch.targets() == [SPACE_INDEX[space] for space in targets(before.spaces)]
        if isinstance(before.frame, Moving) and after.taken == before.taken + 1 and after.held is None:
            space = step.action.to
            taken = sketch.lift(SPACE_INDEX[space])
            sketch.place(before.active, taken, SQUARE[taken])
            assert sketch.scores == after.scores
        elif isinstance(before.frame, PlacingGenie) and after.taken == before.taken:
            sketch.place(before.active, TOKEN_INDEX[before.held], SQUARE_INDEX[step.action.square])
            assert sketch.scores == after.scores
    assert sketch is not None


def test_the_greedy_bot_takes_what_brings_most():
    assert chosen(GreedyBot(), position({"E6": "R3", "D4": "S4"})) == MoveAladdin("D4")
    assert chosen(GreedyBot(), position({"E6": "R2m", "D4": "S4"})) == MoveAladdin("E6"), "another token follows"
    assert chosen(GreedyBot(), carpet({"A1": "R3", "B1": "S4"})) == Fly("B1")


def test_the_greedy_bot_counts_what_has_been_seen():
    """All but one emerald lie open: what lies face down is known."""
    cave = {"E6": "R3", "D4": "?E5"}
    boards = ["E1 E1 E2 E2 E3 E3 E4 E4 E5 E1c E2m E3p E5s EG@R1"]
    assert chosen(GreedyBot(), position(cave, boards=boards)) == MoveAladdin("D4")


def test_the_sultan_takes_the_points_that_win():
    state = position({"E6": "R3", "D4": "?S5", "E4": "?T5"}, scores=[47, 49])
    assert chosen(SultanBot(200), state) == MoveAladdin("E6")


def test_the_sultan_leaves_the_rival_no_winning_landing():
    """A 4 either way; next to one of them lie the points that the rival lacks."""
    state = position({"D4": "R4", "D3": "S5", "B2": "E5", "E6": "R4", "E9": "R1"}, scores=[20, 46])
    assert chosen(SultanBot(400), state) == MoveAladdin("E6")


@pytest.mark.parametrize(("is_equal", "best"), [(False, "E6"), (True, "D4")])
def test_with_equal_turns_the_sultan_does_not_hurry_to_a_fifty_that_the_rival_beats_c46(is_equal, best):
    """Next to the 4 that makes fifty lies a 5 for Ben, who would still have his turn."""
    state = position({"E6": "R4", "E7": "T5", "D4": "S3", "C3": "S1"}, scores=[46, 46], equal_turns=is_equal)
    assert chosen(SultanBot(400), state) == MoveAladdin(best)


@pytest.mark.parametrize(("is_equal", "best"), [(False, "E6"), (True, "D4")])
def test_with_equal_turns_the_sultan_thinks_to_the_end_of_the_round_that_it_would_call_the_last_c46(is_equal, best):
    """It is Carla, two seats on, who would find the 5 that beats fifty."""
    cave = {"E6": "R4", "E7": "S1", "F7": "T5", "D4": "S3", "C3": "S1", "B2": "S1"}
    state = position(cave, seats=3, scores=[46, 0, 46], equal_turns=is_equal)
    assert chosen(SultanBot(400), state) == MoveAladdin(best)


def test_in_a_last_round_the_sultan_stakes_all_on_winning_c46():
    """Ben has 55 and has had his turn: nothing but a chain of treasures can still beat him."""
    cave = {"E6": "R5", "D4": "S2m", "C3": "S5", "B2": "T5", "D5": "T5"}
    state = position(cave, start=1, turn=2, scores=[49, 55], equal_turns=True, is_last_round=True)
    assert chosen(SultanBot(400), state) == MoveAladdin("D4")


def test_the_sultan_answers_every_question_with_something_legal():
    state = position({"E6": "R3", "D4": "S1"}, frame=PlacingGenie(), held=token("RG"), taken=1, boards=["S2 S3 S4 S5"])
    assert chosen(SultanBot(100), state) in [PlaceGenie(square) for square in SQUARES]
    assert chosen(SultanBot(100), carpet({"A1": "R3", "B1": "S4", "I5": "?E1"})).to in ("A1", "B1", "I5")


def test_the_sultan_keeps_the_genie_for_a_line_that_is_nearly_full():
    state = position({"E6": "R3", "D4": "S1"}, frame=PlacingGenie(), held=token("RG"), taken=1, boards=["S1 S2 S3"])
    assert chosen(SultanBot(400), state) in (PlaceGenie("sapphire-4"), PlaceGenie("sapphire-5"))


def test_what_lies_face_down_is_dealt_anew_in_each_world_as_its_backs_allow_c10():
    state, _ = RULES.new(3, {}, seed_of(6))
    view = RULES.view(state, A)
    worlds = [RULES.determinise(view, Random(number)) for number in range(5)]
    dealt = [[here and here.token for here in world.spaces.values()] for world in worlds]
    assert all(one != other for one, other in combinations(dealt, 2))
    for world in worlds:
        assert RULES.view(world, A).spaces == view.spaces


def test_the_same_dice_give_the_same_choice():
    state, _ = RULES.new(2, {}, seed_of(5))
    view = RULES.view(state, state.active)
    choices = {SultanBot(200).choose(view, view.questions[0], Random(9)) for _ in range(3)}
    assert len(choices) == 1


def test_the_sultan_sees_nothing_but_the_view():
    """Two worlds that look the same to it get the same answer."""
    state, _ = RULES.new(3, {}, seed_of(6))
    seat = state.active
    other = RULES.determinise(RULES.view(state, seat), Random(1))
    assert other.spaces != state.spaces
    answers = []
    for world in (state, other):
        view = RULES.view(world, seat)
        answers.append(SultanBot(200).choose(view, view.questions[0], Random(2)))
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_the_sultan_beats_the_greedy_bot():
    """Twenty-four games, each seat as often as the other; the seeds are fixed, so this is no matter of luck."""
    wins = sum(sultan_wins(number, seat) for number in range(12) for seat in (0, 1))
    assert wins > 12


def sultan_wins(number, seat):
    random, bots = Random(number), {seat: SultanBot(), 1 - seat: GreedyBot()}
    state, _ = RULES.new(2, {}, seed_of(number))
    while state.outcome is None:
        if RULES.is_advance_pending(state):
            state, _ = RULES.advance(state)
            continue
        (decision,) = RULES.decisions(state)
        view = RULES.view(state, decision.seat)
        action = bots[decision.seat].choose(view, view.questions[0], random)
        state, _ = RULES.apply(state, decision.id, decision.seat, action)
    return seat in state.outcome.winners
