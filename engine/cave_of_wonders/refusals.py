"""Why an answer is refused, where it can be said more exactly than that it is not among the options."""

from engine.cave_of_wonders.actions import Action, Fly, MoveAladdin, PlaceGenie
from engine.cave_of_wonders.board.facts import SQUARES
from engine.cave_of_wonders.board.model import Flying, Moving, PlacingGenie, View
from engine.cave_of_wonders.gains import seen_at
from engine.cave_of_wonders.questions import open_landings
from engine.core import IllegalAction


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
