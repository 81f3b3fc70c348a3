"""The first round with a beginner: what each step says, what has become of his tokens, and a puzzle."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from engine.aladdins_dragons import events, flow, model, questions
from engine.aladdins_dragons.actions import Action, Place
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.effects import is_payable
from engine.aladdins_dragons.events import Event
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, PIECES, ROOMS, cave_kind, rooms
from engine.aladdins_dragons.greedy import GreedyBot
from engine.aladdins_dragons.model import Boundary, Placing, State, Token, View
from engine.aladdins_dragons.setup import OPTIONS, lay_out
from engine.aladdins_dragons.views import view
from engine.core import Answer, JsonObject, Seat, Text
from engine.core.games import chosen_options
from engine.core.lessons import LessonPage, OpenSteps, PuzzleAnswer

# The fate of one's own tokens in a tally, space by space, from the events that one was shown.


@dataclass
class _OwnSpace:
    """The events of a space: tokens and strengths, and what the reader paid, took, bought or declined there."""

    tokens: list[int] = field(default_factory=list)  # the reader's own
    ranking: list[tuple[Seat, int]] = field(default_factory=list)  # strongest first
    is_tied: bool = False  # the reader with somebody
    paid: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    hoard: dict[str, int] = field(default_factory=dict)  # the reader's treasure when he had declined
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
        self._at(space).hoard = dict(self.hoard)

    # In words

    def caves(self) -> list[Text]:
        """Returns what the reader's tokens in the caves have brought."""
        mine = [space for space in CAVES if self._is_mine(space)]
        return [said for space in mine for said in self._cave(space)] or [Text("lesson-caves-none")]

    def _cave(self, space: str) -> list[Text]:
        results = self.spaces[space]
        amounts: JsonObject = {"amounts": results.taken}
        if len(results.ranking) == 1:
            return [self._text("lesson-cave-alone", space, amounts=amounts)]
        code = "lesson-cave-nothing"
        if results.taken:
            code = "lesson-cave-first" if results.ranking[0][0] == self.me else "lesson-cave-next"
        return [self._text(code, space, amounts=amounts), *self._tie(space)]

    def city(self) -> list[Text]:
        """Returns what the reader's tokens in the city have brought."""
        mine = [space for space in ("market", "caravanserai") if self._is_mine(space)]
        texts = [said for space in mine for said in self._city(space)]
        return texts if mine else [Text("lesson-city-none")]

    def _city(self, space: str) -> list[Text]:
        results = self.spaces[space]
        if results.ranking[0][0] != self.me:
            return [self._text("lesson-city-lost", space), *self._tie(space)]
        if space == "caravanserai":
            return [*self._camel(), *self._tie(space)]
        if results.has_declined:
            return [self._text("lesson-market-kept", space)]
        if not results.taken:  # the reader is being asked
            return []
        paid, taken = {"amounts": results.paid}, {"amounts": results.taken}
        return [self._text("lesson-market-won", space, paid=paid, amounts=taken), *self._tie(space)]

    def _camel(self) -> list[Text]:
        if self.camel_to is not None:
            code = "lesson-camel-taken" if self.camel_to == self.me else "lesson-camel-given"
            return [self._text(code, "caravanserai", seat={"seat": self.camel_to})]
        return [self._text("lesson-camel-left", "caravanserai")] if self.has_left_camel else []

    def palace(self) -> list[Text]:
        """Whether the reader is in, what the guard has cost, and what has come home from the rooms."""
        texts = [Text("lesson-guard-rule", {"strength": self.guard}), *self._entry()]
        if self.evicted:
            texts.append(Text("lesson-evicted", {"values": {"numbers": sorted(self.evicted, reverse=True)}}))
        return texts

    def others(self) -> Text:
        """Says who is in the palace."""
        seats: JsonObject = {"seats": {"seats": self.inside}}
        return Text("lesson-others-in", seats) if self.inside else Text("lesson-others-none")

    def missing(self) -> int:
        """Returns what the reader lacks at the guard."""
        return self.guard - sum(self._at(GUARD).tokens)

    def _entry(self) -> list[Text]:
        results = self._at(GUARD)
        params: JsonObject = {"own": self._own(GUARD), "missing": self.missing()}
        if self.me in self.inside:
            paid: JsonObject = {"paid": {"amounts": results.paid}}
            return [Text("lesson-guard-bribed" if self.has_bribed else "lesson-guard-in", {**params, **paid})]
        if not results.tokens:
            return [Text("lesson-guard-absent")]
        if not results.has_declined:  # the reader is being asked
            return []
        is_poor = sum(results.hoard.values()) < self.missing()
        return [Text("lesson-guard-poor" if is_poor else "lesson-guard-out", params)]

    def rooms(self) -> list[Text]:
        """Returns what the reader has bought, or why not."""
        mine = [space for space in ROOMS if self._is_mine(space)]
        texts = [said for space in mine for said in self._room(space)] if mine else [Text("lesson-rooms-none")]
        has_bought = any(self.spaces[space].buyer == self.me for space in mine)
        return [*texts, Text("lesson-bribe-wasted")] if self.has_bribed and not has_bought else texts

    def _room(self, space: str) -> list[Text]:
        results = self.spaces[space]
        if results.buyer == self.me:
            return [self._text("lesson-bought", space, amounts={"amounts": results.paid}), *self._tie(space)]
        if results.has_declined:
            code = "lesson-room-declined" if is_payable(results.tokens, results.hoard) else "lesson-room-poor"
            return [self._text(code, space, amounts={"amounts": results.hoard})]
        if results.buyer is None:
            return []
        return [self._text("lesson-room-lost", space, results.buyer), *self._tie(space)]

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
        results = self.spaces[space]
        if not results.is_tied:
            return []
        total = sum(results.tokens)
        tied = [seat for seat, strength in results.ranking if strength == total]
        code = "lesson-tie-won" if tied[0] == self.me else "lesson-tie-lost"
        rival = next(seat for seat in tied if seat != self.me)
        return [Text(code, {"total": total, "seat": {"seat": rival}})]


