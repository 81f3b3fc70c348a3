"""The story of a game that is over, as everybody saw it: who led when, the best turn, who called the last round."""

from collections.abc import Iterable

from engine.cave_of_wonders.board import events
from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.questions import token_param
from engine.cave_of_wonders.text.events import event_text
from engine.core import Seat, Text

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
                self.called = event_text(event)
            case events.GameEnded():
                self.turn += 1  # the last turn is over, too
                self._note_lead()

    def _note_lead(self) -> None:
        """Who leads when a turn is over."""
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
            "token": token_param(event.token.kind, event.token.number, event.token.character),
            "points": {"points": points},
        }
        yield Text("story-best", params)
