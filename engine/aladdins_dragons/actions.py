"""What a seat may answer. In JSON each is {"type": ..., field: value}, the names of its form in `questions`."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from engine.aladdins_dragons.facts import PIECES
from engine.core import Seat

Amounts: TypeAlias = dict[str, int]
"""Value by kind of treasure; kinds without any are left out."""


class _Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Common to all actions: closed to fields it does not know."""


class TakeTreasures(_Action, frozen=True, tag="take_treasures"):
    """The treasures a seat begins with (A5, A6)."""

    amounts: Amounts


class Place(_Action, frozen=True, tag="place"):
    """Puts the token of that value face down in a space (A20)."""

    token: int
    space: str


class Forfeit(_Action, frozen=True, tag="forfeit"):
    """What the deadline does to a placement; no player may ask for it (A21)."""


class Exchange(_Action, frozen=True, tag="exchange"):
    """One treasure for three at the market (A58)."""

    give: str
    take: Amounts


class Keep(_Action, frozen=True, tag="keep"):
    """No exchange at the market (A58)."""


class GiveCamel(_Action, frozen=True, tag="give_camel"):
    """The camel goes to that seat, at once (A59, A60)."""

    seat: Seat


class LeaveCamel(_Action, frozen=True, tag="leave_camel"):
    """The camel stays where it is (A59)."""


class Bribe(_Action, frozen=True, tag="bribe"):
    """Pays the guard what the tokens lack (A62)."""

    pay: Amounts


class StayOut(_Action, frozen=True, tag="stay_out"):
    """Does not enter the palace (A63)."""


class Buy(_Action, frozen=True, tag="buy"):
    """Buys the artifact of a room: for each own token there, the kind of treasure that pays it (A69)."""

    pay_1: str = ""
    pay_2: str = ""
    pay_4: str = ""
    pay_5: str = ""
    pay_6: str = ""
    pay_7: str = ""
    pay_8: str = ""
    pay_9: str = ""

    def payment(self) -> Amounts:
        """Value paid by kind."""
        kinds = ((getattr(self, f"pay_{value}"), value) for value in PIECES.tokens)
        return {kind: value for kind, value in kinds if kind}


class Decline(_Action, frozen=True, tag="decline"):
    """Does not buy (A70)."""


PlayerAction: TypeAlias = (
    TakeTreasures | Place | Exchange | Keep | GiveCamel | LeaveCamel | Bribe | StayOut | Buy | Decline
)
"""What `parse` accepts."""

Action: TypeAlias = PlayerAction | Forfeit


def to_action(answer: Mapping[str, Any]) -> PlayerAction:
    """The action of an answer in plain data. Raises msgspec.ValidationError, with the path."""
    action: PlayerAction = msgspec.convert(answer, PlayerAction)
    return action