# A position with one token left to place: which space brings the artifact is found out by playing it.

ME, BEN, CARLA = range(3)
TOKEN = 4
CHOICES = ("market", "caravanserai", "guard", "room-2")
ROWS = {
    "market": [(BEN, 7)],
    "caravanserai": [(BEN, 2)],
    "guard": [(ME, 7), (BEN, 8), (CARLA, 9)],
    "room-2": [(BEN, 5), (ME, 5), (CARLA, 1)],
}
HOARDS = ({"pearl": 5, "crown": 1}, {"gold": 6, "gem": 2}, {"trophy": 4})


def position() -> State:
    """The last artifact of the game is for sale; you and Ben are equal there, and Ben has the camel."""
    board = lay_out(3, chosen_options(OPTIONS, {"version": "basic"}), "00" * 32, 2)
    state = board.state
    state.agenda.clear()
    board.begin_round()
    board.post_guard()
    state.camel, state.guard, state.is_guard_shown = BEN, 6, True
    state.hands = [[TOKEN], [], []]
    state.turns = [7, 8, 8]
    for space, row in ROWS.items():
        state.spaces[space] = [Token(seat, value, face_up=True) for seat, value in row]
    for seat, hoard in enumerate(HOARDS):
        board.take(seat, hoard, "start")
    sold = [state.stacks[room].pop() for room in ("room-1", "room-3") for _ in range(6)]
    sold += [state.stacks["room-2"].pop() for _ in range(5)]
    for number, artifact in enumerate(sold):
        state.artifacts[number % 2 if number < 12 else CARLA].append(artifact)
    state.agenda += [*flow.tally_agenda(state), Boundary("placing"), Placing(ME)]
    return state


def seen() -> View:
    """Returns what you see of it."""
    return view(position(), ME)


def choices() -> list[tuple[str, Text]]:
    """Where the token may go."""
    return [(space, Text("lesson-choice", {"at": {"at": space}})) for space in CHOICES]


def solve(choice: str) -> PuzzleAnswer:
    """Places the token and plays the tally; everybody answers for himself as a bot does, you take the camel and buy."""
    if choice not in CHOICES:
        raise KeyError(choice)
    state = position()
    before = len(state.artifacts[ME])
    board = Board(state)
    _answer(board, ME, Place(TOKEN, choice))
    state.agenda.pop()  # the boundary after placing
    flow.run(board)
    while decisions := list(questions.decisions(state)):
        seat = decisions[0].seat
        question = questions.question(state, decisions[0])
        _answer(board, seat, GreedyBot().decide(view(state, seat), question, Random(0)))
    tally = OwnTally(ME, board.events, HOARDS[ME])
    texts = [*(tally.city() if choice in ("market", "caravanserai") else []), *tally.palace(), *tally.rooms()]
    return PuzzleAnswer(len(state.artifacts[ME]) > before, texts)


def _answer(board: Board, seat: int, action: Action) -> None:
    flow.answer(board, seat, action)
    flow.run(board)


