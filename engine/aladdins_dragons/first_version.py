"""Version 1 of the rules, by which games go on that began with it.

In it every play suspends the orders of all others, and "And the last will be the first" ranks the weakest first where
a table does not say otherwise (S3). What else has changed since asks for `State.rules_version`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.aladdins_dragons.board.setup import OPTIONS
from engine.aladdins_dragons.orders.vocabulary import DragonsVocabulary
from engine.aladdins_dragons.rules import AladdinsDragons
from engine.core import TableOption

_DEFAULTS = {"last_first": "reverse"}


class FirstAladdinsDragons(AladdinsDragons):
    """The rules of version 1."""

    version = 1
    options: Sequence[TableOption] = tuple(
        replace(option, default=_DEFAULTS.get(option.name, option.default)) for option in OPTIONS
    )


class FirstDragonsVocabulary(DragonsVocabulary):
    """Orders of version 1: no play says what it touches."""

    weighs = frozenset[str]()
