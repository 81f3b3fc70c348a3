"""Playing on in many states that look like what a bot sees, to compare answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from random import Random

import msgspec

from engine.aladdins_dragons import actions, flow, model
from engine.aladdins_dragons.actions import Action, Place, PlayerAction
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.aladdins_dragons.cards.families import largest
from engine.aladdins_dragons.cards.windows import unused_tiles
from engine.aladdins_dragons.effects import CLOSED, own_tokens, pay_fields, payable_kinds, values
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, PIECES, cave_kind, rooms
from engine.aladdins_dragons.greedy import CardChoice, best_bribe, city_prizes
from engine.aladdins_dragons.judging import ARTIFACT, CAMEL, EXCHANGE, RIVALRY, SATURATION, SPELL, VICTORY
from engine.aladdins_dragons.model import Placing, State, View
from engine.aladdins_dragons.questions import default_of_magic, strength_at_guard
from engine.aladdins_dragons.worlds import determinise
from engine.core import Choice, Question, Seat

# Rounds as they may end: where the others' tokens may lie once all are placed, dealt from what one seat sees.

TENDENCY = {"cave": 5.2, "guard": 5.0, "room": 3.8, "city": 5.0}
"""How strong the tokens are that players put in each part of the board, on average."""

NOISE = 3.0  # how far they stray from that
DEEP_TRIALS, DEEP_PLAYOUTS = 600, 60  # of the strongest bot and of proposals, which are its answers
PULL = {"guard": 5.0, "room": 3.5, "market": EXCHANGE, "caravanserai": CAMEL, "tent": SPELL, "djinn": 1.0}
"""How much a space draws tokens; for a cave it is half its treasure."""

BRIBE_SPARE = 4  # what others keep for buying when they bribe


class World:
    """One way in which the others' tokens may lie.

    Arguments:
        bars: by space the strengths the seat must reach to be before each rival there, highest first.
        room_bars: by room the strength it must reach to be the first who can buy.
        guard: his strength.
    """

    __slots__ = ("bars", "guard", "room_bars")

    def __init__(self, bars: dict[str, list[int]], room_bars: dict[str, int], guard: int) -> None:
        self.bars, self.room_bars, self.guard = bars, room_bars, guard


class Worlds:
    """Deals worlds that look like a view to its seat."""

    def __init__(self, view: View, seat: Seat, random: Random) -> None:
        self._view, self._random = view, random
        sequence = view.sequence()
        self._rivals = [other for other in sequence if other != seat]
        self._is_before = {other: sequence.index(other) < sequence.index(seat) for other in self._rivals}
        self._spaces = [space for space in view.spaces if _pull(view, space)]
        self._pulls = [_pull(view, space) for space in self._spaces]
        self._rooms = [room for room in rooms(view.seats) if view.offers[room]]
        self._seen = {other: _seen(view, other) for other in self._rivals}

    def pulls(self, spaces: Sequence[str]) -> list[float]:
        """How much each space draws tokens."""
        return [_pull(self._view, space) for space in spaces]

    def draw(self) -> World:
        """One of them."""
        guard = self._view.guard or self._random.choice(PIECES.guards)
        return self.of({other: self.layout(other) for other in self._rivals}, guard)

    def of(self, layouts: Mapping[Seat, Mapping[str, Sequence[int]]], guard: int) -> World:
        """The world in which the rivals' tokens lie so."""
        bars: dict[str, list[int]] = {space: [] for space in self._view.spaces}
        for other, rows in layouts.items():
            for space, row in rows.items():
                if row:
                    bars[space].append(sum(row) + self._is_before[other])
        for seats in bars.values():
            seats.sort(reverse=True)
        return World(bars, self._room_bars(layouts, guard), guard)

    def layout(self, other: Seat) -> dict[str, list[int]]:
        """Returns what is known of a rival's tokens, and the rest of them where such tokens tend to lie."""
        open_tokens, hidden, unseen = self._seen[other]
        rows = {space: list(row) for space, row in open_tokens.items()}
        gauss = self._random.gauss
        places = [*hidden, *self._random.choices(self._spaces, self._pulls, k=self._view.hand_counts[other])]
        places.sort(key=lambda space: TENDENCY[_part(space)] + gauss(0, NOISE))
        for value, space in zip(unseen, places, strict=False):
            rows.setdefault(space, []).append(value)
        return rows

    def _room_bars(self, layouts: Mapping[Seat, Mapping[str, Sequence[int]]], guard: int) -> dict[str, int]:
        bars = dict.fromkeys(self._rooms, 0)
        for other, rows in layouts.items():
            strength, hoard = sum(rows.get(GUARD, ())), self._hoard(other, layouts)
            lacking = guard - strength
            if lacking > 0 and (not strength or sum(hoard) < lacking + BRIBE_SPARE):
                continue
            for room in self._rooms:
                row = rows.get(room)
                if row and can_pay(hoard, row):
                    bars[room] = max(bars[room], sum(row) + self._is_before[other])
        return bars

    def _hoard(self, other: Seat, layouts: Mapping[Seat, Mapping[str, Sequence[int]]]) -> list[int]:
        """Guesses a rival's hoard after the caves, most first; the seat's own tokens are left out of them."""
        view = self._view
        hoard = view.hoards[other] or dict.fromkeys(KINDS, 1)
        amounts = []
        for space in CAVES:
            kind, own = cave_kind(space), sum(layouts[other].get(space, ()))
            amount, shelves = hoard[kind], view.caves[kind]
            if own and shelves:
                rank = sum(sum(rows.get(space, ())) > own for rows in layouts.values())
                amount += shelves[rank] if rank < len(shelves) else 0
            amounts.append(amount)
        return sorted(amounts, reverse=True)


