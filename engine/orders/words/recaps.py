"""What orders have done since their player last looked: one sentence for all that answered, one for each other."""

from collections.abc import Iterable

from engine.core import Rules, Seat, Text
from engine.core.branches import Branched
from engine.core.recaps import RecapLine
from engine.orders.model import OrderDropped, OrderedState, OrderFired, OrderHeld, SeatView

WEIGHT = 8  # what one's own orders did matters more than most of what others did


def recap(
    rules: Rules[OrderedState, object, object, SeatView], seen: Iterable[object], reader: Seat | None
) -> list[RecapLine]:
    """What these events come to in the game's own words, and behind it what became of the reader's orders."""
    of_the_game: list[object] = []
    about_orders: list[RecapLine] = []
    fired = 0
    for event in seen:
        match event:
            case OrderFired():
                fired += 1
            case OrderDropped() | OrderHeld() | Branched():
                about_orders.append(RecapLine(event, WEIGHT))
            case _:
                of_the_game.append(event)
    if fired:
        about_orders.insert(0, RecapLine(Text("orders.recap-fired", {"count": fired}), WEIGHT))
    return [*rules.recap(of_the_game, reader), *about_orders]
