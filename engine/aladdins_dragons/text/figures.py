"""How a game went, in numbers: made of the events its viewer may know."""

from collections.abc import Iterable, Sequence

from engine.aladdins_dragons.board import events
from engine.aladdins_dragons.board.facts import CAVES, CITY, GUARD
from engine.aladdins_dragons.board.magic_events import CardPlayed, TreasureGiven
from engine.core import Figures, Seat, Text
from engine.core.language import _

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
    """What is counted while the events go by, by seat."""

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
