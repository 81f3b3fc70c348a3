"""What is asked, and every way to answer."""

from caravanserai_pig.model import State, View
from engine.core import ActionForm, Choice, Decision, Option, Question, Text
from engine.core.games import branch_mark

LEAST, STEP, MOST = 5, 5, 30
HABIT = 20
"""Where most people hold: below it one more roll brings more, on average, than it may lose."""


def decisions(state: State) -> list[Decision]:
    """The game waits on one seat at a time."""
    if state.outcome is not None:
        return []
    return [Decision(f"{branch_mark(state.branch)}t{state.turn}", state.active, "roll")]


def hold_form(goal: int) -> ActionForm:
    """The sums at which one may hold; the last one is to roll on until the game is won."""
    sums = [*range(LEAST, MOST + 1, STEP), goal]
    options = [Option(at, Text("hold-at" if at < goal else "hold-goal", {"at": at})) for at in sums]
    return ActionForm("hold", Text("do-hold"), [Choice("at", Text("field-at"), options)])


def question(view: View, decision: Decision) -> Question:
    """The decision as its own seat sees it."""
    missing = view.goal - view.scores[decision.seat]
    title = Text("ask-roll", {"score": view.scores[decision.seat], "missing": missing})
    return Question(decision, title, [hold_form(view.goal)], Text("default-roll", {"at": HABIT}), Text("hint-roll"))