def can_pay(amounts: Sequence[int], tokens: Sequence[int]) -> bool:
    """Each token in a kind of its own (A69); `held` has most first."""
    if len(tokens) == 1:
        return tokens[0] <= amounts[0]
    if len(tokens) > len(amounts):
        return False
    return all(map(int.__le__, sorted(tokens, reverse=True), amounts))


def _seen(view: View, other: Seat) -> tuple[dict[str, list[int]], list[str], list[int]]:
    """Returns a rival's tokens in view by space, the spaces of those face down, the values not in view, ascending."""
    rows: dict[str, list[int]] = {}
    hidden, unseen = [], list(PIECES.tokens)
    for space, row in view.spaces.items():
        for token in row:
            if token.seat != other:
                continue
            if token.value is None:
                hidden.append(space)
                continue
            rows.setdefault(space, []).append(token.value)
            if not token.source:
                unseen.remove(token.value)
    return rows, hidden, unseen


def _part(space: str) -> str:
    part = space.partition("-")[0]
    return part if part in TENDENCY else "city"


def _pull(view: View, space: str) -> float:
    if _is_closed(view, space):
        return 0.0
    if space.startswith("cave-"):
        return sum(view.caves[cave_kind(space)]) / 2
    if space.startswith("room-"):
        return PULL["room"] if view.offers[space] else 0.0
    return PULL[space]


def _is_closed(view: View, space: str) -> bool:
    return view.has_magic and any(effect.name == CLOSED and effect.space == space for effect in view.magic.effects)


# The value of a layout of one's own tokens in a world: treasure, prizes of the city, artifacts.

