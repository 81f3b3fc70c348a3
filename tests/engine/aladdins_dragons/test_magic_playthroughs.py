"""The kept magic games are what the rules do today, and have everything in them."""

from collections import Counter
from itertools import zip_longest

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from tests.engine.aladdins_dragons.coverage import covered
from tests.engine.aladdins_dragons.transcripts import FOLDER, LATE_GAMES, PLAYTHROUGHS, path_of, steps, transcript

IDS = [kept.name for kept in PLAYTHROUGHS]


@pytest.mark.slow
@pytest.mark.parametrize("kept", PLAYTHROUGHS, ids=IDS)
def test_a_kept_game_is_played_the_same_again(kept):
    lines = path_of(kept).read_text().splitlines()
    for number, (old, new) in enumerate(zip_longest(lines, transcript(kept)), start=1):
        assert new == old, f"{path_of(kept).name}, line {number}"


def test_there_are_no_other_files():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(IDS)


def test_every_number_of_seats_is_played_with_both_readings_of_the_last_first_card():
    tables = Counter((kept.seats, kept.last_first) for kept in LATE_GAMES)
    assert tables == {(seats, option): 2 for seats in (3, 4, 5) for option in ("reverse", "swap19")}


WINDOWS = (
    "start", "declared", "placed", "cave", "caves", "tent", "djinn", "market", "caravanserai", "guard", "room",
)  # fmt: skip
EVENTS = {event.__name__ for event in events.MagicEvent.__args__}


@pytest.mark.slow
def test_every_card_window_question_and_event_is_in_some_kept_game_a91():
    found = set().union(*(covered(steps(kept)) for kept in PLAYTHROUGHS))
    borrowed = {f"played parasite as {name}" for name, card in ARTIFACTS.items() if card.can_be_borrowed}
    wanted = {
        *(f"played {card}" for card in (*SPELLS, *ARTIFACTS) if card not in ("parasite", "scroll")),
        *borrowed,
        *(f"window {where}" for where in WINDOWS),
        *("reply guard", "reply room"),
        *(f"asked {kind}" for kind in ("place", "declare", "window", "tent", "ask", "market", "camel", "bribe", "buy")),
        *EVENTS,
        "ended by scrolls",
    }
    assert wanted - found == set()
