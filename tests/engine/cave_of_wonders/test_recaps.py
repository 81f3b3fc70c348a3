"""The story of a game that is over: who led when, the best move, who called the last round."""

from engine.cave_of_wonders import events
from engine.cave_of_wonders.facts import Token
from engine.core import Ending
from tests.engine.cave_of_wonders.table import RULES
from tests.engine.playing import walk

NAMES = ["Anna", "Ben", "Carla"]


def turn(number, seat, points, score):
    token = Token("ruby", 4)
    return [
        events.RollRevealed(number, seat, 3, False),
        events.TokenPlaced(seat, token, "ruby-4", {"number": points}, score),
    ]


def test_leads_the_best_move_and_the_last_round_are_told():
    heard = [
        events.GameBegan(0, ["ruby", "topaz"]),
        *turn(1, 0, 4, 4),
        *turn(2, 1, 4, 4),
        *turn(3, 0, 1, 5),
        *turn(4, 1, 9, 13),
        events.LastRoundCalled(1, "fifty"),
        events.GameEnded(Ending.COMPLETE, [1], [1, 0], [5, 13]),
    ]
    assert [RULES.say(text, "en", NAMES) for text in RULES.story(heard)] == [
        "After turn 1 Anna leads: Anna 4, Ben 0.",
        "After turn 4 Ben leads: Ben 13, Anna 5.",
        "The best move, in turn 4: Ben takes ruby 4 for 9 points.",
        "Ben has reached 50 points. The round is played to its end.",
    ]


def test_any_game_has_a_story():
    heard = [event for step in walk(RULES, 3, 5) for event in step.events]
    began = events.GameBegan(0, ["ruby", "topaz", "emerald"])
    assert all(RULES.say(text, "es", NAMES) for text in RULES.story([began, *heard]))
