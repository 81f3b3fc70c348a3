"""Which events of a step a replay shows one after the other."""

from engine.cave_of_wonders.board import events
from engine.cave_of_wonders.board.events import Event

OPENING = (events.RollRevealed, events.AladdinMoved, events.TokenPlaced, events.GenieTaken, events.GameEnded)
"""Aladdin goes, and what lies there is turned over; the token goes to its square; the die is rolled again."""


def opens_scene(event: Event, before: Event) -> bool:
    """True if the cave is shown as it was before this event."""
    return isinstance(event, OPENING)
