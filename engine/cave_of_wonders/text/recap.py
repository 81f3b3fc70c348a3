"""What has happened since a player last looked: what each turn brought, without the steps on the way."""

from collections.abc import Iterable

from engine.cave_of_wonders.board import events
from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.board.model import View
from engine.core import Seat, Text
from engine.core.recaps import RecapLine

STEPS = (events.RollRevealed, events.AladdinMoved, events.TokenRevealed, events.GenieTaken)
"""On the way to what a turn brings."""

GREAT = 5  # what calls the end, or what concerns the reader, weighs so much


def recap(seen: Iterable[Event], reader: Seat | None) -> list[RecapLine]:
    """What these events come to, in their order; `reader` is the seat that was shown them."""
    return [RecapLine(event, _weight(event, reader)) for event in seen if not isinstance(event, STEPS)]


def _weight(event: Event, reader: Seat | None) -> int:
    match event:
        case events.TokenPlaced(seat, _, _, points):
            return sum(points.values()) + GREAT * (seat == reader)
    return GREAT


def standings(view: View) -> list[Text]:
    """The points, the most first."""
    scores = sorted(enumerate(view.scores), key=lambda pair: -pair[1])
    return [Text("standing-points", {"totals": {"totals": list(map(list, scores))}})]
