"""The events, each of one verb, with their sentences. A field that not everybody may know is None when redacted."""

from typing import TypeAlias, get_args

from engine.cave_of_wonders.facts import Token
from engine.core import Ending, Param, Seat
from engine.core.games import GameEvent, event_sentences
from engine.core.language import _


class _Event(GameEvent, frozen=True):
    """Common to all events."""

    shapes = {
        "seat": "seat",
        "start": "seat",
        "favourites": "favourites",
        "square": "square",
        "parts": "parts",
        "score": "points",
    }
    fields = {"parts": ("points",)}


class GameBegan(
    _Event,
    frozen=True,
    says={
        "game-began": _("The cave is filled. {start} goes first. Favourite treasures: {favourites}."),
        "game-began-start-you": _("The cave is filled. You go first. Favourite treasures: {favourites}."),
    },
):
    """The cave is filled, and favourites and the first player are drawn (C7, C8)."""

    start: Seat
    favourites: list[str]


class RollRevealed(
    _Event,
    frozen=True,
    says={
        "rolled": _("{seat} rolls a {roll}."),
        "rolled-you": _("You roll a {roll}."),
        "rolled-again": _("{seat} may move again and rolls a {roll}."),
        "rolled-again-you": _("You may move again and roll a {roll}."),
    },
):
    """The die shows what nobody could know: a turn begins (C13), or goes on (`again`) for a monkey (C37)."""

    turn: int
    seat: Seat
    roll: int
    again: bool

    @property
    def code(self) -> str:
        return "rolled-again" if self.again else "rolled"


class AladdinMoved(
    _Event,
    frozen=True,
    omit_defaults=True,
    says={
        "moved": _("{seat} moves Aladdin from {origin} to {to}."),
        "moved-you": _("You move Aladdin from {origin} to {to}."),
        "flew": _("{seat} flies with Aladdin from {origin} to {to}."),
        "flew-you": _("You fly with Aladdin from {origin} to {to}."),
        "moved-unasked": _("{seat} moves Aladdin from {origin} to {to}, the only way."),
        "moved-unasked-you": _("You move Aladdin from {origin} to {to}, the only way."),
        "flew-unasked": _("{seat} flies Aladdin from {origin} to {to}, the only choice."),
        "flew-unasked-you": _("You fly Aladdin from {origin} to {to}, the only choice."),
    },
):
    """Aladdin goes to another space: walking by the die, or flying on the carpet.

    `unasked`: it was the only space he could go to, so nobody was asked.
    """

    seat: Seat
    origin: str
    to: str
    flew: bool
    unasked: bool = False

    @property
    def code(self) -> str:
        return f"{'flew' if self.flew else 'moved'}{'-unasked' if self.unasked else ''}"


class TokenRevealed(_Event, frozen=True, says={"turned-over": _("{space} is turned over: {token}.")}):
    """The token where Aladdin stands is turned over (C23)."""

    space: str
    token: Token

    def param(self, name: str) -> Param:
        return self.token.param if name == "token" else super().param(name)


class GenieTaken(
    _Event,
    frozen=True,
    says={"genie-taken": _("{seat} has found a genie."), "genie-taken-you": _("You have found a genie.")},
):
    """A seat holds the genie from where Aladdin stands, and is to place it (C33)."""

    seat: Seat
    space: str
    token: Token


class TokenPlaced(
    _Event,
    frozen=True,
    says={
        "placed": _("{seat} takes {token}: {parts}. {seat} has {score}."),
        "placed-you": _("You take {token}: {parts}. You have {score}."),
        "genie-placed": _("{seat} puts the genie on {square}: {parts}. {seat} has {score}."),
        "genie-placed-you": _("You put the genie on {square}: {parts}. You have {score}."),
    },
):
    """A seat's token lies on its board and has brought its points; `score` is where the marker is now (C23, C36)."""

    seat: Seat
    token: Token
    square: str
    points: dict[str, int]
    score: int

    @property
    def code(self) -> str:
        return "genie-placed" if self.token.character == "genie" else "placed"

    def param(self, name: str) -> Param:
        return self.token.param if name == "token" else super().param(name)


class CarpetLapsed(
    _Event,
    frozen=True,
    says={
        "carpet-lapsed": _("The carpet can't fly anywhere. {seat} ends the turn."),
        "carpet-lapsed-you": _("The carpet can't fly anywhere. You end the turn."),
    },
):
    """There is nothing the carpet could fly to (C39)."""

    seat: Seat


class LastRoundCalled(
    _Event,
    frozen=True,
    says={
        "last-round-fifty": _("{seat} has reached 50 points. The round is played to its end."),
        "last-round-fifty-you": _("You have reached 50 points. The round is played to its end."),
        "last-round-full": _("{seat} has filled a whole board. The round is played to its end."),
        "last-round-full-you": _("You have filled a whole board. The round is played to its end."),
    },
):
    """A seat has brought the end about, and the round is played to its end (C46). `cause`: "fifty" or "full"."""

    seat: Seat
    cause: str

    @property
    def code(self) -> str:
        return f"last-round-{self.cause}"


class Stuck(
    _Event,
    frozen=True,
    says={
        "stuck": _("{seat} can't move: no direction from {space} has treasure."),
        "stuck-you": _("You can't move: no direction from {space} has treasure."),
    },
):
    """No direction holds a token: the game cannot go on (C20, C21)."""

    seat: Seat
    space: str


class SeatResigned(
    _Event, frozen=True, says={"resigned": _("{seat} has resigned."), "resigned-you": _("You have resigned.")}
):
    """A seat has resigned."""

    seat: Seat


class GameEnded(_Event, frozen=True, says={"game-ended": _("The game is over. Points: {totals}.")}):
    """The game is over. `scores` are points by seat."""

    ending: Ending
    winners: list[Seat]
    ranking: list[Seat]
    scores: list[int]

    def param(self, name: str) -> Param:
        return {name: [[seat, self.scores[seat]] for seat in self.ranking]}


Event: TypeAlias = (
    GameBegan | RollRevealed | AladdinMoved | TokenRevealed | GenieTaken | TokenPlaced | CarpetLapsed | LastRoundCalled
    | Stuck | SeatResigned | GameEnded
)  # fmt: skip

EVENT_SENTENCES = event_sentences(get_args(Event))[0]
