"""What has happened, in few sentences: a line for each space, what each seat got behind it, the lightest left out."""

from itertools import chain
from random import Random

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic_events
from engine.aladdins_dragons.recaps import recap
from engine.aladdins_dragons.words import Words
from engine.core import Ending
from engine.core.games import RecapLine, heaviest
from engine.registry import AnyRules, newest
from tests.engine.aladdins_dragons.table import RULES
from tests.engine.languages import LANGUAGES
from tests.engine.playing import walk, walk_again

NAMES = ["Anna", "Ben", "Carla"]
CAVE = [
    events.SpaceRevealed("cave-crown", [(0, 5), (1, 8)]),
    events.SpaceRanked("cave-crown", [1, 0], [8, 5], []),
    events.TreasureTaken(1, {"crown": 4}, "cave-crown"),
    events.TreasureTaken(0, {"crown": 2}, "cave-crown"),
]
GUARD = [
    events.GuardRevealed(7),
    events.SpaceRanked("guard", [1, 0, 2], [9, 5, 1], []),
    events.PalaceEntered(1, False),
    events.TreasurePaid(0, {"gold": 2}, "guard"),
    events.PalaceEntered(0, True),
    events.BribeDeclined(2),
]
ROOM = [
    events.SpaceRanked("room-2", [1, 0], [8, 6], []),
    events.TreasurePaid(1, {"gold": 8}, "room-2"),
    magic_events.ArtifactSold(1, "room-2", "scroll"),
]


def recapped(happened: list, reader: int | None = None, language: str = "en") -> list[str]:
    return [Words(language, NAMES).say(line.text) for line in recap(happened, reader)]


@pytest.mark.parametrize(
    ("happened", "line"),
    [
        (CAVE, "Crown cave: Ben 8, Anna 5. Ben takes 4 crowns. Anna takes 2 crowns."),
        (
            GUARD,
            "Palace guard: Ben 9, Anna 5, Carla 1. The guard is a 7. Ben enters. Anna enters for 2 gold bars. "
            "Carla stays out.",
        ),
        (ROOM, "Room 2: Ben 8, Anna 6. Ben buys Scroll for 8 gold bars."),
        (
            [
                events.SpaceRanked("market", [2], [3], []),
                events.TreasurePaid(2, {"pearl": 1}, "market"),
                events.TreasureTaken(2, {"gem": 3}, "market"),
            ],
            "Market: Carla 3. Carla gives 1 pearl for 3 gemstones.",
        ),
        ([events.CamelGiven(0, 2)], "Caravanserai: Carla gets the camel."),
        (
            [events.TokenPlaced(0, space, None, False) for space in ("guard", "cave-gold", "guard")],
            "Anna places: Guard ×2, Gold.",
        ),
    ],
)
def test_what_happened_at_a_space_is_one_line(happened: list, line: str) -> None:
    assert recapped(happened) == [line]


def test_each_space_has_its_own_line_in_the_order_of_the_tally() -> None:
    assert [line.split(":")[0] for line in recapped([*CAVE, *GUARD, *ROOM])] == ["Crown cave", "Palace guard", "Room 2"]


def test_a_card_that_is_shown_stands_between_the_lines_of_its_spaces() -> None:
    lines = recapped([*CAVE, magic_events.CardPlayed(2, "taboo", {"space": "market"}), *ROOM])
    assert len(lines) == 3 and "Taboo" in lines[1]


def said(line: RecapLine) -> str:
    return Words("en", NAMES).say(line.text)


def test_where_there_is_little_room_the_lightest_is_left_out_and_never_what_concerns_the_reader() -> None:
    happened = [*CAVE, events.RoomUnsold("room-1"), *ROOM]
    assert [said(line).split(":")[0] for line in heaviest(recap(happened, None), 1)] == ["Room 2"]
    mine = heaviest(recap([*ROOM, events.SpaceRanked("tent", [2], [1], [])], 2), 1)
    assert [said(line) for line in mine] == ["Room 2: Ben 8, Anna 6. Ben buys Scroll for 8 gold bars."]


def test_of_two_that_weigh_the_same_the_later_one_stays_and_the_order_too() -> None:
    lines = [RecapLine(name, weight) for name, weight in (("a", 1), ("b", 2), ("c", 1), ("d", 2))]
    assert [line.text for line in heaviest(lines, 3)] == ["b", "c", "d"]
    assert heaviest(lines, 9) == lines and heaviest([], 3) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_whole_games_are_told_in_fewer_words_than_their_log(rules: AnyRules, language: str) -> None:
    seats = max(rules.seat_counts)
    names = ["Anna", "Ben", "Carla", "David", "Eva"][:seats]
    steps = list(walk_again(rules, seats))
    state, happened = steps[-1].after, [event for step in steps for event in step.events]
    for seat in (None, 0, seats - 1):
        seen = [shown for event in happened if (shown := rules.redact(event, seat)) is not None]
        lines = [rules.say(line.text, language, names) for line in rules.recap(seen, seat)]
        log = [said for event in seen if (said := rules.say(event, language, names))]
        assert all(lines) and len(" ".join(lines).split()) < 0.75 * len(" ".join(log).split())
        assert all(rules.say(text, language, names) for text in rules.standings(rules.view(state, seat)))


