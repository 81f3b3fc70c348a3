"""The first turns of a game of two, in steps: three of the beginner's and two of the other, and a puzzle."""

from collections.abc import Mapping, Sequence

from engine.cave_of_wonders.board.events import Event
from engine.cave_of_wonders.board.model import TurnOver, View
from engine.cave_of_wonders.gains import gains_at
from engine.cave_of_wonders.lesson import puzzle, told
from engine.cave_of_wonders.questions import open_gains, open_landings
from engine.core import Answer, Text
from engine.core.lessons import LessonPage, OpenSteps, PuzzleAnswer

# By turn of the game: the step at which it is played (of the other's: none), and the one at which it is explained.
STEPS = {1: (1, 2), 2: (3, 3), 3: (4, 5), 4: (6, 6), 5: (7, 8)}
EXTRAS = {"carpet": Text("lesson-carpet"), "genie": Text("lesson-genie")}  # by kind of decision
FIRST_MOVE, SECOND_MOVE, LAST_TOLD = 1, 4, 8


class CaveLesson:
    """See `engine.core.lessons.Lesson`."""

    about = Text("lesson-about")
    options: Mapping[str, str] = {}
    seed = f"{0x2C:064x}"  # the beginner begins, and finds a carpet in his second turn
    opening: Mapping[str, Answer] = {}
    steps = 9
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
            text = [Text("lesson-from-there", {"space": view.aladdin})]
            return LessonPage(Text("lesson-title-others"), told.other_turn(turn), text, [view.aladdin])
        score = {"totals": {"totals": [list(pair) for pair in enumerate(view.scores)]}}
        after = Text("lesson-score", score) if step == LAST_TOLD else Text("lesson-stands", {"space": view.aladdin})
        brought = [*told.own_turn(turn), *told.better(view, turn)]
        return LessonPage(Text("lesson-title-brought"), brought, [after], [view.aladdin])

    def _move(self, step: int, view: View) -> LessonPage:
        if view.seat is None or not view.questions:
            return LessonPage(Text("lesson-title-others"), [], [])
        kind = view.questions[0].decision.kind
        if kind in EXTRAS:
            gains = open_gains(view)
            best = [place for place, gain in gains.items() if gain == max(gains.values())]
            return LessonPage(Text("lesson-title-move"), [], [EXTRAS[kind]], best)
        reach = open_landings(view)
        gains = gains_at(view, view.seat, [space for space in reach if _lies_open(view, space)])
        most = max(gains.values(), default=0)
        first = [Text("lesson-aim")] if step == FIRST_MOVE else []
        kinds = {"kinds": {"kinds": view.favourites[view.seat]}}
        later = Text("lesson-plan" if step == SECOND_MOVE else "lesson-characters")
        more = Text("lesson-favourite", kinds) if step == FIRST_MOVE else later
        text = [*first, more, Text("lesson-move", {"roll": getattr(view.frame, "roll", 0)})]
        if most > 0:
            text.append(Text("lesson-most", {"most": {"points": most}}))
        return LessonPage(Text("lesson-title-move"), [], text, list(reach))

    def puzzle(self) -> tuple[View, list[tuple[str, Text]]]:
        """A roll of 2, and where it leads."""
        return puzzle.seen(), puzzle.choices()

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays the move."""
        return puzzle.solve(choice)


def _lies_open(view: View, space: str) -> bool:
    found = view.spaces[space]
    return found is not None and found.face_up
