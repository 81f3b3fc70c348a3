"""What has happened since a player last looked, as one would write it: a line for each space with its results."""

from collections import Counter
from collections.abc import Iterable

from engine.aladdins_dragons.board import events, magic_events
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.facts import GUARD
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.card import CARDS
from engine.aladdins_dragons.text.events import event_text
from engine.core import JsonObject, Seat, Text
from engine.core.language import _
from engine.core.recaps import RecapLine

ARTIFACT = 6  # what an artifact weighs beside treasures, each of which weighs 1
CARD = 5  # a card that is shown
MINE = 4  # what concerns the reader weighs so much more
SMALL = 1

SILENT = (
    events.DeckShuffled, events.CavesFilled, events.GuardPosted, events.PlacingEnded, events.SpaceRevealed,
    events.TreasureReturned, events.MarketDeclined, events.CamelLeft, events.TokensEvicted, events.PurchaseDeclined,
    events.RoundEnded, events.RoundBegan, magic_events.OffersRevealed, magic_events.SpellsDrawn,
    magic_events.TokenRevealed,
)  # fmt: skip
"""What the board shows, or what follows from a line that is told."""

RECAP_SENTENCES = {
    "recap-placed": _("{seat} places: {places}."),
    "recap-ranked": _("{space}: {totals}."),
    "recap-results": _("{space}: {results}."),
    "recap-space": _("{space}: {totals}; {results}."),
    "recap-takes": _("{seat} takes {amounts}"),
    "recap-exchanges": _("{seat} gives {paid} for {amounts}"),
    "recap-pays": _("{seat} pays {amounts}"),
    "recap-camel": _("the camel goes to {seat}"),
    "recap-spell": _("{seat} keeps a spell"),
    "recap-allowance": _("{seat} may use two artifacts"),
    "recap-guard": _("the guard is a {strength}"),
    "recap-enters": _("{seat} enters"),
    "recap-bribes": _("{seat} enters for {amounts}"),
    "recap-key": _("{seat} enters with the Key"),
    "recap-stays-out": _("{seat} stays out"),
    "recap-buys": _("{seat} buys {card}"),
    "recap-buys-for": _("{seat} buys {card} for {amounts}"),
    "recap-unsold": _("nobody buys"),
    "recap-artifact": _("the artifact"),
    "standing-artifacts": _("Artifacts: {totals}; {left} left."),
    "standing-caves": _("Caves: {caves}."),
    "standing-offers": _("For sale: {offers}."),
    "standing-own": _("You have {amounts}."),
    "standing-own-cards": _("You have {amounts}; cards: {cards}."),
}


class _Space:
    """The line of a space that is being tallied."""

    def __init__(self, space: str) -> None:
        self.space = space
        self.totals: list[list[int]] = []
        self.results: list[tuple[str, JsonObject]] = []
        self.paid: dict[Seat, dict[str, int]] = {}
        self.weight = SMALL
        self.seats: set[Seat] = set()

    def add(self, code: str, seat: Seat | None = None, weight: int = SMALL, **params: object) -> None:
        """A result, and who has it."""
        self.results.append((code, {**({} if seat is None else {"seat": {"seat": seat}}), **params}))
        self.weight = max(self.weight, weight)
        if seat is not None:
            self.seats.add(seat)

    def told(self, reader: Seat | None) -> RecapLine | None:
        """The line; None if there is nothing to tell."""
        for seat, amounts in self.paid.items():
            self.add("recap-pays", seat, amounts={"amounts": amounts})
        if not self.totals and not self.results:
            return None
        params: JsonObject = {"space": {"space": self.space}}
        if self.totals:
            params["totals"] = {"totals": self.totals}
        if self.results:
            params["results"] = {"results": [[code, said] for code, said in self.results]}
        code = "recap-space" if len(params) == 3 else "recap-ranked" if self.totals else "recap-results"
        concerned = self.seats | {seat for seat, _total in self.totals}
        return RecapLine(Text(code, params), self.weight + MINE * (reader in concerned))