KEY_COST = 2.0  # what else the use of a key could do
Layout = Mapping[str, Sequence[int]]
"""The seat's own tokens by space; spaces without any may be left out."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """Holds what a layout comes to before the others' tokens are known, summed up once for all worlds.

    Arguments:
        caves: of each with own tokens and treasure the kind's place in the hoard, its space, the treasure by rank, and
            the seat's strength there.
        prizes: of each place of the city with own tokens its name, what the first there gets, and the seat's strength.
        guard: the seat's strength at the guard.
        rooms: of each with own tokens and something for sale its name, the seat's strength, and the tokens,
            highest first.
    """

    caves: list[tuple[int, str, Sequence[int], int]]
    prizes: list[tuple[str, float, int]]
    guard: int
    rooms: list[tuple[str, int, list[int]]]


class Harvest:
    """Values layouts of one seat in one position."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._shelves = [(space, view.caves[cave_kind(space)]) for space in CAVES]
        self._held = list((view.hoards[seat] or {}).values())
        self._prizes = city_prizes(view)
        self._has_key = view.has_magic and "key" in (view.magic.artifacts or []) and not view.magic.used[seat]
        self._rooms = [room for room in rooms(view.seats) if view.offers[room]]
        left = sum(view.offers.values())
        self._thrift = min(1.0, left / (1.5 * view.seats))  # treasure is for artifacts: the fewer are left, the less

    def stakes(self, layout: Layout) -> Stakes:
        """Sums a layout up."""
        own = {space: (sum(row), row) for space, row in layout.items() if row}
        return Stakes(
            [
                (place, space, shelves, own[space][0])
                for place, (space, shelves) in enumerate(self._shelves)
                if space in own and shelves
            ],
            [(space, worth, own[space][0]) for space, worth in self._prizes.items() if space in own],
            own[GUARD][0] if GUARD in own else 0,
            [(room, own[room][0], sorted(own[room][1], reverse=True)) for room in self._rooms if room in own],
        )

    def total(self, stakes: Stakes, worlds: Sequence[World], more: float = 0.0) -> float:
        """Returns what it brings in some worlds together, and `more`."""
        return sum((self.value(stakes, world) for world in worlds), more)

    def value(self, stakes: Stakes, world: World) -> float:
        """Returns what it brings in one world."""
        amounts, prize = self._taken(stakes, world)
        return prize + self._palace(stakes, world, amounts)

    def bribing(self, stakes: Stakes, world: World, price: int) -> float:
        """Returns what it brings to pay the guard so much, against staying out; nothing for who cannot pay it."""
        amounts, _prize = self._taken(stakes, world)
        out = self._hoard(sum(amounts))
        if price > sum(amounts):
            return 0.0
        for _ in range(price):
            amounts[amounts.index(max(amounts))] -= 1
        amounts.sort(reverse=True)
        bought = _buy_artifacts(stakes, world, amounts)
        return self._hoard(sum(amounts)) + ARTIFACT * bought - out

    def _taken(self, stakes: Stakes, world: World) -> tuple[list[int], float]:
        """The treasure by kind after caves and market, and what else the city brings."""
        amounts = self._held[:]
        for place, space, shelves, strength in stakes.caves:
            rank = rank_of(strength, world.bars[space])
            if rank < len(shelves):
                amounts[place] += shelves[rank]
        prize = 0.0
        for space, worth, strength in stakes.prizes:
            bars = world.bars[space]
            if bars and bars[0] > strength:
                continue
            if space == "market":
                amounts[amounts.index(min(amounts))] += int(worth)
            else:
                prize += worth
        return amounts, prize

    def _palace(self, stakes: Stakes, world: World, amounts: list[int]) -> float:
        """The better of staying out and going in, by whatever way is open."""
        out, strength = self._hoard(sum(amounts)), stakes.guard
        missing = world.guard - strength
        if not stakes.rooms or (missing > 0 and not strength and not self._has_key):
            return out
        amounts.sort(reverse=True)
        bought = _buy_artifacts(stakes, world, amounts)
        if not bought:
            return out
        left, inside = sum(amounts), -inf
        if missing <= 0:
            inside = self._hoard(left)
        elif strength and left >= missing:
            inside = self._hoard(left - missing)
        if missing > 0 and self._has_key:
            inside = max(inside, self._hoard(left) - KEY_COST)
        return max(out, inside + ARTIFACT * bought)

    def _hoard(self, amount: int) -> float:
        return self._thrift * SATURATION * log(1 + amount / SATURATION)


def _buy_artifacts(stakes: Stakes, world: World, amounts: list[int]) -> int:
    """How many artifacts are bought, each paid at once; `held` has most first."""
    bought = 0
    for room, strength, tokens in stakes.rooms:
        if strength >= world.room_bars[room] and can_pay(amounts, tokens):
            bought += 1
            _pay(amounts, tokens)
    return bought