# Where the next token might well go, and whether the last one is wasted: from the beginner's view alone.


def own_tokens(view: View, space: str) -> list[int]:
    """The beginner's tokens there, in the order in which they came."""
    return [token.value for token in view.spaces[space] if token.seat == view.seat and token.value is not None]


def _reach(view: View) -> dict[str, int]:
    """By kind what he can have at most when the rooms are tallied: what he has and the top shelf that he may win."""
    hoard = (view.hoards[view.seat] if view.seat is not None else None) or {}
    in_reach = {kind: bool(view.hand) or bool(own_tokens(view, f"cave-{kind}")) for kind in KINDS}
    return {kind: hoard.get(kind, 0) + max(view.caves[kind], default=0) * in_reach[kind] for kind in KINDS}


def aim(step: int, view: View) -> tuple[int, list[str]]:
    """A token in hand and the spaces where it may well go at this step."""
    hand = view.hand or []
    caves = sorted(
        (cave for cave in CAVES if view.caves[cave_kind(cave)]), key=lambda cave: -max(view.caves[cave_kind(cave)])
    )
    new = [space for space in caves if not own_tokens(view, space)] or caves
    room_tokens = [token for token in hand if token <= max(_reach(view).values())]
    open_rooms = [room for room in rooms(view.seats) if view.offers[room]]
    fewest = min(len(view.spaces[room]) for room in open_rooms)
    aims = {
        1: (_nearest(hand, 8), new[:1]),
        2: (_nearest(room_tokens or hand, 4), [room for room in open_rooms if len(view.spaces[room]) == fewest]),
    }
    return aims.get(step, (max(hand), [GUARD]))


def _nearest(hand: Sequence[int], wanted: int) -> int:
    return min(hand, key=lambda token: (abs(token - wanted), token))


def last_placed(view: View, space: str, value: int) -> list[Text]:
    """Returns what is to be said of the token that was placed last: where it lies, and whether that may be wasted."""
    return [Text("lesson-placed", {"value": value, "at": {"at": space}}), *_waste(view, space, value)]


def _waste(view: View, space: str, value: int) -> list[Text]:
    tokens = own_tokens(view, space)
    has_room = any(own_tokens(view, room) for room in rooms(view.seats))
    if space.startswith("room-") and not is_payable(tokens, _reach(view)):
        return [Text("lesson-waste-price", {"price": {"sum": tokens}, "at": {"at": space}})]
    before = sum(tokens) - value
    if space == GUARD and before >= max(PIECES.guards):
        return [Text("lesson-waste-strong", {"total": before})]
    if not view.hand and has_room and not own_tokens(view, GUARD):
        return [Text("lesson-waste-no-guard")]
    if not view.hand and own_tokens(view, GUARD) and not has_room:
        return [Text("lesson-waste-no-room")]
    return []


# The first round of the basic version, in steps: three of eight tokens, the four parts of the tally, a puzzle.

PLACES = ("cave", "room", "guard")  # the steps before the tally
LEAD = ((7, "cave-gold"), (5, "market"), (6, "cave-trophy"), (2, "caravanserai"), (1, "cave-trophy"))
PARTS = ("caves", "city", "palace", "rooms")
STARTING = {"crown": 2, "pearl": 1}
FIRST_PART = len(PLACES) + 1
PART_OF = {"market": "city", "camel": "city", "bribe": "palace", "buy": "rooms"}  # by kind of decision
PART_AT = {model.Market: "city", model.Camel: "city", model.Bribes: "palace"}  # by what the game waits for


