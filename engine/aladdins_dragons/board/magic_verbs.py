"""The verbs that only the magic version needs: each changes the state and emits exactly one event."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.aladdins_dragons.board import magic_events as events
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.facts import cave_kind, rooms
from engine.aladdins_dragons.board.magic_model import EVERYBODY, BuriedSpell, Effect, PassedSpell
from engine.aladdins_dragons.board.model import Play, State, Token
from engine.aladdins_dragons.cards.card import CARDS, Artifact
from engine.core import Seat


class MagicVerbs:
    """Part of `Board`."""

    state: State
    events: list[Event]

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
        known = Counter(self.state.artifacts[seat]) - Counter(magic.unknown[seat])
        if known[artifact] <= magic.used[seat].count(artifact):
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
        magic, stack, known = self.state.magic, self.state.stacks[room], self.state.magic.known[room]
        former = stack[-1] if room in magic.offers else ""
        stack.append(stack.pop(find_hidden(self.state, room, artifact)))
        known[:] = [[seat] for _ in stack]
        known[-1] = [EVERYBODY]
        if former:
            stack.insert(0, stack.pop(-2))
            known[0] = [EVERYBODY]
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
        state, known = self.state, self.state.magic.known[room]
        place = find_hidden(state, room, artifact)
        state.stacks[room].pop(place)
        known.pop(place)
        for knowers in known[: hidden_count(state, room)]:
            knowers[:] = [seat]
        state.artifacts[seat].append(artifact)
        state.magic.unknown[seat].append(artifact)
        self.events.append(events.ArtifactTaken(seat, room, artifact))


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
    """What comes on each shelf, from the top, while there is any (A43)."""
    filled: list[int] = []
    for value in shelves:
        if (part := min(value, available - sum(filled))) > 0:
            filled.append(part)
    return filled
