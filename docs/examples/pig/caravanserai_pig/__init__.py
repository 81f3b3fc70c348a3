"""Pig: roll a die as often as you dare; a 1 loses what the turn has brought. Whoever reaches 100 first wins."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

import msgspec

from engine.base import Action, BaseEvent, BaseRules, BaseState, BaseView, GameWords, Shown
from engine.core import Answer, Question, Seat, TableOption, Text
from engine.core.language import _
from engine.core.rng import Rng
from engine.kits import BoardPart, track

DIE, LOSES = 6, 1
SUMS = (20, 5, 10, 15, 25, 30)
"""Sums at which one may hold; most people hold at 20, where another roll may lose more than it brings."""


class Hold(Action, frozen=True, tag="hold"):
    """Rolls until the turn has brought at least `at` points."""

    at: int


class Lanes(msgspec.Struct):
    """All there is: the points by seat."""

    points: list[int]


class TurnRevealed(
    BaseEvent,
    frozen=True,
    says={
        "gained": _("{seat} rolls {dice} and gains {gain}: {score}."),
        "gained-you": _("You roll {dice} and gain {gain}: {score}."),
        "lost": _("{seat} rolls {dice} and gains nothing: {score}."),
        "lost-you": _("You roll {dice} and gain nothing: {score}."),
    },
):
    """A turn with all its dice, and what it has brought."""

    seat: Seat
    dice: str
    gain: int
    score: int
    scores: list[int]

    @property
    def code(self) -> str:
        """One sentence for a turn that brings points, another for a turn that brings none."""
        return "gained" if self.gain else "lost"


State: TypeAlias = BaseState[Lanes, None, None]
View: TypeAlias = BaseView[Lanes, None]


class Pig(BaseRules[Lanes, None, None, Hold]):
    """The rule set; it holds no game itself."""

    name = "pig"
    seat_counts = (2, 3, 4)
    options = (
        TableOption("goal", Text("option-goal"), [(goal, Text(f"goal-{goal}")) for goal in ("100", "50")], "100"),
    )
    events = (TurnRevealed,)
    sentences = {
        "title": _("Pig"),
        "about": _("Roll as often as you dare: each roll adds to your turn, but a 1 loses it all."),
        "option-goal": _("Goal"),
        "goal-100": _("100 points"),
        "goal-50": _("50 points"),
        "ask": _("At how many points do you hold? {missing} are missing to win."),
        "hint-move": _("A 1 ends your turn and loses what it has brought."),
        "do-hold": _("Roll until your turn has brought"),
        "field-at": _("Points"),
        "at-option": _("{value} points"),
        "why": _("Below 20 another roll brings more than it may lose."),
        "words-hold": _("hold, hold at"),
    }

    def lay_out(self, seats: int, options: Mapping[str, str], rng: Rng) -> Lanes:
        """Nobody has any points."""
        return Lanes([0] * seats)

    def moves(self, state: State, seat: Seat) -> list[Hold]:
        """The sums, the usual one first: it is what silence says."""
        return [Hold(at) for at in SUMS]

    def act(self, state: State, seat: Seat, action: Hold) -> Iterator[BaseEvent]:
        """Rolls until the sum is reached, the game is won, or a 1 falls."""
        dice: list[int] = []
        while sum(dice) < min(action.at, self.missing(state, seat)) and LOSES not in dice:
            dice.append(state.rng.below(DIE) + 1)
        gain = 0 if LOSES in dice else sum(dice)
        state.table.points[seat] += gain
        points = state.table.points
        yield TurnRevealed(seat, ", ".join(map(str, dice)), gain, points[seat], [*points])

    def is_over(self, state: State) -> bool:
        """Somebody has reached the goal."""
        return any(self.missing(state, seat) <= 0 for seat in range(state.seats))

    def scores(self, shown: Shown[Lanes, None, None]) -> list[int]:
        """The points."""
        return shown.table.points

    def missing(self, shown: Shown[Lanes, None, None], seat: Seat) -> int:
        """The points up to the goal."""
        return int(shown.options["goal"]) - shown.table.points[seat]

    def ask(self, state: State, seat: Seat, kind: str) -> Text:
        """Where one holds depends on what is missing."""
        return Text("ask", {"missing": self.missing(state, seat)})

    def choose(self, view: View, question: Question, random: Random) -> Hold:
        """The habit; with less than that to go it wins."""
        return Hold(SUMS[0])

    def why(self, view: View, answer: Answer) -> Text:
        """Below the habit a roll brings more than it may lose."""
        return Text("why")

    def draw_board(self, view: View, words: GameWords) -> BoardPart:
        """A lane for each player, as long as the way to the goal."""
        return track(int(view.options["goal"]), view.table.points)


GAMES = (Pig(),)
"""Each version of the rule set, as the entry point offers them."""
