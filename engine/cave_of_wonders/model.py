"""The state of a game as data, and what one seat may see of it. Nothing here acts.

Dictionaries by space or by square always have all their keys, so equal states have equal bytes.
"""

from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from engine.cave_of_wonders.facts import Token
from engine.core import Answer, Decision, Outcome, Question, Seat
from engine.core.rng import Rng
from engine.orders.model import Sheet


class _Frame(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Holds what the game waits for."""


class Moving(_Frame, frozen=True):
    """The seat whose turn it is has rolled and chooses a direction (C13)."""

    roll: int


class PlacingGenie(_Frame, frozen=True, tag="Wishing"):
    """It holds a genie and chooses a square for it (C33)."""


class Flying(_Frame, frozen=True):
    """It has taken a carpet and chooses where Aladdin flies (C38)."""


class TurnOver(_Frame, frozen=True):
    """The turn is over and the game waits to be taken on to the next one."""


Frame: TypeAlias = Moving | PlacingGenie | Flying | TurnOver


class CaveToken(msgspec.Struct, frozen=True):
    """A token in the cave."""

    token: Token
    face_up: bool

    @property
    def is_open_character(self) -> bool:
        """True if a character is to be seen on it."""
        return self.face_up and bool(self.token.character)


class State(msgspec.Struct):
    """Everything about one game.

    Arguments:
        rules_version: the version of these rules the state belongs to.
        equal_turns: the round in which the game ends is played to its end (C46).
        full_distance: if some direction allows the full number of the die, only such directions are legal (C17).
        start: the seat that began (C8).
        favourites: the favourite kind by seat (C7).
        turn: 1 for the first turn of the game.
        taken: tokens taken in this turn.
        aladdin: the space of the figure, which never holds a token (C52).
        spaces: by space, None where there is no token.
        boards: tokens by square, by seat, in the order in which they came.
        scores: points by seat.
        held: the genie that has been taken and not yet been placed.
        is_last_round: an end has come that lets the round be played on (C46).
        frame: what the game waits for; None once it is over.
        resigned: seats that have resigned.
        orders: standing orders by seat, once somebody has given any; kept by `engine.orders`, and in no view.
        branch: number of the last roll-back; a game that was never rolled back carries nothing of it.
    """

    rules_version: int
    equal_turns: bool
    full_distance: bool
    rng: Rng
    start: Seat
    favourites: list[str]
    turn: int
    taken: int
    aladdin: str
    spaces: dict[str, CaveToken | None]
    boards: list[dict[str, list[Token]]]
    scores: list[int]
    held: Token | None = None
    is_last_round: bool = False
    frame: Frame | None = None
    resigned: list[Seat] = []
    outcome: Outcome | None = None
    orders: list[Sheet] | UnsetType = UNSET
    branch: int | UnsetType = UNSET

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.boards)

    @property
    def active(self) -> Seat:
        """The seat whose turn it is."""
        return (self.start + self.turn - 1) % self.seats


class SeenToken(msgspec.Struct, frozen=True):
    """A token in the cave as everybody sees it: face down it shows its kind alone (C10)."""

    kind: str
    face_up: bool
    number: int | None = None
    character: str | None = None

    @property
    def is_open_character(self) -> bool:
        """True if a character is to be seen on it."""
        return bool(self.character)

    def token(self) -> Token:
        """The token, if it lies face up."""
        assert self.face_up, self
        return Token(self.kind, self.number, self.character or "")


class View(msgspec.Struct):
    """A state as one seat may see it (`seat` None: a spectator). Fields are those of `State` where they share a name.

    Nothing is private here (C49): views differ in `seat` and `questions` alone.

    Arguments:
        seat: the viewer's own; None for a spectator.
        active: the seat whose turn it is.
        spaces: by space; face-down tokens without number and character.
        asked: whom the game waits for.
        questions: those open to the viewer.
        outcome: how the game ended; None while it is played.
    """

    rules_version: int
    equal_turns: bool
    full_distance: bool
    seat: Seat | None
    start: Seat
    active: Seat
    favourites: list[str]
    turn: int
    taken: int
    aladdin: str
    spaces: dict[str, SeenToken | None]
    boards: list[dict[str, list[Token]]]
    scores: list[int]
    held: Token | None
    is_last_round: bool
    frame: Frame | None
    resigned: list[Seat]
    asked: list[Decision]
    questions: list[Question]
    outcome: Outcome | None
    branch: int | UnsetType = UNSET

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.boards)


# What a seat may answer. In JSON each is {"type": ..., field: value}, the names of its form in `questions`.


class _Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Common to all actions: closed to fields it does not know."""


class MoveAladdin(_Action, frozen=True, tag="move"):
    """Moves Aladdin by the die to the space where that line ends (C13, C14)."""

    to: str


class PlaceGenie(_Action, frozen=True, tag="place_genie"):
    """Puts the genie on a square of the own board (C33)."""

    square: str


class Fly(_Action, frozen=True, tag="fly"):
    """Sends Aladdin on the carpet to a treasure without a visible character (C38)."""

    to: str


Action: TypeAlias = MoveAladdin | PlaceGenie | Fly
"""Everything one may do; silence does one of these too (C50)."""


def to_action(answer: Answer) -> Action:
    """The action of an answer in plain data. Raises msgspec.ValidationError, with the path."""
    action: Action = msgspec.convert(answer, Action)
    return action