def rank_of(strength: int, bars: Sequence[int]) -> int:
    """How many rivals are before a strength."""
    rank = 0
    for bar in bars:
        if bar <= strength:
            break
        rank += 1
    return rank


def _pay(amounts: list[int], tokens: Sequence[int]) -> None:
    """Each token from the kind with most; both have most first, before and after."""
    for place, token in enumerate(tokens):
        amounts[place] -= token
    amounts.sort(reverse=True)


# Looking ahead while tokens are placed: whole layouts of one's own tokens, tried in many worlds.

WORLDS = 16
DRAWN = 30  # layouts to begin with
MARGIN = 1.5  # a plan that is worse by so much in a quarter of the worlds is not tried in all

Plan = dict[int, str]
"""The space of each token in hand."""


class PlacingSearch:
    """Where the tokens of a seat go that it still has in hand.

    Arguments:
        tokens, spaces: what can be placed, and where.
        trials: layouts tried for eight tokens; for fewer there are fewer.

    Its `worlds` are those in which the layouts are tried, its `harvest` what a layout brings in one.
    """

    def __init__(
        self, view: View, seat: Seat, tokens: Sequence[int], spaces: Sequence[str], trials: int, random: Random
    ) -> None:
        self._tokens, self._spaces = list(tokens), list(spaces)
        self._random, self._trials = random, trials
        self._laid = {
            space: [token.value for token in row if token.seat == seat and token.value is not None]
            for space, row in view.spaces.items()
        }
        self._dealer = Worlds(view, seat, random)
        self.worlds = [self._dealer.draw() for _ in range(WORLDS)]
        self.harvest = Harvest(view, seat)
        self._pulls = self._dealer.pulls(self._spaces)

    @classmethod
    def of(cls, view: View, question: Question, trials: int, random: Random) -> "PlacingSearch":
        """The search for a question that asks for a placement."""
        tokens, spaces = [field for field in question.actions[0].fields if isinstance(field, Choice)]
        values, names = [int(option.value) for option in tokens.options], [str(space.value) for space in spaces.options]
        return cls(view, question.decision.seat, values, names, trials, random)

    def best(self) -> Place:
        """The token to place now, and where."""
        token = min(self._tokens)
        return Place(token, self.plan()[token])

    def plan(self) -> Plan:
        """The best plan found; the fewer tokens are left, the fewer there are to try."""
        few, others = self.worlds[: WORLDS // 4], self.worlds[WORLDS // 4 :]
        drawn = [(self._stakes(plan), plan) for plan in (self._draw() for _ in range(DRAWN))]
        stakes, plan = max(drawn, key=lambda pair: self.harvest.total(pair[0], few))
        hint = self.harvest.total(stakes, few)
        value = self.harvest.total(stakes, others, hint)
        tried = {tuple(plan.items())}
        for _ in range(self._trials * len(self._tokens) // len(PIECES.tokens)):
            other = self._changed(plan)
            key = tuple(other.items())
            if key in tried:
                continue
            tried.add(key)
            stakes = self._stakes(other)
            first = self.harvest.total(stakes, few)
            if first <= hint - MARGIN * len(few):
                continue
            better = self.harvest.total(stakes, others, first)
            if better > value:
                plan, hint, value = other, first, better
        return plan

    def compare(self, placements: Sequence[Place], deals: int) -> list[list[float]]:
        """The worth of single placements in each of so many worlds, as a chance to win."""
        stakes = [self._stakes({placement.token: placement.space}) for placement in placements]
        worlds = [self._dealer.draw() for _ in range(deals)]
        return [[CHANCE * self.harvest.value(own, world) for world in worlds] for own in stakes]

    def _draw(self) -> Plan:
        spaces = self._random.choices(self._spaces, self._pulls, k=len(self._tokens))
        return dict(zip(self._tokens, spaces, strict=True))

    def _changed(self, plan: Plan) -> Plan:
        """One token elsewhere, or two changing places."""
        token = self._random.choice(self._tokens)
        if self._random.random() < 0.5 and len(self._tokens) > 1:
            other = self._random.choice(self._tokens)
            return {**plan, token: plan[other], other: plan[token]}
        return {**plan, token: self._random.choice(self._spaces)}

    def _stakes(self, plan: Plan) -> Stakes:
        rows = {space: list(row) for space, row in self._laid.items() if row}
        for token, space in plan.items():
            rows.setdefault(space, []).append(token)
        return self.harvest.stakes(rows)


# A round played on by the rules themselves to its end, every seat answering plainly and playing no further cards.

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


def pack(state: State) -> bytes:
    """A state to play on many times."""
    return _encoder.encode(state)


def play_out(packed: bytes, seat: Seat, action: Action) -> State:
    """The state at the end of the round, or of the game, if the seat answers so and everybody plainly after it."""
    board = Board(_decoder.decode(packed))
    flow.answer(board, seat, action)
    _settle(board)
    state = board.state
    while state.outcome is None and not isinstance(state.agenda[-1], model.Boundary):
        _answer(board)
        _settle(board)
    return state


def _settle(board: Board) -> None:
    """Runs on; in windows everybody who has not answered passes."""
    flow.run(board)
    while board.state.outcome is None and isinstance(frame := board.state.agenda[-1], model.Window):
        frame.answers = [answer or [] for answer in frame.answers]
        flow.run(board)


def _answer(board: Board) -> None:
    """The first who is asked."""
    frame = board.state.agenda[-1]
    match frame:
        case model.Market(seat) | model.Camel(seat) | model.Tent(seat):
            pass
        case model.Bribes() | model.Purchase() | model.Ask():
            seat = frame.waiting[0]
        case _:
            raise AssertionError(frame)
    flow.answer(board, seat, plain_answer(board.state, frame, seat))


def plain_answer(state: State, frame: model.Frame, seat: Seat) -> Action:
    """Answers in the tally without looking ahead. Raises AssertionError for a frame that asks nothing."""
    match frame:
        case model.Market():
            return _exchange(state, seat)
        case model.Camel():
            return actions.LeaveCamel() if state.camel == seat else actions.GiveCamel(seat)
        case model.Bribes():
            return _enter(state, seat)
        case model.Purchase(room):
            return _buy(state, seat, room)
        case model.Tent() | model.Ask():
            return default_of_magic(state, frame, seat)
    raise AssertionError(frame)


def _exchange(state: State, seat: Seat) -> Action:
    """One of what there is most of, for three of what there is least of."""
    hoard = state.hoards[seat]
    give = max(KINDS, key=lambda kind: hoard[kind])
    take = sorted((kind for kind in KINDS if state.bank[kind] > 2), key=lambda kind: hoard[kind])
    return actions.Exchange(give, {take[0]: 3}) if hoard[give] and take else actions.Keep()


def _enter(state: State, seat: Seat) -> Action:
    if not _wants(state, seat, state.hoards[seat]):
        return actions.StayOut()
    if state.has_magic and "key" in unused_tiles(state, seat):
        return actions.PlayCard("key")
    missing = state.guard - strength_at_guard(state, seat)
    if not own_tokens(state, seat, "guard") or missing > sum(state.hoards[seat].values()):
        return actions.StayOut()
    pay = largest(state.hoards[seat], missing)
    left = {kind: amount - pay.get(kind, 0) for kind, amount in state.hoards[seat].items()}
    return actions.Bribe(pay) if _wants(state, seat, left) else actions.StayOut()


def _wants(state: State, seat: Seat, hoard: Mapping[str, int]) -> bool:
    prices = [values(state, seat, room) for room in rooms(state.seats) if state.stacks[room]]
    return any(tokens and all(payable_kinds(tokens, dict(hoard))) for tokens in prices)


def _buy(state: State, seat: Seat, room: str) -> Action:
    """If he can, the dearest token from the kind with most."""
    fields = pay_fields(state, seat, room)
    if fields is None:
        return actions.Decline()
    chosen: dict[str, str] = {}
    for field in fields:
        assert isinstance(field, Choice), field
        free = [str(option.value) for option in field.options if option.value not in chosen.values()]
        chosen[field.name] = max(free, key=lambda kind: state.hoards[seat][kind])
    return actions.Buy(**chosen)


# The standing of a seat at the end of a round, for comparing answers.


def standing(state: State, seat: Seat) -> float:
    """How the seat stands, less how its rivals do; in treasure."""
    if state.outcome is not None:
        return VICTORY if seat in state.outcome.winners else -VICTORY
    thrift = min(1.0, sum(map(len, state.stacks.values())) / (1.5 * state.seats))
    stands = [_stand(state, other, thrift) for other in range(state.seats)]
    own = stands.pop(seat)
    return own + CAMEL * (state.camel == seat) - RIVALRY * sum(stands) / len(stands)


def _stand(state: State, seat: Seat, thrift: float) -> float:
    """Artifacts, what they and the cards in hand can do, and treasure as far as there is something left to buy."""
    standing = ARTIFACT * len(state.artifacts[seat])
    standing += thrift * SATURATION * log(1 + sum(state.hoards[seat].values()) / SATURATION)
    if state.has_magic:
        standing += thrift * (
            sum(ALL_CARDS[tile].keep for tile in state.artifacts[seat]) + SPELL * len(state.magic.spells[seat])
        )
    return standing


# Looking ahead in the tally: a few answers, each played out by the rules in many states that look like the view.

MOST_CARDS = 4  # looked at closely: those that look best at once
NOTHING: Mapping[str, PlayerAction] = {
    "window": actions.Pass(),
    "bribe": actions.StayOut(),
    "buy": actions.Decline(),
}
HOPELESS = -4.0  # a card that looks worse than this is not


def candidates(view: View, question: Question, greedy: PlayerAction) -> list[PlayerAction]:
    """Returns what is worth comparing: what greedy does, nothing, a bribe, and the cards that look best."""
    kind = question.decision.kind
    if kind not in NOTHING or any(isinstance(frame, Placing) for frame in view.agenda):
        return [greedy]  # while tokens are placed nobody knows what will lie there
    bribe = best_bribe(view, question.decision.seat, question)
    options = [greedy, NOTHING[kind], *([bribe] if bribe else [])]
    if view.has_magic and kind != "buy":
        ideas = [idea for idea in CardChoice(view, question.decision.seat).ideas(question) if idea.gain > HOPELESS]
        options += [idea.action for idea in ideas[:MOST_CARDS]]
    return [action for place, action in enumerate(options) if action not in options[:place]]


def best(view: View, question: Question, answers: list[PlayerAction], playouts: int, random: Random) -> PlayerAction:
    """The answer with the best mean standing at the end of the round."""
    if len(answers) == 1:
        return answers[0]
    averages = means(view, question, answers, playouts, random)
    return answers[averages.index(max(averages))]


def means(
    view: View, question: Question, answers: Sequence[PlayerAction], playouts: int, random: Random
) -> list[float]:
    """The mean standing of the seat at the end of the round after each answer, all in the same worlds."""
    seat, totals, worlds = question.decision.seat, [0.0] * len(answers), max(1, playouts // len(answers))
    for _ in range(worlds):
        packed = pack(determinise(view, random))
        for place, answer in enumerate(answers):
            totals[place] += standing(play_out(packed, seat, answer), seat)
    return [total / worlds for total in totals]


# Placements tried in many worlds at once: to find positions in which one is clearly best.

CHANCE = 0.01  # to win, for what is worth a treasure


def try_answers(
    view: View, question: Question, answers: Sequence[Action], deals: int, random: Random
) -> list[list[float]] | None:
    """Roughly how the chance of the seat differs after each of these placements, world by world, if it is the last one
    of the seat in this round; None for any other answer."""
    if question.decision.kind != "place" or len(question.actions[0].fields[0].options) > 2:
        return None
    search = PlacingSearch.of(view, question, 0, random)
    return search.compare([answer for answer in answers if isinstance(answer, Place)], deals)
