"""The story of a game that is over: who led when, the greatest haul, where most tokens lay, who has which artifact."""

from itertools import chain
from random import Random

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic_events
from engine.core import Ending
from tests.engine.aladdins_dragons.table import RULES
from tests.engine.playing import walk

NAMES = ["Anna", "Ben", "Carla"]
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
