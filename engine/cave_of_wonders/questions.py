"""The questions, and every way to answer: made from the view, so it cannot tell what lies face down."""

from collections.abc import Mapping

from engine.cave_of_wonders.facts import KINDS, SPACES, SQUARES, token_param
from engine.cave_of_wonders.model import (
    Action,
    Fly,
    Flying,
    MoveAladdin,
    Moving,
    PlaceGenie,
    PlacingGenie,
    State,
    TurnOver,
    View,
)
from engine.cave_of_wonders.scoring import best_space, best_square, gains_at, gains_on, landings, seen_at, targets
from engine.core import ActionForm, Choice, Decision, IllegalAction, JsonObject, Option, Question, Text
from engine.core.games import branch_mark

KIND_OF_DECISION = {Moving: "move", PlacingGenie: "genie", Flying: "carpet"}


def decisions(state: State) -> list[Decision]:
    """Returns what the game waits on: never more than one decision, never a sealed one (C49)."""
    if state.frame is None or isinstance(state.frame, TurnOver):
        return []
    kind = KIND_OF_DECISION[type(state.frame)]
    count = state.taken if isinstance(state.frame, PlacingGenie) else state.taken + 1
    return [Decision(f"{branch_mark(state.branch)}t{state.turn}-{kind}-{count}", state.active, kind)]


def open_landings(view: View) -> dict[str, str]:
    """The legal landings of the roll that is on the table, each with its direction; none if no roll is."""
    if not isinstance(view.frame, Moving):
        return {}
    return landings(view.spaces, view.aladdin, view.frame.roll, full_distance=view.full_distance)


def open_targets(view: View) -> list[str]:
    """Where the carpet that has been taken may fly; nowhere if none has."""
    return targets(view.spaces) if isinstance(view.frame, Flying) else []


def open_gains(view: View) -> dict[str, int]:
    """Every landing, target or square that can be chosen now, with the points it is sure to bring at once."""
    seat = view.active
    match view.frame:
        case Moving():
            return gains_at(view, seat, open_landings(view))
        case Flying():
            return gains_at(view, seat, open_targets(view))
        case PlacingGenie():
            assert view.held is not None
            return gains_on(view, seat, view.held)
    raise AssertionError(view.frame)


def default(view: View) -> Action:
    """Returns what silence does (C50). The view must be one of a game that waits for an answer."""
    return _best(view, open_gains(view))


def _best(view: View, gains: Mapping[str, int]) -> Action:
    match view.frame:
        case Moving():
            return MoveAladdin(best_space(gains))
        case Flying():
            return Fly(best_space(gains))
        case _:
            return PlaceGenie(best_square(view, view.active, gains))


def question(view: View, decision: Decision) -> Question:
    """The decision as its own seat sees it."""
    gains = open_gains(view)
    match view.frame:
        case Moving(roll):
            title, hint = Text("ask-move", {"roll": roll}), Text("hint-move", {"roll": roll})
            form = _move_form(view, gains)
        case Flying():
            title, hint, form = Text("ask-carpet"), Text("hint-carpet"), _fly_form(view, gains)
        case _:
            title, hint, form = Text("ask-genie"), Text("hint-genie"), _genie_form(view, gains)
    return Question(decision, title, [form], _default_text(_best(view, gains)), hint)


def _default_text(action: Action) -> Text:
    match action:
        case MoveAladdin(to):
            return Text("default-move", {"to": to})
        case Fly(to):
            return Text("default-fly", {"to": to})
        case PlaceGenie(square):
            return Text("default-genie", {"square": {"square": square}})


def _move_form(view: View, gains: Mapping[str, int]) -> ActionForm:
    """One option for each landing, in the order of the directions."""
    options = [
        Option(
            space,
            Text("landing", {"space": space, "direction": {"direction": direction}, "token": _token(view, space)}),
            _gain_hint(view, space, gains[space]),
        )
        for space, direction in open_landings(view).items()
    ]
    return ActionForm("move", Text("do-move"), [Choice("to", Text("field-to"), options)], button=Text("button-go"))


def _fly_form(view: View, gains: Mapping[str, int]) -> ActionForm:
    """One option for each target, those of a kind together."""
    order = sorted(gains, key=lambda space: (KINDS.index(seen_at(view, space).kind), SPACES.index(space)))
    options = [
        Option(
            space,
            Text("target", {"space": space, "token": _token(view, space)}),
            _gain_hint(view, space, gains[space]),
            group=Text("kind-plural", {"kinds": {"kinds": seen_at(view, space).kind}}),
        )
        for space in order
    ]
    return ActionForm("fly", Text("do-fly"), [Choice("to", Text("field-to"), options)], button=Text("button-go"))


def _genie_form(view: View, gains: Mapping[str, int]) -> ActionForm:
    """One option for each square, row by row."""
    options = [
        Option(
            square,
            Text("square", {"square": {"square": square}}),
            _square_hint(view, square, gains[square]),
            group=Text("kind-plural", {"kinds": {"kinds": square.partition("-")[0]}}),
        )
        for square in SQUARES
    ]
    return ActionForm("place_genie", Text("do-genie"), [Choice("square", Text("field-square"), options)])


def _token(view: View, space: str) -> JsonObject:
    token = seen_at(view, space)
    return token_param(token.kind, token.number, token.character if token.face_up else "hidden")


def _gain_hint(view: View, space: str, gain: int) -> Text | None:
    """Returns what it is sure to bring; of a face-down token nobody knows."""
    return Text("hint-gain", {"gain": {"gain": gain}}) if seen_at(view, space).face_up else None


def _square_hint(view: View, square: str, gain: int) -> Text:
    lying = len(view.boards[view.active][square])
    if gain:
        return Text("hint-gain", {"gain": {"gain": gain}})
    return Text("hint-stack", {"count": lying}) if lying else Text("hint-empty")


# Why an answer is refused, where it can be said more exactly than that it is not among the options.


def explain(view: View, action: Action) -> None:
    """Raises IllegalAction with the exact reason, if the action is of the right type and there is one."""
    match view.frame, action:
        case Moving(roll), MoveAladdin(to):
            _explain_space(view, to)
            possible = open_landings(view)
            if to not in possible:
                raise IllegalAction("no-landing", space=to, roll=roll, spaces={"spaces": list(possible)})
        case Flying(), Fly(to):
            _explain_space(view, to)
            if seen_at(view, to).is_open_character:
                raise IllegalAction("visible-character", space=to)
        case PlacingGenie(), PlaceGenie(square):
            if square not in SQUARES:
                raise IllegalAction("no-such-square", square=square)


def _explain_space(view: View, space: str) -> None:
    if space not in view.spaces:
        raise IllegalAction("no-such-space", space=space)
    if view.spaces[space] is None:
        raise IllegalAction("no-treasure", space=space)
