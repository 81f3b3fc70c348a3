"""The first turns of a game of two, in steps: three of the beginner's and two of the other, and a puzzle."""

from collections.abc import Mapping, Sequence

from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.board.facts import SQUARES
from engine.cave_of_wonders.board.model import PlacingGenie, TurnOver, View
from engine.cave_of_wonders.gains import gains_at
from engine.cave_of_wonders.lesson import puzzle, told
from engine.cave_of_wonders.questions import open_gains, open_landings
from engine.core import Answer, Text
from engine.core.lessons import LessonPage, OpenSteps, PuzzleAnswer

# By turn of the game: the step at which it is played (of the other's: none), and the one at which it is explained.
STEPS = {1: (1, 2), 2: (3, 3), 3: (4, 5), 4: (6, 6), 5: (7, 8)}
EXTRAS = {"carpet": Text("lesson-carpet"), "genie": Text("lesson-genie")}  # by kind of decision
FIRST_MOVE, FIRST_TOLD, FIRST_OTHER, SECOND_MOVE, LAST_TOLD = 1, 2, 3, 4, 8


class CaveLesson:
    """See `engine.core.lessons.Lesson`."""

    about = Text("lesson-about")
    options: Mapping[str, str] = {}
    seed = f"{0x2C:064x}"  # the beginner begins, and finds a carpet in his second turn
    opening: Mapping[str, Answer] = {}
    steps = 9
    after = Text("lesson-after")
    ask = Text("lesson-puzzle")

    def span(self, view: View, answered: Sequence[str]) -> OpenSteps:
        """Nothing happens that is not read before it goes on."""
        if view.outcome is not None or view.turn not in STEPS:
            return OpenSteps(self.steps, self.steps)
        step = STEPS[view.turn][isinstance(view.frame, TurnOver)]
        return OpenSteps(step, step)

    def is_held(self, view: View) -> bool:
        """At the end of each of these turns."""
        return view.turn in STEPS and isinstance(view.frame, TurnOver)

    def page(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        """A move of the beginner, or what has come of one."""
        assert view.seat is not None
        if not self.is_held(view):
            return self._move(step, view)
        turn = told.last_turn(seen, view.active)
        if view.active != view.seat:
            text = [Text("lesson-from-there", {"space": view.aladdin})] if step == FIRST_OTHER else []
            return LessonPage(Text("lesson-title-others"), told.other_turn(turn), text, [view.aladdin])
        score = {"totals": {"totals": [list(pair) for pair in enumerate(view.scores)]}}
        after = {FIRST_TOLD: Text("lesson-stands", {"space": view.aladdin}), LAST_TOLD: Text("lesson-score", score)}
        known = told.parts_before(seen, view.seat, turn)
        brought = [*told.own_turn(turn, known), *told.better(view, turn)]
        return LessonPage(Text("lesson-title-brought"), brought, [after[step]] if step in after else [], [view.aladdin])

    def _move(self, step: int, view: View) -> LessonPage:
        if view.seat is None or not view.questions:
            return LessonPage(Text("lesson-title-others"), [], [])
        kind = view.questions[0].decision.kind
        if kind in EXTRAS:
            return LessonPage(Text("lesson-title-move"), [], [EXTRAS[kind]], _best(view))
        reach = open_landings(view)
        gains = gains_at(view, view.seat, [space for space in reach if _lies_open(view, space)])
        most = max(gains.values(), default=0)
        roll = {"roll": getattr(view.frame, "roll", 0)}
        if step == FIRST_MOVE:
            kinds = {"kinds": {"kinds": view.favourites[view.seat]}}
            text = [Text("lesson-aim"), Text("lesson-favourite", kinds), Text("lesson-move", roll)]
        else:
            later = Text("lesson-plan" if step == SECOND_MOVE else "lesson-characters")
            text = [*([] if view.taken else [later]), Text("lesson-move-on", roll)]
        if most > 0:
            text.append(Text("lesson-most", {"most": {"points": most}}))
        return LessonPage(Text("lesson-title-move"), [], text, list(reach))

    def puzzle(self) -> tuple[View, list[tuple[str, Text]]]:
        """A roll of 2, and where it leads."""
        return puzzle.seen(), puzzle.choices()

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays the move."""
        return puzzle.solve(choice)


def _best(view: View) -> list[str]:
    """The spaces or squares that bring most at once; for a genie that brings nothing at once an empty square."""
    gains = open_gains(view)
    if max(gains.values()) > 0 or not isinstance(view.frame, PlacingGenie):
        return [place for place, gain in gains.items() if gain == max(gains.values())]
    board = view.boards[view.active]
    filled = [square.split("-") for square in SQUARES if board[square]]

    def in_line(square: str) -> int:
        """How many squares of its row and its column are filled."""
        kind, number = square.split("-")
        return sum(other_kind == kind or other_number == number for other_kind, other_number in filled)

    return [max((square for square in gains if not board[square]), key=in_line)]


def _lies_open(view: View, space: str) -> bool:
    found = view.spaces[space]
    return found is not None and found.face_up
