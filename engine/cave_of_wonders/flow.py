"""The course of a game: a turn from its roll to its end, and the answers of the seat whose turn it is.

Every loop here takes a token out of the cave on its way, so sixty steps are the most between two stops.
"""

from collections.abc import Mapping, Sequence

from engine.cave_of_wonders import events, model
from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.facts import DIE, GOAL, KINDS, SPACES, SQUARES, TOKENS, Token, square_of
from engine.cave_of_wonders.model import Action, CaveToken, Flying, Moving, PlacingGenie, State, TurnOver
from engine.cave_of_wonders.scoring import is_full, landings, points_for, score_after, targets
from engine.core import Days, Ending, IllegalAction, Outcome, Seat, TableOption, Text
from engine.core.games import chosen_options
from engine.core.rng import Rng

# The verbs of the game: each changes the state and emits exactly one event.


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


# How a game begins: the options a host has, and the cave filled.

SEAT_COUNTS = (2, 3, 4)  # C1


def _switch(name: str) -> TableOption:
    code = f"option-{name.replace('_', '-')}"
    return TableOption(name, Text(code), [("off", Text("no")), ("on", Text("yes"))], "off", Text(f"{code}-hint"))


DAYS = {2: Days(9.0, 9.0), 3: Days(13.0, 15.0), 4: Days(18.5, 19.0)}  # by seats, with a day a move: docs/simulation.md


OPTIONS = (_switch("equal_turns"), _switch("full_distance"))


def lay_out(seats: int, options: Mapping[str, str], seed: str, rules_version: int) -> Board:
    """A board before the first turn. Raises IllegalAction for a number of seats or an option that does not exist."""
    if seats not in SEAT_COUNTS:
        raise IllegalAction("illegal-seats", seats=seats)
    chosen, rng = chosen_options(OPTIONS, options), Rng(seed)
    start = rng.below(seats)
    favourites = rng.shuffled(KINDS)[:seats]
    aladdin = rng.choice(SPACES)
    board = Board(
        State(
            rules_version=rules_version,
            equal_turns=chosen["equal_turns"] == "on",
            full_distance=chosen["full_distance"] == "on",
            start=start,
            favourites=favourites,
            turn=0,
            taken=0,
            aladdin=aladdin,
            spaces=_fill(rng, aladdin),
            boards=[{square: [] for square in SQUARES} for _ in range(seats)],
            scores=[0] * seats,
            rng=rng,
        )
    )
    board.begin()
    return board


def _fill(rng: Rng, aladdin: str) -> dict[str, CaveToken | None]:
    """A token on every space but Aladdin's (C12), each face up or down as a coin falls (C9)."""
    tokens = rng.shuffled(TOKENS)
    return {space: None if space == aladdin else CaveToken(tokens.pop(), face_up=rng.below(2) == 1) for space in SPACES}


# How a game ends and in which order the seats are ranked.


def end_cause(state: State) -> str | None:
    """Which end the seat whose turn it is has brought about: "full" (C44), "fifty" (C42) or none."""
    if is_full(state.boards[state.active]):
        return "full"
    return "fifty" if state.scores[state.active] >= GOAL else None


def ranking(state: State) -> list[Seat]:
    """Best first: those who stayed, by points; equals in the order of play."""
    order = [(state.start + step) % state.seats for step in range(state.seats)]
    return sorted(order, key=lambda seat: (seat in state.resigned, -state.scores[seat]))


def winners(state: State) -> list[Seat]:
    """Everybody who has as many points as the first in the ranking shares the victory (C47)."""
    order = ranking(state)
    best = order[0]
    return [
        seat
        for seat in order
        if state.scores[seat] == state.scores[best] and (seat in state.resigned) == (best in state.resigned)
    ]


def finish_complete(board: Board, cause: str) -> None:
    """The rules' own end. `cause`: "fifty", "full", "stuck", or "round" when the last round is over (C45)."""
    state = board.state
    best = winners(state)
    code = f"{cause}-won" if len(best) == 1 else f"{cause}-tie"
    params = {
        "by": {"seat": state.active},
        "winners": {"seats": best},
        "points": {"points": state.scores[best[0]]},
    }
    board.finish(Ending.COMPLETE, best, ranking(state), Text(code, params))


def finish_abandoned(board: Board, seat: Seat) -> None:
    """The last person at the table ends the game (A99), against bots too."""
    others = [other for other in ranking(board.state) if other != seat]
    board.finish(Ending.ABANDONED, [seat], [seat, *others], Text("abandoned", {"winner": {"seat": seat}}))


def begin_turn(board: Board) -> None:
    """The next seat rolls at once (C13)."""
    _move(board, board.begin_turn())


def answer(board: Board, seat: Seat, action: Action) -> None:
    """Takes the answer, which has been checked, and runs on."""
    match action:
        case model.MoveAladdin(to):
            _pick_up(board, to, flew=False)
        case model.Fly(to):
            _pick_up(board, to, flew=True)
        case model.PlaceGenie(square):
            board.place_genie(square)
            _go_on(board, "genie")


def _move(board: Board, roll: int) -> None:
    """A choice if there is more than one landing; without any the game ends (C20, C21)."""
    state = board.state
    possible = list(landings(state.spaces, state.aladdin, roll, full_distance=state.full_distance))
    if not possible:
        board.be_stuck()
        finish_complete(board, "stuck")
    elif len(possible) == 1:
        _pick_up(board, possible[0], flew=False, unasked=True)
    else:
        state.frame = Moving(roll)


def _pick_up(board: Board, space: str, *, flew: bool, unasked: bool = False) -> None:
    """Move, flip, place and score; a genie waits for its square (C23, C33)."""
    state = board.state
    lying = state.spaces[space]
    assert lying is not None, space
    board.move_aladdin(space, flew=flew, unasked=unasked)
    if not lying.face_up:
        board.reveal()
    if lying.token.character == "genie":
        board.take_genie()
        state.frame = PlacingGenie()
    else:
        board.take()
        _go_on(board, lying.token.character)


def _go_on(board: Board, character: str) -> None:
    """A token has been scored: the game ends if its end has come (C42), or else its ability follows (C23)."""
    state = board.state
    cause = end_cause(state)
    if cause and not state.equal_turns:
        finish_complete(board, cause)
        return
    if cause and not state.is_last_round:
        board.call_last_round(cause)
    if character == "monkey":
        _move(board, board.roll_again())  # C37
    elif character == "carpet":
        _fly(board)
    else:
        _end_turn(board)


def _fly(board: Board) -> None:
    """A choice if there is more than one target (C38); without any the ability lapses (C39)."""
    possible = targets(board.state.spaces)
    if not possible:
        board.let_carpet_lapse()
        _end_turn(board)
    elif len(possible) == 1:
        _pick_up(board, possible[0], flew=True, unasked=True)
    else:
        board.state.frame = Flying()


def _end_turn(board: Board) -> None:
    """A last round ends the game when all have had the same number of turns (C46)."""
    state = board.state
    if state.is_last_round and state.turn % state.seats == 0:
        finish_complete(board, "round")
    else:
        state.frame = TurnOver()
