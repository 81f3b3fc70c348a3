"""Which sentence says an event."""

from typing import assert_never

from engine.cave_of_wonders.board import events
from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.questions import token_param
from engine.core import Seat, Text


def _seat(seat: Seat) -> dict[str, Seat]:
    return {"seat": seat}


def event_text(event: Event) -> Text:
    """The event as a sentence."""
    match event:
        case events.GameBegan(start, favourites):
            return Text("game-began", {"start": _seat(start), "favourites": {"favourites": favourites}})
        case events.RollRevealed(_, seat, roll, again):
            return Text("rolled-again" if again else "rolled", {"seat": _seat(seat), "roll": roll})
        case events.AladdinMoved() | events.TokenRevealed() | events.GenieTaken() | events.TokenPlaced():
            return _token_text(event)
        case (
            events.CarpetLapsed()
            | events.LastRoundCalled()
            | events.Stuck()
            | events.SeatResigned()
            | events.GameEnded()
        ):
            return _course_text(event)
        case _:
            assert_never(event)


def _course_text(
    event: events.CarpetLapsed | events.LastRoundCalled | events.Stuck | events.SeatResigned | events.GameEnded,
) -> Text:
    match event:
        case events.CarpetLapsed(seat):
            return Text("carpet-lapsed", {"seat": _seat(seat)})
        case events.LastRoundCalled(seat, cause):
            return Text(f"last-round-{cause}", {"seat": _seat(seat)})
        case events.Stuck(seat, space):
            return Text("stuck", {"seat": _seat(seat), "space": space})
        case events.SeatResigned(seat):
            return Text("resigned", {"seat": _seat(seat)})
        case events.GameEnded(_, _, ranking, scores):
            return Text("game-ended", {"totals": {"totals": [[seat, scores[seat]] for seat in ranking]}})
        case _:
            assert_never(event)


def _token_text(
    event: events.AladdinMoved | events.TokenRevealed | events.GenieTaken | events.TokenPlaced,
) -> Text:
    match event:
        case events.AladdinMoved(seat, origin, to, flew, unasked):
            code = f"{'flew' if flew else 'moved'}{'-unasked' if unasked else ''}"
            return Text(code, {"seat": _seat(seat), "origin": origin, "to": to})
        case events.TokenRevealed(space, token):
            lying = token_param(token.kind, token.number, token.character)
            return Text("turned-over", {"space": space, "token": lying})
        case events.GenieTaken(seat):
            return Text("genie-taken", {"seat": _seat(seat)})
        case events.TokenPlaced(seat, token, square, points, score):
            params = {
                "seat": _seat(seat),
                "token": token_param(token.kind, token.number, token.character),
                "square": {"square": square},
                "parts": {"parts": points},
                "score": {"points": score},
            }
            return Text("genie-placed" if token.character == "genie" else "placed", params)
        case _:
            assert_never(event)
