"""Lessons: what is said of one's own tokens is computed from what happened, whatever a beginner does."""

from random import Random

import pytest

from engine.aladdins_dragons.actions import Buy, Decline, Place, StayOut
from engine.aladdins_dragons.lesson import OwnTally
from engine.cave_of_wonders.events import RollRevealed, TokenPlaced
from engine.cave_of_wonders.facts import Token
from engine.cave_of_wonders.lesson import own_turn, parts_before
from engine.cave_of_wonders.model import MoveAladdin
from engine.registry import newest
from tests.engine.aladdins_dragons import table as dragons
from tests.engine.aladdins_dragons.table import A, B, tallied
from tests.engine.cave_of_wonders import table as cave
from tests.engine.languages import LANGUAGES

NAMES = ["Anna", "Ben", "Carla"]
GAMES = pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)


@GAMES
@pytest.mark.parametrize("dice", range(4))
def test_every_step_can_be_said_and_none_goes_back_whatever_a_beginner_answers(rules, dice):
    lesson, random, seat = rules.lesson, Random(dice), 0
    state, seen = rules.new(min(rules.seat_counts), lesson.options, lesson.seed)
    answered, steps = [], [1]
    while steps[-1] < lesson.steps:
        if rules.is_advance_pending(state):
            state, events = rules.advance(state)
        else:
            asked = next(one for one in rules.decisions(state) if one.prompted)
            view = rules.view(state, asked.seat)
            question = next(one for one in rules.questions(view) if one.decision.id == asked.id)
            action = rules.sample(question, random)
            if asked.kind in lesson.opening and asked.seat == seat:
                action = rules.parse(lesson.opening[asked.kind])
            if asked.kind == "place" and asked.seat == seat and len(answered) <= len(lesson.lead):
                action = rules.parse(lesson.lead[len(answered) - 1])
            answered += [asked.kind] if asked.seat == seat else []
            state, events = rules.apply(state, asked.id, asked.seat, action)
        seen += [event for event in (rules.redact(one, seat) for one in events) if event is not None]
        view = rules.view(state, seat)
        if any(one.kind in lesson.opening for one in rules.decisions(state)):
            continue
        first, last = lesson.span(view, answered)
        assert steps[-1] <= last and first <= last <= lesson.steps
        steps.append(last)
        for step in range(first, min(last, lesson.steps - 1) + 1):
            page = lesson.page(step, view, seen)
            for language in LANGUAGES:
                assert all(rules.say(one, language, NAMES) for one in (page.title, *page.told, *page.text))


@GAMES
def test_one_choice_of_the_puzzle_is_right_when_it_is_played_and_all_are_explained(rules):
    view, choices = rules.lesson.puzzle()
    answers = [rules.lesson.solve(value) for value, _label in choices]
    assert [one.is_right for one in answers].count(True) == 1 and all(one.told for one in answers)
    assert rules.describe(view, "en", NAMES) and rules.picture(view, "es", NAMES)
    with pytest.raises(KeyError):
        rules.lesson.solve("nowhere")


def told(part: str, *answers, hoard=(), others=(), **position) -> list[str]:
    """What Anna is told of her tokens in a part of the tally."""
    state, events = tallied(hoards=[dict(hoard), *others], **position)
    state, more = dragons.play(state, *answers)
    shown = [dragons.RULES.redact(event, A) for event in (*events, *more)]
    texts = getattr(OwnTally(A, [event for event in shown if event is not None], dict(hoard)), part)()
    return [dragons.RULES.say(text, "en", NAMES) for text in texts]


TIE = "is a tie, which turn order decides: clockwise from the camel"


@pytest.mark.parametrize(
    ("space", "row", "shelves", "said"),
    [
        ("cave-gem", "A5", [4], ["nobody else came. Your 5 takes 4 gemstones from the top shelf."]),
        ("cave-gem", "A7 A1 B5", [4], ["you are ahead, 7+1 against 5 of Ben. You take 4 gemstones."]),
        ("cave-gem", "A5 B8", [4, 2], ["Ben is ahead, 8 against your 5. You take the next shelf: 2 gemstones."]),
        ("cave-gem", "A5 B8", [4], ["Ben is ahead, 8 against your 5, and no shelf is left for you: nothing."]),
        ("cave-gem", "A7 B7", [4], ["you are ahead, 7 against 7 of Ben", f"7 against 7 {TIE}, you come before Ben."]),
        ("market", "A2 C6", [], ["You had no token in a cave"]),
    ],
)
def test_a_beginner_is_told_how_his_own_tokens_fared_in_the_caves(space, row, shelves, said):
    found = told("caves", spaces={space: row}, caves={"gem": shelves})
    assert len(found) == len(said) and all(part in line for part, line in zip(said, found, strict=True))


