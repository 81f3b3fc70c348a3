"""Which sentence says an event."""

from typing import assert_never

from engine.aladdins_dragons.board import events
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.magic_events import MagicBase
from engine.aladdins_dragons.cards.card import CARDS
from engine.aladdins_dragons.text.magic_sentences import magic_event_text
from engine.core import JsonObject, Seat, Text


def _seat(seat: Seat) -> dict[str, Seat]:
    return {"seat": seat}


def event_text(event: Event) -> Text | None:
    """The event as a sentence; None if nobody needs to read it."""
    if isinstance(event, MagicBase):
        return magic_event_text(event)
    match event:
        case (
            events.TreasureTaken() | events.TreasurePaid() | events.CavesFilled() | events.TreasureReturned()
            | events.MarketDeclined()
        ):  # fmt: skip
            return _treasure_text(event)
        case (
            events.TokenPlaced() | events.PlacementForfeited() | events.PlacingEnded() | events.SpaceRevealed()
            | events.SpaceRanked() | events.TokensEvicted()
        ):  # fmt: skip
            return _token_text(event)
        case (
            events.GuardPosted() | events.GuardRevealed() | events.PalaceEntered() | events.BribeDeclined()
            | events.ArtifactBought() | events.PurchaseDeclined() | events.RoomUnsold()
        ):  # fmt: skip
            return _palace_text(event)
        case (
            events.GameBegan() | events.DeckShuffled() | events.RoundBegan() | events.RoundEnded()
            | events.SeatResigned() | events.GameEnded() | events.CamelGiven() | events.CamelLeft()
        ):  # fmt: skip
            return _course_text(event)
        case _:
            assert_never(event)


def _course_text(
    event: events.GameBegan | events.DeckShuffled | events.RoundBegan | events.RoundEnded | events.SeatResigned
    | events.GameEnded | events.CamelGiven | events.CamelLeft
) -> Text:  # fmt: skip
    match event:
        case events.GameBegan(_, camel):
            said = Text("game-began", {"camel": _seat(camel)})
        case events.DeckShuffled():
            said = Text("deck-shuffled")
        case events.RoundBegan(number):
            said = Text("round-began", {"round": number})
        case events.RoundEnded(number):
            said = Text("round-ended", {"round": number})
        case events.CamelGiven(seat, to) if seat == to:
            said = Text("camel-taken", {"seat": _seat(seat)})
        case events.CamelGiven(seat, to):
            said = Text("camel-given", {"seat": _seat(seat), "to": _seat(to)})
        case events.CamelLeft(seat):
            said = Text("camel-left", {"seat": _seat(seat)})
        case events.SeatResigned(seat):
            said = Text("resigned", {"seat": _seat(seat)})
        case events.GameEnded(_, _, ranking, scores):
            said = Text("game-ended", {"totals": {"totals": [[seat, scores[seat]] for seat in ranking]}})
        case _:
            assert_never(event)
    return said


def _treasure_text(
    event: events.TreasureTaken | events.TreasurePaid | events.CavesFilled | events.TreasureReturned
    | events.MarketDeclined
) -> Text:  # fmt: skip
    match event:
        case events.TreasureTaken(seat, amounts, "start"):
            said = Text("taken-start", {"seat": _seat(seat), "amounts": {"amounts": amounts}})
        case events.TreasureTaken(seat, amounts, source) if source in CARDS:
            said = Text("taken-by-card", _treasure(seat, amounts, source))
        case events.TreasurePaid(seat, amounts, source) if source in CARDS:
            said = Text("paid-for-card", _treasure(seat, amounts, source))
        case events.TreasureTaken(seat, amounts, space):
            said = Text("taken", {"seat": _seat(seat), "amounts": {"amounts": amounts}, "at": {"at": space}})
        case events.TreasurePaid(seat, amounts, space):
            said = Text("paid", {"seat": _seat(seat), "amounts": {"amounts": amounts}, "at": {"at": space}})
        case events.CavesFilled(_, caves, missing) if missing:
            said = Text("caves-short", {"caves": {"caves": caves}, "missing": {"amounts": missing}})
        case events.CavesFilled(_, caves):
            said = Text("caves-filled", {"caves": {"caves": caves}})
        case events.TreasureReturned(space, amount):
            said = Text("returned", {"space": {"space": space}, "amount": amount})
        case events.MarketDeclined(seat):
            said = Text("market-declined", {"seat": _seat(seat)})
        case _:
            assert_never(event)
    return said


def _treasure(seat: Seat, amounts: dict[str, int], card: str) -> JsonObject:
    return {"seat": _seat(seat), "amounts": {"amounts": amounts}, "card": {"card": card}}


def _token_text(
    event: events.TokenPlaced | events.PlacementForfeited | events.PlacingEnded | events.SpaceRevealed
    | events.SpaceRanked | events.TokensEvicted
) -> Text:  # fmt: skip
    match event:
        case events.TokenPlaced(seat, space, None):
            said = Text("placed-hidden", {"seat": _seat(seat), "at": {"at": space}})
        case events.TokenPlaced(seat, space, value):
            said = Text("placed", {"seat": _seat(seat), "value": value, "at": {"at": space}})
        case events.PlacementForfeited(seat):
            said = Text("forfeited", {"seat": _seat(seat)})
        case events.PlacingEnded():
            said = Text("placing-ended")
        case events.SpaceRevealed(space, tokens):
            said = Text("revealed", {"space": {"space": space}, "tokens": {"tokens": tokens}})
        case events.SpaceRanked(space, ranking, totals, ties):
            pairs = [list(pair) for pair in zip(ranking, totals, strict=True)]
            said = Text("ranked", {"space": {"space": space}, "totals": {"totals": pairs}})
            if ties:
                said = Text("ranked-ties", {**said.params, "ties": {"groups": ties}})
        case events.TokensEvicted(seat, count, None):
            said = Text("evicted", {"seat": _seat(seat), "count": count})
        case events.TokensEvicted(seat, count, values):
            said = Text("evicted-own", {"seat": _seat(seat), "count": count, "values": {"numbers": values}})
        case _:
            assert_never(event)
    return said


def _palace_text(
    event: events.GuardPosted | events.GuardRevealed | events.PalaceEntered | events.BribeDeclined
    | events.ArtifactBought | events.PurchaseDeclined | events.RoomUnsold
) -> Text:  # fmt: skip
    match event:
        case events.GuardPosted():
            said = Text("guard-posted")
        case events.GuardRevealed(strength):
            said = Text("guard-revealed", {"strength": strength})
        case events.PalaceEntered(seat, bribed):
            said = Text("entered-bribed" if bribed else "entered", {"seat": _seat(seat)})
        case events.BribeDeclined(seat):
            said = Text("stayed-out", {"seat": _seat(seat)})
        case events.ArtifactBought(seat, room):
            said = Text("bought", {"seat": _seat(seat), "at": {"at": room}})
        case events.PurchaseDeclined(seat, room):
            said = Text("declined", {"seat": _seat(seat), "at": {"at": room}})
        case events.RoomUnsold(room):
            said = Text("unsold", {"space": {"space": room}})
        case _:
            assert_never(event)
    return said
