"""Which events of a step a replay shows one after the other: a tally is one step of the rules, many for its players."""

from engine.aladdins_dragons.board import events, magic_events
from engine.aladdins_dragons.board.events import Event

TURNING = (events.GuardRevealed, events.SpaceRevealed, magic_events.TokenRevealed, events.SpaceRanked)
"""The tokens of a space are turned over and compared."""

ROUND = (events.RoundEnded, events.RoundBegan, events.DeckShuffled, events.CavesFilled, events.GuardPosted)
"""A round ends and the next one is laid out."""

PLAYING = (magic_events.CardPlayed, events.TokenPlaced, events.PlacementForfeited, magic_events.SpellsDrawn)


def opens_scene(event: Event, before: Event) -> bool:
    """True if the board is shown as it was before this event.

    Space after space: the tokens are turned over and compared; what they bring is given; at the guard and in the rooms
    everybody who pays is shown by himself.
    """
    match event:
        case events.GuardRevealed() | events.SpaceRevealed() | events.SpaceRanked():
            return not isinstance(before, TURNING)
        case events.TreasureTaken() | events.TreasureReturned():
            return isinstance(before, TURNING)
        case events.TreasurePaid():
            return not isinstance(before, events.PurchaseDeclined)
        case _ if isinstance(event, ROUND):
            return not isinstance(before, ROUND)
    return isinstance(event, PLAYING) or (isinstance(before, TURNING) and not isinstance(event, TURNING))


def begins_tally(event: Event) -> bool:
    """True for the end of placing."""
    return isinstance(event, events.PlacingEnded)