class _RecapWriter:
    """Reads events in their order."""

    def __init__(self, reader: Seat | None) -> None:
        self.reader = reader
        self.lines: list[RecapLine] = []
        self._placed: dict[Seat, Counter[str]] = {}
        self._space: _Space | None = None

    def read(self, event: Event) -> None:
        """One event, in its turn."""
        match event:
            case events.TokenPlaced(seat, space):
                self._placed.setdefault(seat, Counter())[space] += 1
            case events.SpaceRanked(space, ranking, totals):
                self._at(space).totals = [list(pair) for pair in zip(ranking, totals, strict=True)]
            case _ if isinstance(event, SILENT):
                pass
            case _ if not self._add_result(event) and event_text(event) is not None:
                self.close()
                self.lines.append(RecapLine(event, self._weight(event)))

    def _weight(self, event: object) -> int:
        concerned = self.reader is not None and self.reader in (
            getattr(event, "seat", None),
            getattr(event, "to", None),
        )
        shown = (magic_events.CardPlayed, magic_events.CardStruck, events.SeatResigned, events.GameEnded)
        return (CARD if isinstance(event, shown) else SMALL) + MINE * concerned

    def _add_result(self, event: Event) -> bool:
        """Adds what came of a space to its line; False for an event that is told by itself."""
        match event:
            case events.TreasureTaken(seat, amounts, source) if source != "start" and source not in CARDS:
                self._take(seat, amounts, source)
            case events.TreasurePaid(seat, amounts, space) if space not in CARDS:
                self._at(space).paid[seat] = amounts
            case events.ArtifactBought(seat, room, artifact) | magic_events.ArtifactSold(seat, room, artifact):
                self._buy(seat, room, artifact)
            case events.RoomUnsold(room):
                self._at(room).add("recap-unsold")
            case events.CamelGiven(_, to):
                self._at("caravanserai").add("recap-camel", to)
            case magic_events.SpellKept(seat):
                self._at("tent").add("recap-spell", seat)
            case magic_events.AllowanceRaised(seat):
                self._at("djinn").add("recap-allowance", seat)
            case _:
                return self._add_entry(event)
        return True

    def _add_entry(self, event: Event) -> bool:
        """Who enters the palace, and how; False for every other event."""
        match event:
            case events.GuardRevealed(strength):
                self._at(GUARD).add("recap-guard", strength=strength)
            case events.PalaceEntered(seat, True):
                paid = self._at(GUARD).paid.pop(seat, {})
                self._at(GUARD).add("recap-bribes", seat, amounts={"amounts": paid})
            case events.PalaceEntered(seat):
                self._at(GUARD).add("recap-enters", seat)
            case magic_events.PalaceUnlocked(seat):
                self._at(GUARD).add("recap-key", seat)
            case events.BribeDeclined(seat):
                self._at(GUARD).add("recap-stays-out", seat)
            case _:
                return False
        return True

    def _take(self, seat: Seat, amounts: dict[str, int], space: str) -> None:
        line = self._at(space)
        paid = line.paid.pop(seat, None)
        if paid:
            line.add("recap-exchanges", seat, paid={"amounts": paid}, amounts={"amounts": amounts})
        else:
            line.add("recap-takes", seat, sum(amounts.values()), amounts={"amounts": amounts})

    def _buy(self, seat: Seat, room: str, artifact: str | None) -> None:
        line = self._at(room)
        card = {"results": [["recap-artifact", {}]]} if artifact is None else {"card": artifact}
        paid = line.paid.pop(seat, None)
        price = {"amounts": {"amounts": paid}} if paid else {}
        line.add("recap-buys-for" if paid else "recap-buys", seat, ARTIFACT, card=card, **price)

    def _at(self, space: str) -> _Space:
        """The line of the space, a new one if it is another one's turn."""
        if self._space is None or self._space.space != space:
            return self._begin(space)
        return self._space

    def _begin(self, space: str) -> _Space:
        self.close()
        self._space = _Space(space)
        return self._space

    def close(self) -> None:
        """Ends the line that is being written."""
        for seat, places in self._placed.items():
            params: JsonObject = {"seat": {"seat": seat}, "places": {"places": dict(places)}}
            self.lines.append(RecapLine(Text("recap-placed", params), 2))
        self._placed = {}
        told = self._space.told(self.reader) if self._space else None
        self.lines += [told] if told else []
        self._space = None


def recap(seen: Iterable[Event], reader: Seat | None) -> list[RecapLine]:
    """What these events come to, in their order; `reader` is the seat that was shown them."""
    writer = _RecapWriter(reader)
    for event in seen:
        writer.read(event)
    writer.close()
    return writer.lines


def standings(view: View) -> list[Text]:
    """Where the game stands, in a few sentences: artifacts, what is to be had, and what the reader has."""
    if not view.round:
        return []
    counts = sorted(enumerate(view.artifact_counts), key=lambda pair: -pair[1])
    left = sum(view.offers.values())
    told = [Text("standing-artifacts", {"totals": {"totals": list(map(list, counts))}, "left": left})]
    if any(view.caves.values()):
        told.append(Text("standing-caves", {"caves": {"caves": view.caves}}))
    if view.has_magic and view.magic.offers:
        told.append(Text("standing-offers", {"offers": {"offers": view.magic.offers}}))
    hoard = view.hoards[view.seat] if view.seat is not None else None
    if hoard is not None:
        told.append(_own(view, hoard))
    return told


def _own(view: View, hoard: dict[str, int]) -> Text:
    cards = [*(view.magic.artifacts or []), *(view.magic.spells or [])] if view.has_magic else []
    params: JsonObject = {"amounts": {"amounts": hoard}, **({"cards": {"cards": cards}} if cards else {})}
    return Text("standing-own-cards" if cards else "standing-own", params)