# The story of a game that is over: who led when, the greatest haul, where most tokens lay, who has which artifact.

A, B, C = range(3)


def told(*heard, scores=(0, 0, 0)):
    ended = events.GameEnded(Ending.COMPLETE, [A], [A, B, C], list(scores))
    found = RULES.story([events.GameBegan(3, A), *heard, ended])
    return [RULES.say(text, "en", NAMES) for text in found]


def a_round(number, *heard):
    return [events.RoundBegan(number), *heard, events.RoundEnded(number)]


def sold(seat, artifact="key"):
    return magic_events.ArtifactSold(seat, "room-1", artifact)


def test_a_lead_is_told_when_somebody_else_takes_it_alone():
    rounds = [a_round(1, sold(A)), a_round(2, sold(B)), a_round(3, sold(B)), a_round(4), a_round(5, sold(A), sold(A))]
    lines = [line for line in told(*chain(*rounds), scores=(4, 3, 1)) if "leads" in line]
    assert lines == [
        "After round 1 Anna leads: Anna 2, Ben 1, Carla 1.",
        "After round 3 Ben leads: Ben 3, Anna 2, Carla 1.",
        "After round 5 Anna leads: Anna 4, Ben 3, Carla 1.",
    ]


def test_of_many_changes_the_last_ones_are_told():
    rounds = [
        a_round(2 * n + who, *[sold(who)] * (1 if n == 0 and who == 0 else 2)) for n in range(5) for who in (A, B)
    ]
    lines = [line for line in told(*chain(*rounds), scores=(9, 10, 0)) if "leads" in line]
    assert len(lines) == 6 and lines[-1].startswith("After round 9 Ben leads")


def test_the_greatest_haul_and_the_fullest_space_are_told_with_their_rounds():
    lines = told(
        *a_round(0, events.TreasureTaken(A, {"crown": 5}, "start")),
        *a_round(1, events.TreasureTaken(A, {"pearl": 2}, "cave-pearl")),
        *a_round(
            2,
            events.SpaceRevealed("market", [(A, 3), (B, 4)]),
            events.TreasureTaken(B, {"crown": 3, "gem": 1}, "cave-crown"),
        ),
        *a_round(3, events.SpaceRevealed("guard", [(C, 1)]), events.TreasureTaken(C, {"gold": 3}, "charity")),
    )
    assert "The greatest haul, in round 2: Ben takes 3 crowns and 1 gemstone in the crown cave." in lines
    assert "The most tokens in one space, in round 2: Market, 2." in lines


def test_what_a_card_brings_can_be_the_greatest_haul():
    assert "The greatest haul, in round 1: Charity brings Ben 4 crowns." in told(
        *a_round(1, events.TreasureTaken(B, {"crown": 4}, "charity"))
    )


def test_artifacts_are_named_where_everybody_knows_them():
    lines = told(*a_round(1, sold(A), sold(A, "scroll"), magic_events.OfferSwapped(A, "room-2", "double", "key")))
    assert "Anna's artifacts, as far as everyone saw them: Scroll and Double." in lines
    hidden = told(*a_round(1, events.ArtifactBought(A, "room-1", None)), scores=(1, 0, 0))
    assert hidden == ["After round 1 Anna leads: Anna 1, Ben 0, Carla 0."]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_any_game_has_a_story_and_it_is_made_of_what_everybody_was_shown(number):
    options = {"version": ("basic", "magic")[number]}
    heard = [event for step in walk(RULES, 3, number, options) for event in step.events]
    shown = [seen for event in heard if (seen := RULES.redact(event, None)) is not None]
    began = events.GameBegan(3, Random(number).randrange(3))
    assert (lines := [RULES.say(text, "es", NAMES) for text in RULES.story([began, *shown])]) and all(lines)


def test_a_new_round_is_said_while_it_is_shown_and_not_in_a_recap_of_what_matters():
    happened = [events.RoundEnded(1), events.RoundBegan(2), events.TokenPlaced(0, "guard", None, False)]
    assert recapped(happened) == ["Round 2 begins.", "Anna places: Guard."]
    assert [line.text.code for line in heaviest(recap(happened, None), 9)] == ["recap-placed"]
