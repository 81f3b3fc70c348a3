"""The verbs of the game: each changes the state and emits exactly one event.

Whether it is allowed is not asked here, but in `moves` and `questions`.
"""

from collections.abc import Sequence

from engine.cave_of_wonders import events
from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.facts import DIE
from engine.cave_of_wonders.model import CaveToken, State
from engine.cave_of_wonders.scoring import points_for, score_after
from engine.core import Ending, Outcome, Seat, Text


class Board:
    """A state being changed, and the events of it so far."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def begin(self) -> None:
        """The cave is filled."""
        self.events.append(events.GameBegan(self.state.start, list(self.state.favourites)))

    def begin_turn(self) -> None:
        """The next seat's turn."""
        self.state.turn += 1
        self.state.taken = 0
        self.events.append(events.TurnBegan(self.state.turn, self.state.active))

    def roll(self) -> int:
        """The die with four faces (C13)."""
        state = self.state
        number = 1 + state.rng.below(DIE)
        self.events.append(events.RollRevealed(state.active, number, again=state.taken > 0))
        return number

    def move_aladdin(self, to: str, *, flew: bool) -> None:
        """Aladdin stands on another space (C41)."""
        origin, self.state.aladdin = self.state.aladdin, to
        self.events.append(events.AladdinMoved(self.state.active, origin, to, flew))

    def reveal(self) -> None:
        """The token under Aladdin is turned over (C23)."""
        space = self.state.aladdin
        lying = self.state.spaces[space]
        assert lying is not None and not lying.face_up, space
        self.state.spaces[space] = CaveToken(lying.token, face_up=True)
        self.events.append(events.TokenRevealed(space, lying.token))

    def take(self) -> None:
        """The token under Aladdin leaves the cave for the hand of the seat whose turn it is (C22)."""
        state = self.state
        lying = state.spaces[state.aladdin]
        assert lying is not None and lying.face_up, state.aladdin
        state.spaces[state.aladdin], state.held = None, lying.token
        state.taken += 1
        self.events.append(events.TokenTaken(state.active, state.aladdin, lying.token))

    def place(self, square: str) -> None:
        """The token in hand goes on a square and brings its points, all at once (C23, C36)."""
        state, seat = self.state, self.state.active
        token, state.held = state.held, None
        assert token is not None
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

    def end_turn(self) -> None:
        """The seat whose turn it was has taken all its tokens."""
        self.events.append(events.TurnEnded(self.state.active))

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
