"""The transcripts beside this file are what the rules do today, line by line, and leave nothing of the game out."""

from itertools import zip_longest

import pytest

from engine.cave_of_wonders.facts import CHARACTER_NUMBERS
from tests.engine.cave_of_wonders.table import RULES
from tests.engine.cave_of_wonders.transcripts import FOLDER, PLAYTHROUGHS, Playthrough, path_of, transcript

ENDINGS = {"fifty-won", "full-won", "stuck-won", "stuck-tie", "round-won", "round-tie", "abandoned"}
LARGEST = 150_000  # characters


@pytest.mark.slow
@pytest.mark.parametrize("kept", PLAYTHROUGHS, ids=lambda kept: kept.name)
def test_a_playthrough_is_played_the_same_again(kept: Playthrough) -> None:
    lines = path_of(kept).read_text().splitlines()
    for number, (old, new) in enumerate(zip_longest(lines, transcript(kept)), start=1):
        assert new == old, f"{path_of(kept).name}, line {number}"


@pytest.mark.parametrize("kept", PLAYTHROUGHS, ids=lambda kept: kept.name)
def test_it_ends_as_its_name_says_and_stays_short_enough_to_be_read(kept: Playthrough) -> None:
    text = path_of(kept).read_text()
    assert f"outcome.reason.code = {kept.ending}\n" in text
    assert len(text) < LARGEST


def test_every_ending_character_option_and_number_of_seats_is_played() -> None:
    assert {kept.ending for kept in PLAYTHROUGHS} == ENDINGS
    assert {kept.seats for kept in PLAYTHROUGHS} == set(RULES.seat_counts)
    assert {name for kept in PLAYTHROUGHS for name in kept.options} == {option.name for option in RULES.options}
    text = "".join(path_of(kept).read_text() for kept in PLAYTHROUGHS)
    for character in CHARACTER_NUMBERS:
        taken = [line for line in text.splitlines() if "TokenPlaced" in line and f"character:{character} " in line]
        assert len(taken) > 2, character
    for event in ("CarpetLapsed", "LastRoundCalled", "Stuck", "again:true", "flew:true"):
        assert event in text


def test_there_is_no_other_playthrough() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {path_of(kept).name for kept in PLAYTHROUGHS}
