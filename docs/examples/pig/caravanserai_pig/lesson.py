"""A beginner's first two turns, and a puzzle."""

from collections.abc import Callable, Mapping, Sequence

from caravanserai_pig.model import Event, Hold, State, TurnRevealed, View
from caravanserai_pig.questions import HABIT
from engine.core import Answer, Seat, Text
from engine.core.lessons import LessonPage, OpenSteps, PuzzleAnswer
from engine.core.rng import Rng

DICE = f"{273:064x}"  # the seed whose dice fall as the puzzle says: 4, 5, 1
SUMS = (5, 10, 15)


class PigLesson:
    """See `engine.core.lessons.Lesson`."""

    about = Text("lesson")
    options: Mapping[str, str] = {"goal": "50"}
    seed = "00" * 32
    opening: Mapping[str, Answer] = {}
    steps = 3
    after = Text("lesson")
    ask = Text("lesson-puzzle")

    def __init__(self, play: Callable[[State, Seat, Hold], list[Event]], view: Callable[[State, Seat | None], View]):
        self._play, self._view = play, view

    def span(self, view: View, answered: Sequence[str]) -> OpenSteps:
        """A step for each of the first two answers."""
        step = self.steps if view.outcome else min(len(answered) + 1, self.steps)
        return OpenSteps(step, step)

    def page(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        """What the dice have brought, and what to try."""
        own = [event for event in seen if isinstance(event, TurnRevealed) and event.seat == view.seat]
        told = [Text("lesson-gained" if event.gain else "lesson-lost", {"gain": event.gain}) for event in own[-1:]]
        return LessonPage(Text("title"), told, [Text("lesson-roll")], [str(HABIT)])

    def is_held(self, view: View) -> bool:
        """There are no phase boundaries."""
        return False

    def _position(self) -> State:
        return State(1, 50, 0, 1, [40, 45], Rng(DICE))

    def puzzle(self) -> tuple[View, list[tuple[str, Text]]]:
        """One turn whose dice are known."""
        return self._view(self._position(), 0), [(str(at), Text("hold-at", {"at": at})) for at in SUMS]

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays all choices; right is what brings most."""
        scores: dict[str, int] = {}
        for at in map(str, SUMS):
            state = self._position()
            self._play(state, 0, Hold(int(at)))
            scores[at] = state.scores[0] - 40
        told = Text("lesson-gained" if scores[choice] else "lesson-lost", {"gain": scores[choice]})
        return PuzzleAnswer(scores[choice] == max(scores.values()), [told])