@pytest.mark.parametrize(
    ("position", "answers", "said"),
    [
        ({"spaces": {"room-2": "A5"}}, [], "You have no token at the guard, so you stay out."),
        ({"spaces": {"room-2": "A5"}}, [], "Your 5 from the rooms came home unseen"),
        ({"spaces": {"guard": "A5", "room-2": "A4"}}, [], "You have 5 there: you are in, and pay nothing."),
        ({"spaces": {"guard": "A2", "room-2": "A4"}}, [], "3 is missing, more than all your treasure."),
        ({"spaces": {"guard": "A2"}, "hoard": {"gem": 4}}, [(A, StayOut())], "3 is missing, and you did not pay it."),
    ],
)
def test_the_rule_of_the_guard_is_told_by_what_has_happened(position, answers, said):
    assert any(said in line for line in told("palace", *answers, **position))


@pytest.mark.parametrize(
    ("row", "hoard", "answers", "said"),
    [
        (
            "A4",
            {"gem": 4},
            [(A, Buy(pay_4="gem"))],
            "Room 1: you paid 4 gemstones for your 4, and the artifact is yours.",
        ),
        ("A4", {"gem": 4}, [(A, Decline())], "Room 1: you could have paid for your 4, and did not buy."),
        ("A4", {"gem": 3}, [], "Room 1: you could have bought, but could not pay for your 4"),
        ("A4 B5", {"gem": 4}, [(B, Buy(pay_5="gold"))], "Room 1: Ben was ahead, 5 against your 4, and bought."),
    ],
)
def test_a_beginner_is_told_why_he_has_an_artifact_or_not(row, hoard, answers, said):
    spaces = {"guard": "A9 B9", "room-1": row}
    assert said in told("rooms", *answers, hoard=hoard, others=[{"gold": 5}], spaces=spaces)[0]


@pytest.mark.parametrize(
    ("place", "position", "said"),
    [
        (Place(9, "room-1"), {"caves": {"gem": [4]}}, "your tokens in room 1 cost 9, each in one kind of its own"),
        (Place(4, "room-1"), {"caves": {"gem": [4]}}, ""),
        (
            Place(4, "guard"),
            {"spaces": {"guard": "A9 A2"}},
            "you had 11 at the guard before, and no guard is above",
        ),
        (Place(2, "guard"), {"spaces": {"guard": "A9"}}, ""),
        (Place(9, "market"), {"spaces": {"market": "A1 A2 A5 A6 A7 A8", "room-1": "A4"}}, "you have none at the guard"),
        (Place(9, "market"), {"spaces": {"market": "A1 A2 A5 A6 A7 A8", "guard": "A4"}}, "there is nothing to buy"),
    ],
)
def test_a_token_that_can_win_nothing_is_said_to_be_wasted(place, position, said):
    state, events = dragons.play(dragons.table(**position), (A, place))
    page = dragons.RULES.lesson.page(2, dragons.RULES.view(state, A), events)
    lies, *waste = [dragons.RULES.say(text, "en", NAMES) for text in page.told]
    assert lies.startswith(f"Your {place.token} lies face down") and len(waste) == bool(said)
    assert not said or said in waste[0]


@pytest.mark.parametrize(("to", "said"), [("E6", "on E4 you would have had +4."), ("E4", "")])
def test_a_move_that_left_more_behind_is_said_to_have_done_so(to, said):
    state = cave.position({"E6": "E1", "E4": "E4"}, roll=1)
    roll = RollRevealed(1, A, 1, again=False)
    state, events = cave.play(state, MoveAladdin(to))
    page = cave.RULES.lesson.page(2, cave.RULES.view(state, A), [roll, *events])
    told = [cave.RULES.say(text, "en", NAMES) for text in page.told]
    if said:
        assert told[-1].endswith(said)
    else:
        assert told[-2:] == [
            "You took emerald 4: number +4. You have 4 points.",
            "A treasure brings its number in points.",
        ]


def test_what_points_are_for_is_explained_once():
    placed = TokenPlaced(A, Token("ruby", 2), "ruby-2", {"number": 2, "row": 5}, 7)
    again = TokenPlaced(A, Token("ruby", 3), "ruby-3", {"number": 3, "column": 5}, 15)
    turns = [[RollRevealed(number, A, 1, again=False), event] for number, event in ((1, placed), (3, again))]
    known = parts_before([*turns[0], *turns[1]], A, turns[1])
    codes = [[text.code for text in own_turn(turn, seen)] for turn, seen in zip(turns, (set(), known), strict=True)]
    assert codes == [["lesson-took", "lesson-part-number", "lesson-part-row"], ["lesson-took", "lesson-part-column"]]


def test_the_squares_for_a_genie_can_be_tapped_on_ones_own_board_and_what_helps_is_lit():
    state = cave.position({"E6": "RG"}, boards=["E1 E2", ""], roll=1)
    state, _events = cave.play(state, MoveAladdin("E6"))
    view = cave.RULES.view(state, A)
    assert cave.RULES.lesson.page(4, view, []).lit == ["emerald-3"]  # brings nothing at once, and is the next of a row
    taking = {
        reader: [
            one["takes_genie"] for one in cave.RULES.picture(cave.RULES.view(state, reader), "en", NAMES)["players"]
        ]
        for reader in (A, B)
    }
    assert taking[A].count(True) == 1 and not any(taking[B])
