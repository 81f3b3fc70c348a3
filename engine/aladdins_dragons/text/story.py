"""The story of a game that is over, as everybody saw it: who led when, the greatest haul, who has which artifact."""

from collections.abc import Iterable

from engine.aladdins_dragons.board import events, magic_events
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.text.events import event_text
from engine.core import Seat, Text

MOST_LEADS = 6  # changes of the lead that are told; the last ones decide
GAINS = (events.ArtifactBought, magic_events.ArtifactSold, magic_events.ArtifactTaken)


class _StoryWriter:
    """Follows the public events of a game from its beginning."""

    def __init__(self) -> None:
        self.round = 0
        self.gained: dict[Seat, int] = {}
        self.known: dict[Seat, list[str]] = {}
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
                self.known.setdefault(event.seat, []).append(event.artifact)
        elif isinstance(event, magic_events.OfferSwapped):
            held = self.known.setdefault(event.seat, [])
            if event.given in held:
                held.remove(event.given)
            held.append(event.artifact)

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
    """What nobody saw being gained all had from the beginning."""
    for number, seat, gained in writer.leads[-MOST_LEADS:]:
        counts = {other: writer.scores[other] - writer.gained[other] + count for other, count in gained.items()}
        totals = sorted(counts.items(), key=lambda pair: -pair[1])
        params = {"round": number, "seat": {"seat": seat}, "totals": {"totals": [list(pair) for pair in totals]}}
        yield Text("story-lead", params)


def _greatest(writer: _StoryWriter) -> Iterable[Text]:
    if writer.haul is not None:
        _amount, number, event = writer.haul
        said = event_text(event)
        assert said is not None
        yield Text(f"story-{said.code}", {"round": number, **said.params})
    if writer.crowd is not None:
        count, number, space = writer.crowd
        yield Text("story-crowd", {"round": number, "space": {"space": space}, "count": count})


def _artifacts(writer: _StoryWriter) -> Iterable[Text]:
    for seat in sorted(writer.known):
        yield Text("story-artifacts", {"seat": {"seat": seat}, "cards": {"cards": writer.known[seat]}})
