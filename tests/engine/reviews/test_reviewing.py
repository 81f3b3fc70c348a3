"""The review of a whole game, made by the rules alone."""

import itertools
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from engine.core import Text
from engine.records.model import Record
from engine.registry import get_rules
from engine.reviews.model import Review
from engine.reviews.playouts import ChanceEstimate, Playouts, course_of, has_chance, wilson
from engine.reviews.reviewing import review
from tests.engine.records.making import played

pytestmark = pytest.mark.slow
GAMES = [
    pytest.param(("cave-of-wonders", 3, 7, {}), id="cave"),
    pytest.param(("aladdins-dragons", 3, 7, {"version": "basic"}), id="basic"),
    pytest.param(("aladdins-dragons", 3, 7, {"version": "magic"}), id="magic"),
    pytest.param(("aladdins-dragons", 3, 7, {"version": "magic", "tally": "plan", "placing": "waves"}), id="waves"),
]
FEW = 45  # steps, after which all but one resign


def calls(most: int) -> Callable[[], float]:
    """A budget that is spent after so many looks at it."""
    looks = iter(range(1, 10_000_000))
    return lambda: next(looks) / most


def record_of(game: tuple[str, int, int, dict[str, str]]) -> Record:
    name, seats, number, options = game
    return played(name, seats, number, 20 if "tally" in options else FEW, **options)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_gets_a_curve_that_ends_with_its_result_whatever_was_ordered_missed_or_taken_back(
    game: tuple[str, int, int, dict[str, str]],
) -> None:
    record = record_of(game)
    found = review(get_rules(record.rules, record.rules_version), record, calls(12))
    assert found.seats == 3 and found.taken_back
    assert found.points[-1].seq == len(record.moves)
    winners = record.outcome.winners
    assert found.points[-1].chances == [1000 // len(winners) if seat in winners else 0 for seat in range(3)]
    for point in found.points:
        assert 995 <= sum(point.chances) <= 1005
        bounds = zip(point.low, point.chances, point.high, strict=True)
        assert all(0 <= low <= chance <= high <= 1000 for low, chance, high in bounds)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found


def test_what_was_taken_back_is_not_in_the_course_and_each_move_begins_where_the_one_before_it_ended() -> None:
    record = record_of(("cave-of-wonders", 3, 7, {}))
    turns = course_of(get_rules(record.rules, record.rules_version), record)
    branches = [move for move in record.moves if move.kind == "branch"]
    assert len(branches) == 2
    numbers = [turn.seq for turn in turns]
    assert numbers[-1] == len(record.moves) and len(numbers) < len(record.moves)
    assert sum(turn.kind == "branch" for turn in turns) >= 1
    for before, after in itertools.pairwise(turns):
        assert after.kind == "branch" or after.before == before.after


def test_a_die_is_chance_and_a_placement_is_not() -> None:
    cave = record_of(("cave-of-wonders", 3, 7, {}))
    rules = get_rules(cave.rules, cave.rules_version)
    turns = [turn for turn in course_of(rules, cave) if turn.kind == "advance"]
    assert sum(has_chance(Playouts(rules, 3), turn, Random(1)) for turn in turns[:5]) >= 4  # a die may hide
    basic = record_of(("aladdins-dragons", 3, 7, {"version": "basic"}))
    rules = get_rules(basic.rules, basic.rules_version)
    placed = [turn for turn in course_of(rules, basic) if turn.asked == "place"]
    assert placed and not any(has_chance(Playouts(rules, 3), turn, Random(1)) for turn in placed[:5])


def test_decisions_of_people_are_graded_in_words_of_the_rules_and_answers_at_random_are_told_from_good_ones() -> None:
    record = played("cave-of-wonders", 2, 3)
    rules = get_rules(record.rules, record.rules_version)
    found = review(rules, record, calls(60))
    by = {move.number: move.by for move in record.moves}
    assert found.decisions and {by[one.seq] for one in found.decisions} == {"player"}
    for one in found.decisions:
        assert rules.say(Text(one.title["code"], one.title["params"]), "en", ["Anna", "Ben"])
        assert one.answer and (bool(one.best) == bool(one.deals))
    assert any(one.loss > 2 * one.error and one.loss > 0 for one in found.decisions)
    actions = {turn.seq: turn for turn in course_of(rules, record)}
    for one in found.decisions:  # what the rules propose there is known as theirs
        turn = actions[one.seq]
        question = rules.question(rules.load(turn.before), turn.decision, one.seat)
        proposed = rules.propose(rules.view(rules.load(turn.before), one.seat), question)
        assert one.proposed == (rules.parse(dict(proposed.answer)) == turn.action)


def test_a_game_whose_board_nobody_judges_is_played_on_to_its_end() -> None:
    rules = get_rules("cave-of-wonders", 1)
    playouts, state = Playouts(rules, 3, foresight=0), rules.dump(rules.new(3, {}, "17" * 32)[0])
    for number in range(5):
        values = playouts.play_on(playouts.redeal(state, Random(number)), Random(number))
        assert sum(values) == pytest.approx(1) and set(values) <= {0.0, 1 / 3, 0.5, 1.0}


def test_an_interval_is_wilsons_and_narrows_with_playouts() -> None:
    low, high = wilson(0.5, 100).low, wilson(0.5, 100).high
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    few, many = ChanceEstimate(2), ChanceEstimate(2)
    for number in range(200):
        values = [float(number % 2), float(1 - number % 2)]
        many.add(values)
        if number < 8:
            few.add(values)
    assert few.interval(0).low < many.interval(0).low < 0.5 < many.interval(0).high < few.interval(0).high
    known = ChanceEstimate(2, [1.0, 0.0])
    assert known.interval(0) == (1.0, 1.0, 1.0)
