"""What a seat may answer. In JSON each is {"type": ..., field: value}, the names of its form in `questions`."""

from typing import TypeAlias

import msgspec

from engine.core import Answer


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
