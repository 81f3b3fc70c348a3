"""The verbs of the game: each changes the state and emits exactly one event.

Whether it is allowed is not asked here, but in `moves` and `questions`.
"""

from collections.abc import Sequence

import msgspec

from engine.cave_of_wonders.board import events
from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.board.facts import DIE, Token, square_of
from engine.cave_of_wonders.board.model import CaveToken, State
from engine.cave_of_wonders.scoring import points_for, score_after
from engine.core import Ending, Outcome, Seat, Text

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(State)


def copy_state(state: State) -> State:
    """Faster than copy.deepcopy by an order of magnitude."""
    return _decoder.decode(_encoder.encode(state))


class Board:
    """A state being changed, and the events of it so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def begin(self) -> None:
        """The cave is filled."""
        self.events.append(events.GameBegan(self.state.start, list(self.state.favourites)))

    def begin_turn(self) -> int:
        """The next seat's turn, which begins with the die (C13)."""
        self.state.turn += 1
        self.state.taken = 0
        return self._roll(again=False)

    def roll_again(self) -> int:
        """The die once more for the same seat (C37)."""
        return self._roll(again=True)

    def _roll(self, *, again: bool) -> int:
        state = self.state
        number = 1 + state.rng.below(DIE)
        self.events.append(events.RollRevealed(state.turn, state.active, number, again))
        return number

    def move_aladdin(self, to: str, *, flew: bool, unasked: bool) -> None:
        """Aladdin stands on another space (C41)."""
        origin, self.state.aladdin = self.state.aladdin, to
        self.events.append(events.AladdinMoved(self.state.active, origin, to, flew, unasked))

    def reveal(self) -> None:
        """The token under Aladdin is turned over (C23)."""
        space = self.state.aladdin
        lying = self.state.spaces[space]
        assert lying is not None and not lying.face_up, space
        self.state.spaces[space] = CaveToken(lying.token, face_up=True)
        self.events.append(events.TokenRevealed(space, lying.token))

    def take(self) -> None:
        """The token under Aladdin goes to its square and brings its points, all at once (C22, C23, C36)."""
        token = self._lift()
        self._score(token, square_of(token))

    def take_genie(self) -> None:
        """The genie under Aladdin is in the hand of the seat whose turn it is (C33)."""
        state = self.state
        state.held = self._lift()
        self.events.append(events.GenieTaken(state.active, state.aladdin, state.held))

    def place_genie(self, square: str) -> None:
        """The genie in hand goes on a square, and what it completes is scored (C33, C34)."""
        token, self.state.held = self.state.held, None
        assert token is not None
        self._score(token, square)

    def _lift(self) -> Token:
        state = self.state
        lying = state.spaces[state.aladdin]
        assert lying is not None and lying.face_up, state.aladdin
        state.spaces[state.aladdin] = None
        state.taken += 1
        return lying.token

    def _score(self, token: Token, square: str) -> None:
        state, seat = self.state, self.state.active
        points = points_for(state.boards[seat], state.favourites[seat], token, square)
        state.boards[seat][square].append(token)
        state.scores[seat] = score_after(state.scores[seat], points)
        self.events.append(events.TokenPlaced(seat, token, square, points, state.scores[seat]))

    def let_carpet_lapse(self) -> None:
        """The carpet has nowhere to fly (C39)."""
        self.events.append(events.CarpetLapsed(self.state.active))

    def call_last_round(self, cause: str) -> None:
        """The round goes on to its end (C46)."""
        self.state.is_last_round = True
        self.events.append(events.LastRoundCalled(self.state.active, cause))

    def be_stuck(self) -> None:
        """There is no treasure in any direction (C20)."""
        self.events.append(events.Stuck(self.state.active, self.state.aladdin))

    def resign(self, seat: Seat) -> None:
        """The seat ranks below all who stay."""
        self.state.resigned.append(seat)
        self.events.append(events.SeatResigned(seat))

    def finish(self, ending: Ending, winners: Sequence[Seat], ranking: Sequence[Seat], reason: Text) -> None:
        """The game is over; nothing is left to do."""
        state = self.state
        state.frame = None
        state.outcome = Outcome(ending, list(winners), list(ranking), list(state.scores), reason)
        self.events.append(events.GameEnded(ending, list(winners), list(ranking), list(state.scores)))
