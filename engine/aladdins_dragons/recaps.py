"""Recaps since a player last looked, with a line for each space and its results; the story and figures of a game."""

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.aladdins_dragons import events
from engine.aladdins_dragons.cards.card import CARDS
from engine.aladdins_dragons.events import CardPlayed, Event, TreasureGiven
from engine.aladdins_dragons.facts import CAVES, CITY, GUARD
from engine.aladdins_dragons.model import View
from engine.core import Figures, JsonObject, Seat, Text
from engine.core.games import RecapLine
from engine.core.language import _

ARTIFACT = 6  # what an artifact weighs beside treasures, each of which weighs 1
CARD = 5  # a card that is shown
MINE = 4  # what concerns the reader weighs so much more
SMALL = 1

SILENT = (
    events.DeckShuffled, events.CavesFilled, events.GuardPosted, events.PlacingEnded, events.SpaceRevealed,
    events.TreasureReturned, events.MarketDeclined, events.CamelLeft, events.TokensEvicted, events.PurchaseDeclined,
    events.RoundEnded, events.OffersRevealed, events.SpellsDrawn, events.TokenRevealed,
)  # fmt: skip
"""Events that the board shows, or that follow from a line that is told."""

RECAP_SENTENCES = {
    "recap-placed": _("{seat} places: {places}."),
    "recap-placed-you": _("You place: {places}."),
    "recap-ranked": _("{space}: {totals}."),
    "recap-results": _("{space}: {results}"),
    "recap-space": _("{space}: {totals}. {results}"),
    "recap-takes": _("{seat} takes {amounts}."),
    "recap-takes-you": _("You take {amounts}."),
    "recap-exchanges": _("{seat} gives {paid} for {amounts}."),
    "recap-exchanges-you": _("You give {paid} for {amounts}."),
    "recap-pays": _("{seat} pays {amounts}."),
    "recap-pays-you": _("You pay {amounts}."),
    "recap-camel": _("{seat} gets the camel."),
    "recap-camel-you": _("You get the camel."),
    "recap-spell": _("{seat} keeps a spell."),
    "recap-spell-you": _("You keep a spell."),
    "recap-allowance": _("{seat} may use two artifacts."),
    "recap-allowance-you": _("You may use two artifacts."),
    "recap-guard": _("The guard is a {strength}."),
    "recap-enters": _("{seat} enters."),
    "recap-enters-you": _("You enter."),
    "recap-bribes": _("{seat} enters for {amounts}."),
    "recap-bribes-you": _("You enter for {amounts}."),
    "recap-key": _("{seat} enters with the Key."),
    "recap-key-you": _("You enter with the Key."),
    "recap-stays-out": _("{seat} stays out."),
    "recap-stays-out-you": _("You stay out."),
    "recap-buys": _("{seat} buys {card}."),
    "recap-buys-you": _("You buy {card}."),
    "recap-buys-for": _("{seat} buys {card} for {amounts}."),
    "recap-buys-for-you": _("You buy {card} for {amounts}."),
    "recap-unsold": _("Nobody buys."),
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
            case _ if not self._add_result(event) and event.text() is not None:
                self.close()
                self.lines.append(RecapLine(event, self._weight(event)))

    def _weight(self, event: object) -> int:
        concerned = self.reader is not None and self.reader in (
            getattr(event, "seat", None),
            getattr(event, "to", None),
        )
        if isinstance(event, events.RoundBegan):
            return 0
        shown = (events.CardPlayed, events.CardStruck, events.SeatResigned, events.GameEnded)
        return (CARD if isinstance(event, shown) else SMALL) + MINE * concerned

    def _add_result(self, event: Event) -> bool:
        """Adds what came of a space to its line; False for an event that is told by itself."""
        match event:
            case events.TreasureTaken(seat, amounts, source) if source != "start" and source not in CARDS:
                self._take(seat, amounts, source)
            case events.TreasurePaid(seat, amounts, space) if space not in CARDS:
                self._at(space).paid[seat] = amounts
            case events.ArtifactBought(seat, room, artifact) | events.ArtifactSold(seat, room, artifact):
                self._buy(seat, room, artifact)
            case events.RoomUnsold(room):
                self._at(room).add("recap-unsold")
            case events.CamelGiven(_, to):
                self._at("caravanserai").add("recap-camel", to)
            case events.SpellKept(seat):
                self._at("tent").add("recap-spell", seat)
            case events.AllowanceRaised(seat):
                self._at("djinn").add("recap-allowance", seat)
            case _:
                return self._add_entry(event)
        return True

    def _add_entry(self, event: Event) -> bool:
        """Says who enters the palace, and how; False for every other event."""
        match event:
            case events.GuardRevealed(strength):
                self._at(GUARD).add("recap-guard", strength=strength)
            case events.PalaceEntered(seat, True):
                paid = self._at(GUARD).paid.pop(seat, {})
                self._at(GUARD).add("recap-bribes", seat, amounts={"amounts": paid})
            case events.PalaceEntered(seat):
                self._at(GUARD).add("recap-enters", seat)
            case events.PalaceUnlocked(seat):
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
        line = self._space.told(self.reader) if self._space else None
        self.lines += [line] if line else []
        self._space = None


def recap(seen: Iterable[Event], reader: Seat | None) -> list[RecapLine]:
    """Returns what these events come to, in their order; `reader` is the seat that was shown them."""
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
    texts = [Text("standing-artifacts", {"totals": {"totals": list(map(list, counts))}, "left": left})]
    if any(view.caves.values()):
        texts.append(Text("standing-caves", {"caves": {"caves": view.caves}}))
    if view.has_magic and view.magic.offers:
        texts.append(Text("standing-offers", {"offers": {"offers": view.magic.offers}}))
    hoard = view.hoards[view.seat] if view.seat is not None else None
    if hoard is not None:
        texts.append(_own(view, hoard))
    return texts


def _own(view: View, hoard: dict[str, int]) -> Text:
    cards = [*(view.magic.artifacts or []), *(view.magic.spells or [])] if view.has_magic else []
    params: JsonObject = {"amounts": {"amounts": hoard}, **({"cards": {"cards": cards}} if cards else {})}
    return Text("standing-own-cards" if cards else "standing-own", params)


# The story of a game that is over, as everybody saw it: who led when, the greatest haul, who has which artifact.

MOST_LEADS = 6  # changes of the lead that are told; the last ones decide
GAINS = (events.ArtifactBought, events.ArtifactSold, events.ArtifactTaken)


class _StoryWriter:
    """Follows the public events of a game from its beginning."""

    def __init__(self) -> None:
        self.round = 0
        self.gained: dict[Seat, int] = {}
        self.artifacts: dict[Seat, list[str]] = {}
        self.leads: list[tuple[int, Seat, dict[Seat, int]]] = []
        self.haul: tuple[int, int, events.TreasureTaken] | None = None  # how much, in which round, what
        self.scores: list[int] = []
        self.crowd: tuple[int, int, str] | None = None  # how many tokens, in which round, where

    def hear(self, event: Event) -> None:
        """One event, in its turn."""
        match event:
            case events.GameBegan(seats):
                self.gained = dict.fromkeys(range(seats), 0)
            case events.RoundBegan(number):
                self.round = number
            case events.TreasureTaken(_, amounts, source) if source != "start":
                if self.haul is None or sum(amounts.values()) > self.haul[0]:
                    self.haul = sum(amounts.values()), self.round, event
            case events.SpaceRevealed(space, tokens):
                if self.crowd is None or len(tokens) > self.crowd[0]:
                    self.crowd = len(tokens), self.round, space
            case events.RoundEnded():
                self._note_lead()
            case events.GameEnded(_, _, _, scores):
                self._note_lead()
                self.scores = scores
            case _:
                self._note_artifact(event)

    def _note_artifact(self, event: Event) -> None:
        if isinstance(event, GAINS):
            self.gained[event.seat] += 1
            if event.artifact is not None:
                self.artifacts.setdefault(event.seat, []).append(event.artifact)
        elif isinstance(event, events.OfferSwapped):
            artifacts = self.artifacts.setdefault(event.seat, [])
            if event.given in artifacts:
                artifacts.remove(event.given)
            artifacts.append(event.artifact)

    def _note_lead(self) -> None:
        most = max(self.gained.values())
        first = [seat for seat, count in self.gained.items() if count == most]
        if len(first) == 1 and (not self.leads or self.leads[-1][1] != first[0]):
            self.leads.append((self.round, first[0], dict(self.gained)))


def story(seen: Iterable[Event]) -> list[Text]:
    """The turning points in sentences, from all events of the game in order as everybody was shown them."""
    writer = _StoryWriter()
    for event in seen:
        writer.hear(event)
    return [*_leads(writer), *_greatest(writer), *_artifacts(writer)]


def _leads(writer: _StoryWriter) -> Iterable[Text]:
    for number, seat, gained in writer.leads[-MOST_LEADS:]:
        counts = {other: writer.scores[other] - writer.gained[other] + count for other, count in gained.items()}
        totals = sorted(counts.items(), key=lambda pair: -pair[1])
        params = {"round": number, "seat": {"seat": seat}, "totals": {"totals": [list(pair) for pair in totals]}}
        yield Text("story-lead", params)


def _greatest(writer: _StoryWriter) -> Iterable[Text]:
    if writer.haul is not None:
        _amount, number, event = writer.haul
        said = event.text()
        assert said is not None
        yield Text(f"story-{said.code}", {"round": number, **said.params})
    if writer.crowd is not None:
        count, number, space = writer.crowd
        yield Text("story-crowd", {"round": number, "space": {"space": space}, "count": count})


def _artifacts(writer: _StoryWriter) -> Iterable[Text]:
    for seat in sorted(writer.artifacts):
        yield Text("story-artifacts", {"seat": {"seat": seat}, "cards": {"cards": writer.artifacts[seat]}})


# How a game went, in numbers: made of the events its viewer may know.

FIGURE_SENTENCES = {
    "figures-hoards": _("Treasure at the end of each round"),
    "figures-artifacts": _("Artifacts bought by the end of each round"),
    "figures-tally": _("Round {round}: the strengths that were tallied"),
    "figures-round": _("Round {round}"),
    "figures-won": _("Strongest in"),
    "figures-placed": _("Tokens placed in"),
    "figures-caves": _("the caves"),
    "figures-city": _("the city"),
    "figures-guard": _("the guard"),
    "figures-rooms": _("the rooms"),
    "figures-treasure": _("Treasure"),
    "figures-gained": _("gained"),
    "figures-bribes": _("given for bribes"),
    "figures-spent": _("spent in the rooms"),
    "figures-cards": _("Artifacts and spells played"),
}
AREAS = ("caves", "city", "guard", "rooms")


class _EventCounts:
    """Holds what is counted while the events go by, by seat."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.hoards, self.artifacts = self.row(), self.row()
        self.rounds: list[tuple[Text, list[int], list[int]]] = []
        self.won: dict[str, list[int]] = {}
        self.placed = {area: self.row() for area in AREAS}
        self.treasure = {name: self.row() for name in ("gained", "bribes", "spent")}
        self.cards = self.row()

    def row(self) -> list[int]:
        return [0] * self.seats

    def add(self, event: object) -> None:
        match event:
            case events.TreasureTaken(seat, amounts):
                self._move(seat, sum(amounts.values()))
                self.treasure["gained"][seat] += sum(amounts.values())
            case events.TreasurePaid(seat, amounts, space):
                self._move(seat, -sum(amounts.values()))
                if space == GUARD or area_of(space) == "rooms":
                    self.treasure["bribes" if space == GUARD else "spent"][seat] += sum(amounts.values())
            case TreasureGiven(seat, to, amounts):
                self._move(seat, -sum(amounts.values()))
                self._move(to, sum(amounts.values()))
            case events.ArtifactBought(seat):
                self.artifacts[seat] += 1
            case events.SpaceRanked(space, ranking) if ranking:
                self.won.setdefault(space, self.row())[ranking[0]] += 1
            case events.TokenPlaced(seat, space) if area := area_of(space):
                self.placed[area][seat] += 1
            case CardPlayed(seat):
                self.cards[seat] += 1
            case events.RoundEnded(number):
                self._end(number)

    def _move(self, seat: Seat, amount: int) -> None:
        self.hoards[seat] += amount

    def _end(self, number: int) -> None:
        self.rounds.append((Text("figures-round", {"round": number}), [*self.hoards], [*self.artifacts]))


def area_of(space: str) -> str:
    """Which part of the board a space belongs to; "" for what is none, such as a card."""
    if space in CAVES:
        return "caves"
    if space in CITY:
        return "city"
    return "guard" if space == GUARD else "rooms" if space.startswith("room") else ""


def figures(seen: Iterable[object], seats: int) -> list[Figures]:
    """The tables of statistics; `seen` are the events of a game, as their viewer may know them."""
    counts = _EventCounts(seats)
    for event in seen:
        counts.add(event)
    won = [(Text("space", {"space": {"space": space}}), row) for space, row in _in_order(counts.won)]
    tables = [
        Figures(Text("figures-hoards"), [(label, row) for label, row, _row in counts.rounds], is_course=True),
        Figures(Text("figures-artifacts"), [(label, row) for label, _row, row in counts.rounds], is_course=True),
        Figures(Text("figures-won"), won),
        Figures(Text("figures-placed"), [(Text(f"figures-{area}"), counts.placed[area]) for area in AREAS]),
        Figures(Text("figures-treasure"), [(Text(f"figures-{name}"), row) for name, row in counts.treasure.items()]),
    ]
    if any(counts.cards):
        tables.append(Figures(Text("figures-cards"), [(Text("figures-cards"), counts.cards)]))
    return [table for table in tables if table.lines]


def _in_order(won: dict[str, list[int]]) -> Sequence[tuple[str, list[int]]]:
    order = (*CAVES, *CITY)
    return [(space, won[space]) for space in (*order, *sorted(set(won) - set(order))) if space in won]


def last_tally(seen: Iterable[object], seats: int) -> Figures | None:
    """Strengths and ranks in each space of the latest round in which one was ranked; 0 for who had no token there."""
    current = tallied = 0
    lines: list[tuple[Text, list[int]]] = []
    ranks: list[list[Seat]] = []
    for event in seen:
        match event:
            case events.RoundBegan(number):
                current = number
            case events.SpaceRanked(space, ranking, totals):
                if tallied != current:
                    lines, ranks = [], []
                tallied = current
                strengths = dict(zip(ranking, totals, strict=True))
                lines.append((Text("space", {"space": {"space": space}}), [strengths.get(s, 0) for s in range(seats)]))
                ranks.append(list(ranking))
    return Figures(Text("figures-tally", {"round": tallied}), lines, ranks=ranks) if lines else None
