"""The verbs of the game: each changes the state and emits exactly one event.

Whether it is allowed is not asked here, but in `questions`.
"""

from collections.abc import Mapping, Sequence

import msgspec

from engine.aladdins_dragons.board import effects, events
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.facts import CARDS, DECKS, GUARD, KINDS, PIECES, ROOMS, cave_kind
from engine.aladdins_dragons.board.magic_verbs import MagicVerbs, fill_shelves
from engine.aladdins_dragons.board.model import Ranking, State, Token
from engine.core import Ending, Outcome, Seat, Text

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


def copy_state(state: State) -> State:
    """Faster than copy.deepcopy by an order of magnitude."""
    return _decoder.decode(_encoder.encode(state))


class Board(MagicVerbs):
    """A state being changed, and the events of it so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    # The vizier

    def begin_round(self) -> None:
        """Counts the round; nobody has placed, entered or been ranked in it."""
        state = self.state
        state.round += 1
        state.turns = [0] * state.seats
        state.forfeits = [0] * state.seats
        state.admitted, state.tallied, state.rankings = [], [], {}
        if state.has_magic:
            self.begin_magic_round()
        self.events.append(events.RoundBegan(state.round))

    def shuffle_deck(self) -> None:
        """All treasure cards are shuffled again (A18)."""
        state = self.state
        state.deck = state.rng.shuffled([card.id for card in DECKS[state.seats]])
        state.discards = []
        self.events.append(events.DeckShuffled())

    def turn_card(self) -> None:
        """The next treasure card fills the caves, each from the top as far as the bank goes (A43)."""
        state = self.state
        card = CARDS[state.deck.pop()]
        state.discards.append(card.id)
        missing: dict[str, int] = {}
        for kind, shelves in zip(KINDS, card.caves, strict=True):
            state.caves[kind] = fill_shelves(shelves, state.bank[kind])
            state.bank[kind] -= sum(state.caves[kind])
            if short := sum(shelves) - sum(state.caves[kind]):
                missing[kind] = short
        filled = {kind: list(shelves) for kind, shelves in state.caves.items()}
        self.events.append(events.CavesFilled(card.id, filled, missing))

    def post_guard(self) -> None:
        """One of the ten guards, each as likely every round (A13)."""
        state = self.state
        state.guard = state.rng.choice(PIECES.guards)
        state.is_guard_shown = False
        self.events.append(events.GuardPosted(state.guard))

    # Treasure

    def take(self, seat: Seat, amounts: Mapping[str, int], source: str) -> None:
        """Treasure from the bank to a seat."""
        self._move_treasure(seat, amounts, 1)
        self.events.append(events.TreasureTaken(seat, dict(amounts), source))

    def take_shelf(self, seat: Seat, space: str) -> None:
        """The top shelf of a cave to a seat (A50)."""
        kind = cave_kind(space)
        value = self.state.caves[kind].pop(0)
        self.state.hoards[seat][kind] += value
        self.events.append(events.TreasureTaken(seat, {kind: value}, space))

    def pay(self, seat: Seat, amounts: Mapping[str, int], space: str) -> None:
        """Treasure from a seat to the bank, at once (A45)."""
        self._move_treasure(seat, amounts, -1)
        self.events.append(events.TreasurePaid(seat, dict(amounts), space))

    def _move_treasure(self, seat: Seat, amounts: Mapping[str, int], sign: int) -> None:
        hoard, bank = self.state.hoards[seat], self.state.bank
        for kind, amount in amounts.items():
            hoard[kind] += sign * amount
            bank[kind] -= sign * amount
            assert hoard[kind] >= 0 and bank[kind] >= 0, (seat, amounts)

    def empty_cave(self, space: str) -> None:
        """What is left on the shelves goes back to the bank (A51)."""
        kind = cave_kind(space)
        amount = sum(self.state.caves[kind])
        self.state.caves[kind] = []
        self.state.bank[kind] += amount
        self.events.append(events.TreasureReturned(space, amount))

    # Tokens

    def place(self, seat: Seat, value: int, space: str) -> None:
        """A token from the hand to the end of the row, face down (A20, A29) unless an effect says otherwise (A31)."""
        state, face_up = self.state, effects.places_face_up(self.state, seat)
        state.hands[seat].remove(value)
        self.arrive(Token(seat, value, face_up), space)
        state.turns[seat] += 1
        self.events.append(events.TokenPlaced(seat, space, value, face_up))

    def forfeit(self, seat: Seat) -> None:
        """A placement passed by the deadline (A21)."""
        self.state.turns[seat] += 1
        self.state.forfeits[seat] += 1
        self.events.append(events.PlacementForfeited(seat))

    def end_placing(self) -> None:
        """Nobody has a token left to place."""
        self.events.append(events.PlacingEnded())

    def reveal(self, space: str) -> None:
        """The space is being tallied: its tokens are turned over (A36)."""
        self.state.tallying = space
        tokens = self.state.spaces[space]
        for token in tokens:
            token.face_up = True
        self.events.append(events.SpaceRevealed(space, [(token.seat, token.value) for token in tokens]))

    def rank(self, space: str) -> None:
        """The strengths in the space, ties by player sequence (A34, A35). From now on it is tallied (A36)."""
        state = self.state
        totals, order = effects.strengths(state, space), effects.order(state, space)
        strengths = [totals[seat] for seat in order]
        state.rankings[space] = Ranking(order, strengths)
        state.tallied.append(space)
        self.events.append(events.SpaceRanked(space, list(order), list(strengths), _ties(order, strengths)))

    def evict(self, seat: Seat) -> None:
        """The seat's tokens in the rooms return to its hand unseen (A68)."""
        state = self.state
        rooms = ROOMS[: state.seats]
        leaving = [token for room in rooms for token in effects.own_tokens(state, seat, room)]
        for room in rooms:
            state.spaces[room] = [token for token in state.spaces[room] if token.seat != seat]
        values = [token.value for token in leaving if token.is_number]
        state.hands[seat] = sorted([*state.hands[seat], *values])
        self.events.append(events.TokensEvicted(seat, len(values), sorted(values)))

    def end_round(self) -> None:
        """All tokens go back to their owners."""
        state = self.state
        for tokens in state.spaces.values():
            for token in tokens:
                if token.is_number:
                    state.hands[token.seat].append(token.value)
            tokens.clear()
        for hand in state.hands:
            hand.sort()
        state.tallying = ""
        self.events.append(events.RoundEnded(state.round))

    # City and palace

    def keep_treasure(self, seat: Seat) -> None:
        """No exchange at the market."""
        self.events.append(events.MarketDeclined(seat))

    def give_camel(self, seat: Seat, to: Seat) -> None:
        """The camel, and with it the head of the player sequence, changes at once (A60)."""
        self.state.camel = to
        self.events.append(events.CamelGiven(seat, to))

    def leave_camel(self, seat: Seat) -> None:
        """The camel stays."""
        self.events.append(events.CamelLeft(seat))

    def reveal_guard(self) -> None:
        """The guard is turned over; his space is being tallied, with tokens or without (A33)."""
        self.state.is_guard_shown = True
        self.state.tallying = GUARD
        self.events.append(events.GuardRevealed(self.state.guard))

    def admit(self, seat: Seat, *, bribed: bool) -> None:
        """A seat enters the palace."""
        self.state.admitted.append(seat)
        self.events.append(events.PalaceEntered(seat, bribed))

    def stay_out(self, seat: Seat) -> None:
        """A seat with tokens at the guard does not bribe him."""
        self.events.append(events.BribeDeclined(seat))

    def give_artifact(self, seat: Seat, room: str) -> None:
        """The artifact for sale in a room to a seat, unseen in the basic version (A47)."""
        artifact = self.state.stacks[room].pop()
        self.state.artifacts[seat].append(artifact)
        self.events.append(events.ArtifactBought(seat, room, artifact))

    def decline(self, seat: Seat, room: str) -> None:
        """A seat does not buy."""
        self.events.append(events.PurchaseDeclined(seat, room))

    def leave_unsold(self, room: str) -> None:
        """Nobody bought (A73)."""
        self.events.append(events.RoomUnsold(room))

    # Seats and the end

    def begin(self) -> None:
        """The board is laid out."""
        self.events.append(events.GameBegan(self.state.seats, self.state.camel))

    def resign(self, seat: Seat) -> None:
        """The seat ranks below all who stay."""
        self.state.resigned.append(seat)
        self.events.append(events.SeatResigned(seat))

    def finish(self, ending: Ending, ranking: Sequence[Seat], reason: Text) -> None:
        """The game is over; nothing is left to do."""
        state = self.state
        scores = [len(owned) for owned in state.artifacts]
        state.agenda = []
        state.outcome = Outcome(ending, [ranking[0]], list(ranking), scores, reason)
        self.events.append(events.GameEnded(ending, [ranking[0]], list(ranking), scores))


def _ties(order: Sequence[Seat], strengths: Sequence[int]) -> list[list[Seat]]:
    groups: dict[int, list[Seat]] = {}
    for seat, strength in zip(order, strengths, strict=True):
        groups.setdefault(strength, []).append(seat)
    return [group for group in groups.values() if len(group) > 1]