class DragonsLesson:
    """See `engine.core.lessons.Lesson`."""

    about = Text("lesson-about")
    options: Mapping[str, str] = {"version": "basic", "tally": "step"}
    # The camel is with a bot, the guard is a 7. Whoever follows the first hint wins the top shelf, whatever he does
    # then; whoever follows all of them buys an artifact.
    seed = f"{0x20:064x}"
    opening: Mapping[str, Answer] = {"take_treasures": {"type": "take_treasures", "amounts": STARTING}}
    lead: Sequence[Answer] = tuple({"type": "place", "token": token, "space": space} for token, space in LEAD)
    steps = len(PLACES) + len(PARTS) + 1
    after = Text("lesson-after")
    ask = Text("lesson-puzzle")

    def span(self, view: View, answered: Sequence[str]) -> OpenSteps:
        """Before the tally one step for each token; in it from the part that the last answer belonged to."""
        last = self._last(view, answered)
        part = PART_OF.get(answered[-1], "caves") if answered else "caves"
        return OpenSteps(min(last, FIRST_PART + PARTS.index(part)) if FIRST_PART <= last < self.steps else last, last)

    def _last(self, view: View, answered: Sequence[str]) -> int:
        if view.round > 1 or view.outcome is not None:
            return self.steps
        frame = view.agenda[-1]
        if view.round == 0 or isinstance(frame, model.Placing) or frame == model.Boundary("placing"):
            return min(max(answered.count("place") - len(LEAD), 0) + 1, len(PLACES))
        return FIRST_PART + PARTS.index(PART_AT.get(type(frame), "rooms"))

    def is_held(self, view: View) -> bool:
        """At the end of the first round, when all tokens lie open."""
        return view.round == 1 and view.agenda[-1] == model.Boundary("round")

    def page(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        """A token to place, or a part of the tally."""
        if step < FIRST_PART:
            return self._placing(step, view, seen)
        assert view.seat is not None
        tally = OwnTally(view.seat, _since_placing(seen), STARTING)
        part = PARTS[step - FIRST_PART]
        happened, text, spaces = self._part(part, tally, view)
        lit = [space for space in spaces if own_tokens(view, space)]
        return LessonPage(Text(f"lesson-title-{part}"), happened, [*text, *_asked(view, tally, part)], lit)

    def _placing(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        place = PLACES[step - 1]
        mine = [event for event in seen if isinstance(event, events.TokenPlaced) and event.seat == view.seat]
        happened = last_placed(view, mine[-1].space, mine[-1].value or 0) if mine and step > 1 else []
        if not view.round or not view.hand or (step == 1 and len(mine) < len(LEAD)):  # the others are at it
            return LessonPage(Text(f"lesson-title-{place}"), happened, [])
        token, spaces = aim(step, view)
        text = [Text(f"lesson-{place}", {"at": {"at": spaces[0]}})]
        if step == 1:
            text.insert(0, Text("lesson-aim", {"amounts": {"amounts": STARTING}}))
        text.append(Text("lesson-tap", {"token": token}))
        return LessonPage(Text(f"lesson-title-{place}"), happened, text, [str(token), *spaces])

    def _part(self, part: str, tally: OwnTally, view: View) -> tuple[list[Text], list[Text], Sequence[str]]:
        match part:
            case "caves":
                return [Text("lesson-caves-rule"), *tally.caves()], [], CAVES
            case "city":
                camel = Text("lesson-camel", {"seat": {"seat": view.camel}})
                return [Text("lesson-city-rule"), *tally.city()], [camel], ("market", "caravanserai")
            case "palace":
                return tally.palace(), [] if _kinds(view, part) else [tally.others()], (GUARD, *rooms(view.seats))
        score = {"totals": {"totals": [list(pair) for pair in enumerate(view.artifact_counts)]}}
        after = [Text("lesson-score", score)] if self.is_held(view) else []
        return [Text("lesson-rooms-rule"), *tally.rooms()], after, rooms(view.seats)

    def puzzle(self) -> tuple[View, list[tuple[str, Text]]]:
        """One token, and four spaces for it."""
        return seen(), choices()

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays the round to its end."""
        return solve(choice)


def _asked(view: View, tally: OwnTally, part: str) -> list[Text]:
    frame = view.agenda[-1]
    room = frame.room if isinstance(frame, model.Purchase) else ""
    params = {"missing": tally.missing(), **({"at": {"at": room}} if room else {})}
    return [
        *(_needed(view) if part == "city" else []),
        *(Text(f"lesson-ask-{kind}", params) for kind in _kinds(view, part)),
    ]


def _needed(view: View) -> list[Text]:
    """At the market, what the beginner's tokens in the rooms cost, and what he has."""
    if not isinstance(view.agenda[-1], model.Market) or view.seat is None:
        return []
    rows = {room: own_tokens(view, room) for room in rooms(view.seats)}
    amounts = {"amounts": {"amounts": view.hoards[view.seat]}}
    return [
        Text("lesson-need", {"at": {"at": room}, "own": {"sum": row}, **amounts}) for room, row in rows.items() if row
    ]


def _kinds(view: View, part: str) -> list[str]:
    """The decisions of this part that are open to the beginner."""
    return [question.decision.kind for question in view.questions if PART_OF.get(question.decision.kind) == part]


def _since_placing(seen: Sequence[Event]) -> Sequence[Event]:
    """The events of the tally."""
    return seen[next(place for place, event in enumerate(seen) if isinstance(event, events.PlacingEnded)) :]
