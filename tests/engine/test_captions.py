"""What happened is told in the second person to the reader whose seat it is, and in short sentences to everybody."""

import re

import pytest

from engine.aladdins_dragons.events import EVENT_PLURALS, EVENT_SENTENCES, CardPlayed, CardStruck, TreasureGiven
from engine.cave_of_wonders.events import EVENT_SENTENCES as CAVE_SENTENCES
from engine.core import Text
from engine.registry import AnyRules, newest
from tests.engine.languages import LANGUAGES
from tests.engine.playing import walk_again

NAMES = ["Abigail", "Bartholomew", "Cornelius", "Desdemona", "Ermintrude"]
MOST_WORDS = 10
DRAGONS, CAVE = sorted(newest(), key=lambda rules: rules.name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_nobody_reads_his_own_name_and_everybody_else_reads_it(rules: AnyRules, language: str) -> None:
    seats = max(rules.seat_counts)
    steps = list(walk_again(rules, seats))
    happened = [event for step in steps for event in step.events]
    reason = steps[-1].after.outcome.reason
    spoken = 0
    for reader in (0, seats - 1):
        seen = [shown for event in happened if (shown := rules.redact(event, reader)) is not None]
        for said in [*seen, *(line.text for line in rules.recap(seen, reader)), reason]:
            to_reader = rules.say(said, language, NAMES[:seats], reader)
            to_others = rules.say(said, language, NAMES[:seats])
            assert NAMES[reader] not in to_reader, to_reader
            assert (to_reader != to_others) == (NAMES[reader] in to_others)
            spoken += to_reader != to_others
    assert spoken > 20


@pytest.mark.parametrize("sentences", [{**EVENT_SENTENCES, **EVENT_PLURALS}, CAVE_SENTENCES])
def test_no_sentence_of_the_log_is_longer_than_one_reads_in_a_caption(sentences) -> None:
    for said in sentences.values():
        pattern = said if isinstance(said, str) else said[2]
        for sentence in re.split(r"[.:;] ", pattern.replace("{at}", "in room 1").replace("{amounts}", "5 crowns")):
            assert len(sentence.split()) <= MOST_WORDS, pattern


@pytest.mark.parametrize(
    ("sentences", "to_others_alone"),
    [
        ({**EVENT_SENTENCES, **EVENT_PLURALS}, {"spell-given-seen"}),  # its seat knows what it keeps as well
        (CAVE_SENTENCES, set()),
    ],
)
def test_each_event_about_a_seat_has_a_sentence_for_that_seat(sentences, to_others_alone) -> None:
    about = {code for code, said in sentences.items() if "{seat}" in str(said) and not code.endswith("-you")}
    assert {code for code in about if f"{code}-you" not in sentences} == to_others_alone


def test_who_is_not_its_subject_is_spoken_to_as_well() -> None:
    assert DRAGONS.say(CardPlayed(1, "charity", {"seat": 0}), "en", NAMES, 0).endswith("against you.")
    assert DRAGONS.say(CardStruck(1, "spy", 0), "de", NAMES, 0).startswith("Du hebst ")
    assert DRAGONS.say(TreasureGiven(1, 0, {"gem": 1}), "es", NAMES, 0) == "Bartholomew te paga: 1 gema."
    won = Text("fifty-won", {"by": {"seat": 0}, "winners": {"seats": [0]}, "points": {"points": 52}})
    assert CAVE.say(won, "en", NAMES, 0) == "You have reached 50 points. You win with 52 points."
    assert CAVE.say(won, "en", NAMES, 1) == "Abigail has reached 50 points. Abigail wins with 52 points."
