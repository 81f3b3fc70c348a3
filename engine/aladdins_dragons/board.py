"""The table: what is in the box, the state as data, the verbs that change it, and the events they emit."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.aladdins_dragons import effects, events
from engine.aladdins_dragons.cards.card import CARDS, Artifact
from engine.aladdins_dragons.events import Event
from engine.aladdins_dragons.facts import DECKS, GUARD, KINDS, PIECES, ROOMS, TREASURE_CARDS, cave_kind, rooms
from engine.aladdins_dragons.model import EVERYBODY, BuriedSpell, Effect, PassedSpell, Play, Ranking, State, Token
from engine.core import Ending, Outcome, Seat, Text


def hidden_count(state: State, room: str) -> int:
    """How many tiles of a room lie face down; they are the first of its stack."""
    return len(state.stacks[room]) - (room in state.magic.offers)


def hidden_types(state: State, room: str) -> list[str]:
    """The types that lie face down in a room, uppermost first."""
    return list(dict.fromkeys(reversed(state.stacks[room][: hidden_count(state, room)])))


def find_hidden(state: State, room: str, artifact: str) -> int:
    """The place, from the bottom, of the uppermost face-down tile of a type."""
    return max(place for place in range(hidden_count(state, room)) if state.stacks[room][place] == artifact)


def fill_shelves(shelves: Sequence[int], available: int) -> list[int]:
    """Returns what comes on each shelf, from the top, while there is any (A43)."""
    filled: list[int] = []
    for value in shelves:
        if (part := min(value, available - sum(filled))) > 0:
            filled.append(part)
    return filled


class Board:
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
        """Shuffles every treasure card again (A18)."""
        state = self.state
        state.deck = state.rng.shuffled([card.id for card in DECKS[state.seats]])
        state.discards = []
        self.events.append(events.DeckShuffled())

    def turn_card(self) -> None:
        """The next treasure card fills the caves, each from the top as far as the bank goes (A43)."""
        state = self.state
        card = TREASURE_CARDS[state.deck.pop()]
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
        """Puts back into the bank what is left on the shelves (A51)."""
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
        """The tokens go back to their owners."""
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

    # The magic version

    def begin_magic_round(self) -> None:
        """Artifacts go back behind the screens, effects end, rows are counted anew (A83). Part of `begin_round`."""
        magic, seats = self.state.magic, self.state.seats
        magic.used, magic.allowance = [[] for _ in range(seats)], [1] * seats
        magic.effects, magic.declared = [], 0
        magic.arrivals = dict.fromkeys(magic.arrivals, 0)

    # Cards

    def declare(self, play: Play) -> None:
        """A card is shown: an artifact costs a use and lies before its owner, a spell leaves the hand (A82)."""
        magic = self.state.magic
        if isinstance(CARDS[play.card], Artifact):
            self.show_tile(play.seat, play.card)
            magic.used[play.seat].append(play.card)
        else:
            magic.spells[play.seat].remove(play.card)
            magic.played.append(play.card)
            magic.passed = [passed for passed in magic.passed if passed.card != play.card]
        self.events.append(events.CardPlayed(play.seat, play.card, dict(play.targets)))

    def show_tile(self, seat: Seat, artifact: str) -> None:
        """Whoever uses more tiles of a type than he is known to have shows one that was unknown (A47).

        Part of other verbs and of what a play names.
        """
        magic = self.state.magic
        public_tiles = Counter(self.state.artifacts[seat]) - Counter(magic.unknown[seat])
        if public_tiles[artifact] <= magic.used[seat].count(artifact):
            magic.unknown[seat].remove(artifact)

    def strike(self, play: Play, by: Seat) -> None:
        """A declared spell is void; it is spent all the same (A81)."""
        play.is_struck = True
        self.events.append(events.CardStruck(play.seat, play.card, by))

    def fizzle(self, play: Play) -> None:
        """Nothing of the play is possible any more (A78)."""
        self.events.append(events.CardFizzled(play.seat, play.card))

    def begin_effect(self, name: str, seat: Seat, space: str = "") -> None:
        """Something holds for the rest of the round; see `effects`."""
        self.state.magic.effects.append(Effect(name, seat, space))
        self.events.append(events.EffectBegan(name, seat, space))

    # Tokens

    def arrive(self, token: Token, space: str) -> None:
        """A token comes to the end of a row and gets its number there. Part of other verbs."""
        if self.state.has_magic:
            self.state.magic.arrivals[space] += 1
            token.number = self.state.magic.arrivals[space]
        self.state.spaces[space].append(token)

    def add_token(self, seat: Seat, space: str, value: int, source: str) -> None:
        """A carpet or a double, face up (A71, A88)."""
        self.arrive(Token(seat, value, True, source=source), space)
        self.events.append(events.TokenAdded(seat, space, value, source))

    def remove_token(self, token: Token, space: str) -> None:
        """A number token back to the hand, a carpet or a double away (A30, A90)."""
        state = self.state
        state.spaces[space] = [other for other in state.spaces[space] if other is not token]
        if token.is_number:
            state.hands[token.seat] = sorted([*state.hands[token.seat], token.value])
        source = token.source if isinstance(token.source, str) else ""
        self.events.append(events.TokenRemoved(token.seat, space, token.value, token.face_up, source))

    def move_token(self, token: Token, space: str, to: str) -> None:
        """A number token to another space, face up or down as it lies (S1)."""
        state = self.state
        state.spaces[space] = [other for other in state.spaces[space] if other is not token]
        self.arrive(token, to)
        self.events.append(events.TokenMoved(token.seat, space, to, token.value, token.face_up))
        if to == state.tallying and not token.face_up:
            self.reveal_token(token, to)

    def eclipse(self, play: Play, space: str, parity: int) -> None:
        """The face-up tokens of a space whose value has that parity go home; none from a tallied space (S10, S16)."""
        row = [] if space in self.state.tallied else self.state.spaces[space]
        hit = [token for token in row if token.face_up and token.value % 2 == parity]
        for token in hit:
            self.remove_token(token, space)
        if not hit:
            self.fizzle(play)

    def reveal_token(self, token: Token, space: str) -> None:
        """A token that came face down into the space being tallied is turned over (A37)."""
        token.face_up = True
        self.events.append(events.TokenRevealed(token.seat, space, token.value))

    # Treasure

    def give_treasure(self, seat: Seat, to: Seat, amounts: Mapping[str, int]) -> None:
        """Treasure from one seat to another, openly (S20)."""
        for kind, amount in amounts.items():
            self.state.hoards[seat][kind] -= amount
            self.state.hoards[to][kind] += amount
            assert self.state.hoards[seat][kind] >= 0, (seat, amounts)
        self.events.append(events.TreasureGiven(seat, to, dict(amounts)))

    # City and palace

    def fill_cave(self, cave: str, shelves: Sequence[int]) -> bool:
        """Treasure into an empty cave, as far as the bank goes, top first (S7); False and no event if it has none."""
        state, kind = self.state, cave_kind(cave)
        filled = fill_shelves(shelves, state.bank[kind])
        if not filled:
            return False
        state.caves[kind] = filled
        state.bank[kind] -= sum(filled)
        self.events.append(events.CaveOpened(cave, list(filled)))
        return True

    def turn_up_offers(self) -> None:
        """The top tile of every room that has none face up (A16, A17)."""
        state = self.state
        new = [room for room in rooms(state.seats) if state.stacks[room] and room not in state.magic.offers]
        state.magic.offers = [room for room in rooms(state.seats) if room in [*new, *state.magic.offers]]
        for room in new:
            state.magic.known[room][-1] = [EVERYBODY]
        self.events.append(events.OffersRevealed({room: state.stacks[room][-1] for room in new}))

    def draw_spells(self, seat: Seat, count: int) -> list[str]:
        """The top cards of the spell deck, which the seat alone sees."""
        deck = self.state.magic.spell_deck
        cards = [deck.pop() for _ in range(count)]
        self.events.append(events.SpellsDrawn(seat, count, cards))
        return cards

    def keep_spell(self, seat: Seat, kept: str, other: str | None, to: Seat | None) -> None:
        """One card stays, the other goes to `to`, or unseen away (A53, A54)."""
        magic = self.state.magic
        magic.spells[seat].append(kept)
        if other is not None and to is not None:
            magic.spells[to].append(other)
            magic.passed.append(PassedSpell(other, seat, to))
        elif other is not None:
            magic.buried.append(BuriedSpell(other, seat))
        self.events.append(events.SpellKept(seat, kept, to, other))

    def raise_allowance(self, seat: Seat) -> None:
        """Two artifacts in all this round, those already used included (A57)."""
        self.state.magic.allowance[seat] = 2
        self.events.append(events.AllowanceRaised(seat))

    def unlock(self, seat: Seat) -> None:
        """A seat enters the palace without strength or bribe (A64)."""
        self.state.admitted.append(seat)
        self.events.append(events.PalaceUnlocked(seat))

    def sell_offer(self, seat: Seat, room: str) -> None:
        """The artifact that lies face up in a room to a seat; everybody sees which (A47)."""
        state = self.state
        artifact = state.stacks[room].pop()
        state.magic.known[room].pop()
        state.magic.offers.remove(room)
        state.artifacts[seat].append(artifact)
        self.events.append(events.ArtifactSold(seat, room, artifact))

    def search_stack(self, seat: Seat, room: str) -> None:
        """A seat looks through all tiles of a room and knows them from now on (S2, S12)."""
        for knowers in self.state.magic.known[room]:
            if seat not in knowers and EVERYBODY not in knowers:
                knowers[:] = sorted([*knowers, seat])
        self.events.append(events.StackRevealed(seat, room, list(self.state.stacks[room])))

    def choose_offer(self, seat: Seat, room: str, artifact: str) -> None:
        """The uppermost face-down tile of a type comes on top, face up; what lay there goes to the bottom (S12).

        Where it lay only the seat has seen: nobody else can tell the others apart any more.
        """
        magic, stack, knowers = self.state.magic, self.state.stacks[room], self.state.magic.known[room]
        former = stack[-1] if room in magic.offers else ""
        stack.append(stack.pop(find_hidden(self.state, room, artifact)))
        knowers[:] = [[seat] for _ in stack]
        knowers[-1] = [EVERYBODY]
        if former:
            stack.insert(0, stack.pop(-2))
            knowers[0] = [EVERYBODY]
        magic.offers = [other for other in rooms(self.state.seats) if other == room or other in magic.offers]
        self.events.append(events.OfferChosenRevealed(seat, room, artifact, former))

    def swap_offer(self, seat: Seat, room: str, given: str) -> None:
        """The artifact that lies face up in a room to a seat, for one of its own, openly (S11, A95)."""
        state = self.state
        self.show_tile(seat, given)
        state.artifacts[seat].remove(given)
        artifact, state.stacks[room][-1] = state.stacks[room][-1], given
        state.artifacts[seat].append(artifact)
        self.events.append(events.OfferSwapped(seat, room, artifact, given))

    def take_hidden(self, seat: Seat, room: str, artifact: str) -> None:
        """The uppermost face-down tile of a type to a seat, unseen by others (S2, A47).

        Nobody else can tell any more which face-down tile of the room is which.
        """
        state, room_knowers = self.state, self.state.magic.known[room]
        place = find_hidden(state, room, artifact)
        state.stacks[room].pop(place)
        room_knowers.pop(place)
        for knowers in room_knowers[: hidden_count(state, room)]:
            knowers[:] = [seat]
        state.artifacts[seat].append(artifact)
        state.magic.unknown[seat].append(artifact)
        self.events.append(events.ArtifactTaken(seat, room, artifact))


def _ties(order: Sequence[Seat], strengths: Sequence[int]) -> list[list[Seat]]:
    groups: dict[int, list[Seat]] = {}
    for seat, strength in zip(order, strengths, strict=True):
        groups.setdefault(strength, []).append(seat)
    return [group for group in groups.values() if len(group) > 1]
