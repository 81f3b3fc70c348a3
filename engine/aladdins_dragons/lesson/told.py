"""What has become of one's own tokens in a tally, space by space, from the events that one was shown."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.aladdins_dragons.board import events
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.facts import CAVES, GUARD, ROOMS
from engine.aladdins_dragons.tally.payments import is_payable
from engine.core import JsonObject, Seat, Text


@dataclass
class _OwnSpace:
    """What happened in a space: tokens and strengths, and what the reader paid, took, bought or declined there."""

    tokens: list[int] = field(default_factory=list)  # the reader's own
    ranking: list[tuple[Seat, int]] = field(default_factory=list)  # strongest first
    is_tied: bool = False  # the reader with somebody
    paid: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)  # the reader's treasure when he had declined
    has_declined: bool = False
    buyer: Seat | None = None


class OwnTally:
    """The tally of a round as one seat has seen it, as far as it has come.

    Arguments:
        seen: the events of the round, at least from the last placement on.
        hoard: the reader's treasure before them.
    """

    def __init__(self, me: Seat, seen: Iterable[Event], hoard: Mapping[str, int]) -> None:
        self.me = me
        self.hoard = Counter(hoard)
        self.spaces: dict[str, _OwnSpace] = {}
        self.guard = 0
        self.camel_to: Seat | None = None  # who was given the camel, if the reader gave it
        self.has_left_camel = False
        self.inside: list[Seat] = []
        self.has_bribed = False
        self.evicted: list[int] = []
        for event in seen:
            self._read(event)

    def _at(self, space: str) -> _OwnSpace:
        return self.spaces.setdefault(space, _OwnSpace())

    def _read(self, event: Event) -> None:
        match event:
            case events.SpaceRevealed(space, tokens):
                self._at(space).tokens = sorted((value for seat, value in tokens if seat == self.me), reverse=True)
            case events.SpaceRanked(space, ranking, totals, ties):
                self._at(space).ranking = list(zip(ranking, totals, strict=True))
                self._at(space).is_tied = any(self.me in group for group in ties)
            case events.CamelGiven(seat, to):
                self.camel_to = to if seat == self.me else self.camel_to
            case events.CamelLeft(self.me):
                self.has_left_camel = True
            case _:
                self._read_treasure(event)

    def _read_treasure(self, event: Event) -> None:
        match event:
            case events.TreasureTaken(self.me, amounts, space):
                self.hoard.update(amounts)
                self._at(space).taken = amounts
            case events.TreasurePaid(self.me, amounts, space):
                self.hoard.subtract(amounts)
                self._at(space).paid = amounts
            case events.GuardRevealed(strength):
                self.guard = strength
            case events.PalaceEntered(seat, bribed):
                self.inside.append(seat)
                self.has_bribed |= bribed and seat == self.me
            case events.BribeDeclined(self.me):
                self._decline(GUARD)
            case events.TokensEvicted(self.me, _, values):
                self.evicted = values or []
            case events.MarketDeclined(self.me):
                self._decline("market")
            case events.PurchaseDeclined(self.me, room):
                self._decline(room)
            case events.ArtifactBought(seat, room):
                self._at(room).buyer = seat

    def _decline(self, space: str) -> None:
        self._at(space).has_declined = True
        self._at(space).held = dict(self.hoard)

    # In words

    def caves(self) -> list[Text]:
        """What the reader's tokens in the caves have brought."""
        mine = [space for space in CAVES if self._is_mine(space)]
        return [said for space in mine for said in self._cave(space)] or [Text("lesson-caves-none")]

    def _cave(self, space: str) -> list[Text]:
        found = self.spaces[space]
        amounts: JsonObject = {"amounts": found.taken}
        if len(found.ranking) == 1:
            return [self._text("lesson-cave-alone", space, amounts=amounts)]
        code = "lesson-cave-nothing"
        if found.taken:
            code = "lesson-cave-first" if found.ranking[0][0] == self.me else "lesson-cave-next"
        return [self._text(code, space, amounts=amounts), *self._tie(space)]

    def city(self) -> list[Text]:
        """What the reader's tokens in the city have brought."""
        mine = [space for space in ("market", "caravanserai") if self._is_mine(space)]
        told = [said for space in mine for said in self._city(space)]
        return told if mine else [Text("lesson-city-none")]

    def _city(self, space: str) -> list[Text]:
        found = self.spaces[space]
        if found.ranking[0][0] != self.me:
            return [self._text("lesson-city-lost", space), *self._tie(space)]
        if space == "caravanserai":
            return [*self._camel(), *self._tie(space)]
        if found.has_declined:
            return [self._text("lesson-market-kept", space)]
        if not found.taken:  # the reader is being asked
            return []
        paid, taken = {"amounts": found.paid}, {"amounts": found.taken}
        return [self._text("lesson-market-won", space, paid=paid, amounts=taken), *self._tie(space)]

    def _camel(self) -> list[Text]:
        if self.camel_to is not None:
            code = "lesson-camel-taken" if self.camel_to == self.me else "lesson-camel-given"
            return [self._text(code, "caravanserai", seat={"seat": self.camel_to})]
        return [self._text("lesson-camel-left", "caravanserai")] if self.has_left_camel else []

    def palace(self) -> list[Text]:
        """Whether the reader is in, what the guard has cost, and what has come home from the rooms."""
        told = [Text("lesson-guard-rule", {"strength": self.guard}), *self._entry()]
        if self.evicted:
            told.append(Text("lesson-evicted", {"values": {"numbers": sorted(self.evicted, reverse=True)}}))
        return told

    def others(self) -> Text:
        """Who is in the palace."""
        seats: JsonObject = {"seats": {"seats": self.inside}}
        return Text("lesson-others-in", seats) if self.inside else Text("lesson-others-none")

    def missing(self) -> int:
        """What the reader lacks at the guard."""
        return self.guard - sum(self._at(GUARD).tokens)

    def _entry(self) -> list[Text]:
        found = self._at(GUARD)
        params: JsonObject = {"own": self._own(GUARD), "missing": self.missing()}
        if self.me in self.inside:
            paid: JsonObject = {"paid": {"amounts": found.paid}}
            return [Text("lesson-guard-bribed" if self.has_bribed else "lesson-guard-in", {**params, **paid})]
        if not found.tokens:
            return [Text("lesson-guard-absent")]
        if not found.has_declined:  # the reader is being asked
            return []
        is_poor = sum(found.held.values()) < self.missing()
        return [Text("lesson-guard-poor" if is_poor else "lesson-guard-out", params)]

    def rooms(self) -> list[Text]:
        """What the reader has bought, or why not."""
        mine = [space for space in ROOMS if self._is_mine(space)]
        told = [said for space in mine for said in self._room(space)] if mine else [Text("lesson-rooms-none")]
        has_bought = any(self.spaces[space].buyer == self.me for space in mine)
        return [*told, Text("lesson-bribe-wasted")] if self.has_bribed and not has_bought else told

    def _room(self, space: str) -> list[Text]:
        found = self.spaces[space]
        if found.buyer == self.me:
            return [self._text("lesson-bought", space, amounts={"amounts": found.paid}), *self._tie(space)]
        if found.has_declined:
            code = "lesson-room-declined" if is_payable(found.tokens, found.held) else "lesson-room-poor"
            return [self._text(code, space, amounts={"amounts": found.held})]
        if found.buyer is None:
            return []
        return [self._text("lesson-room-lost", space, found.buyer), *self._tie(space)]

    def _is_mine(self, space: str) -> bool:
        return space in self.spaces and any(seat == self.me for seat, _total in self.spaces[space].ranking)

    def _own(self, space: str) -> JsonObject:
        return {"sum": self._at(space).tokens}

    def _text(self, code: str, space: str, rival: Seat | None = None, **params: JsonObject) -> Text:
        """The sentence with the reader's tokens, and the rival: who is named, else the strongest of the others."""
        named = self._rival(space) if rival is None else (rival, dict(self.spaces[space].ranking)[rival])
        against: JsonObject = {} if named is None else {"seat": {"seat": named[0]}, "theirs": named[1]}
        return Text(code, {"space": {"space": space}, "own": self._own(space), **against, **params})

    def _rival(self, space: str) -> tuple[Seat, int] | None:
        ranking = self.spaces[space].ranking
        return next(((seat, total) for seat, total in ranking if seat != self.me), None)

    def _tie(self, space: str) -> list[Text]:
        """How a tie with the reader was decided."""
        found = self.spaces[space]
        if not found.is_tied:
            return []
        total = sum(found.tokens)
        tied = [seat for seat, strength in found.ranking if strength == total]
        code = "lesson-tie-won" if tied[0] == self.me else "lesson-tie-lost"
        rival = next(seat for seat in tied if seat != self.me)
        return [Text(code, {"total": total, "seat": {"seat": rival}})]
