"""What has happened, in few sentences: a line for each space, what each seat got behind it, the lightest left out."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic_events
from engine.aladdins_dragons.recaps import recap
from engine.aladdins_dragons.words import say
from engine.core.games import RecapLine, heaviest
from engine.registry import AnyRules, newest
from tests.engine.languages import LANGUAGES
from tests.engine.playing import walk_again

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


def told(happened: list, reader: int | None = None, language: str = "en") -> list[str]:
    return [say(line.text, language, NAMES) for line in recap(happened, reader)]


@pytest.mark.parametrize(
    ("happened", "line"),
    [
        (CAVE, "Crown cave: Ben 8, Anna 5; Ben takes 4 crowns, Anna takes 2 crowns."),
        (
            GUARD,
            "Palace guard: Ben 9, Anna 5, Carla 1; the guard is a 7, Ben enters, Anna enters for 2 gold bars, "
            "Carla stays out.",
        ),
        (ROOM, "Room 2: Ben 8, Anna 6; Ben buys Scroll for 8 gold bars."),
        (
            [
                events.SpaceRanked("market", [2], [3], []),
                events.TreasurePaid(2, {"pearl": 1}, "market"),
                events.TreasureTaken(2, {"gem": 3}, "market"),
            ],
            "Market: Carla 3; Carla gives 1 pearl for 3 gemstones.",
        ),
        ([events.CamelGiven(0, 2)], "Caravanserai: the camel goes to Carla."),
        (
            [events.TokenPlaced(0, space, None, False) for space in ("guard", "cave-gold", "guard")],
            "Anna places: Guard 2, Gold.",
        ),
    ],
)
def test_what_happened_at_a_space_is_one_line(happened: list, line: str) -> None:
    assert told(happened) == [line]


def test_each_space_has_its_own_line_in_the_order_of_the_tally() -> None:
    assert [line.split(":")[0] for line in told([*CAVE, *GUARD, *ROOM])] == ["Crown cave", "Palace guard", "Room 2"]


def test_a_card_that_is_shown_stands_between_the_lines_of_its_spaces() -> None:
    lines = told([*CAVE, magic_events.CardPlayed(2, "taboo", {"space": "market"}), *ROOM])
    assert len(lines) == 3 and "Taboo" in lines[1]


def test_where_there_is_little_room_the_lightest_is_left_out_and_never_what_concerns_the_reader() -> None:
    happened = [*CAVE, events.RoomUnsold("room-1"), *ROOM]
    assert [say(line.text, "en", NAMES).split(":")[0] for line in heaviest(recap(happened, None), 1)] == ["Room 2"]
    mine = heaviest(recap([*ROOM, events.SpaceRanked("tent", [2], [1], [])], 2), 1)
    assert [say(line.text, "en", NAMES) for line in mine] == ["Room 2: Ben 8, Anna 6; Ben buys Scroll for 8 gold bars."]


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
