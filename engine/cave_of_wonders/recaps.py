"""Sums up what has happened since a player last looked: what each turn brought, without the steps on the way."""

from collections.abc import Iterable

from engine.cave_of_wonders import events
from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.model import View
from engine.core import Figures, Seat, Text
from engine.core.games import RecapLine
from engine.core.language import _

STEPS = (events.RollRevealed, events.AladdinMoved, events.TokenRevealed, events.GenieTaken)
"""On the way to what a turn brings."""

GREAT = 5  # what calls the end, or what concerns the reader, weighs so much


def recap(seen: Iterable[Event], reader: Seat | None) -> list[RecapLine]:
    """Returns what these events come to, in their order; `reader` is the seat that was shown them."""
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


# The story of a game that is over, as everybody saw it: who led when, the best turn, who called the last round.

MOST_LEADS = 6  # changes of the lead that are told; the last ones decide


class _StoryWriter:
    """Follows the events of a game from its beginning."""

    def __init__(self) -> None:
        self.turn = 0
        self.scores: dict[Seat, int] = {}
        self.leads: list[Text] = []
        self.leader: Seat | None = None
        self.best: tuple[int, int, events.TokenPlaced] | None = None  # how many points, in which turn, for what
        self.called: Text | None = None

    def hear(self, event: Event) -> None:
        """One event, in its turn."""
        match event:
            case events.GameBegan(_, favourites):
                self.scores = dict.fromkeys(range(len(favourites)), 0)
            case events.RollRevealed(turn, _, _, again):
                self.turn = turn
                if not again:
                    self._note_lead()
            case events.TokenPlaced(seat, _, _, points, score):
                self.scores[seat] = score
                if self.best is None or sum(points.values()) > self.best[0]:
                    self.best = (sum(points.values()), self.turn, event)
            case events.LastRoundCalled():
                self.called = event.text()
            case events.GameEnded():
                self.turn += 1  # the last turn is over, too
                self._note_lead()

    def _note_lead(self) -> None:
        most = max(self.scores.values())
        first = [seat for seat, score in self.scores.items() if score == most]
        if len(first) == 1 and first[0] != self.leader:
            self.leader = first[0]
            totals = sorted(self.scores.items(), key=lambda pair: -pair[1])
            params = {
                "turn": self.turn - 1,
                "seat": {"seat": self.leader},
                "totals": {"totals": list(map(list, totals))},
            }
            self.leads.append(Text("story-lead", params))


def story(seen: Iterable[Event]) -> list[Text]:
    """The turning points in sentences, from all events of the game in order."""
    writer = _StoryWriter()
    for event in seen:
        writer.hear(event)
    return [*writer.leads[-MOST_LEADS:], *_best(writer), *([writer.called] if writer.called else [])]


def _best(writer: _StoryWriter) -> Iterable[Text]:
    if writer.best is not None:
        points, turn, event = writer.best
        params = {
            "turn": turn,
            "seat": {"seat": event.seat},
            "token": event.token.param,
            "points": {"points": points},
        }
        yield Text("story-best", params)


# How a game went, in numbers: made of the events its viewer may know.

FIGURE_SENTENCES = {
    "figures-course": _("Points after each round"),
    "figures-round": _("Round {round}"),
    "figures-points": _("Points from"),
    "figures-number": _("numbers of tokens"),
    "figures-favourite": _("favourite kinds"),
    "figures-row": _("full rows"),
    "figures-column": _("full columns"),
    "figures-trio": _("trios"),
    "figures-carpet": _("a princess on the carpet"),
    "figures-sorcerer": _("sorcerers"),
    "figures-treasures": _("Treasures"),
    "figures-taken": _("taken"),
}
SOURCES = ("number", "favourite", "row", "column", "trio", "carpet", "sorcerer")


def figures(seen: Iterable[object], seats: int) -> list[Figures]:
    """The tables of statistics; `seen` are the events of a game, as their viewer may know them."""
    scores, taken = [0] * seats, [0] * seats
    sources = {source: [0] * seats for source in SOURCES}
    course: list[tuple[Text, list[int]]] = []
    turn = 0
    for event in seen:
        match event:
            case events.RollRevealed(number) if number != turn:
                if turn and turn % seats == 0:
                    course.append((Text("figures-round", {"round": turn // seats}), [*scores]))
                turn = number
            case events.TokenPlaced(seat, _token, _square, points, score):
                scores[seat] = score
                taken[seat] += 1
                for source, brought in points.items():
                    sources[source][seat] += brought
    if turn:
        course.append((Text("figures-round", {"round": -(-turn // seats)}), [*scores]))
    lines = [(Text(f"figures-{source}"), row) for source, row in sources.items() if any(row)]
    tables = [
        Figures(Text("figures-course"), course, is_course=True),
        Figures(Text("figures-points"), lines),
        Figures(Text("figures-treasures"), [(Text("figures-taken"), taken)]),
    ]
    return [table for table in tables if table.lines]
