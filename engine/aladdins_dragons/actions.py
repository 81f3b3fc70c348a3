"""A seat's actions. In JSON each is {"type": ..., field: value}, the names of its form in `questions`."""

from collections.abc import Mapping
from typing import TypeAlias, cast, get_args

import msgspec

from engine.core import Answer, JsonObject, Seat

Amounts: TypeAlias = dict[str, int]
"""Value by kind of treasure; kinds without any are left out."""

Targets: TypeAlias = dict[str, str | int | Amounts]
"""The aims of a card, by the names of the fields of its form."""


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
    """Passes a placement at the deadline; no player may ask for it (A21)."""


class StartOver(_Action, frozen=True, tag="start_over"):
    """Takes back what has been chosen of a wave that is not laid out yet."""


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
    """Buys the artifact of a room: for each own token there, the kind of treasure that pays it (A69).

    Several tokens of one value, which only carpets and doubles make, are told apart by a second number (A71). Two
    uses and one borrowed one make at most three such tokens beside the original.
    """

    pay_1: str = ""
    pay_2: str = ""
    pay_4: str = ""
    pay_5: str = ""
    pay_6: str = ""
    pay_7: str = ""
    pay_8: str = ""
    pay_9: str = ""
    pay_3: str = ""
    pay_1_2: str = ""
    pay_1_3: str = ""
    pay_1_4: str = ""
    pay_2_2: str = ""
    pay_2_3: str = ""
    pay_2_4: str = ""
    pay_3_2: str = ""
    pay_3_3: str = ""
    pay_4_2: str = ""
    pay_4_3: str = ""
    pay_4_4: str = ""
    pay_5_2: str = ""
    pay_5_3: str = ""
    pay_5_4: str = ""
    pay_6_2: str = ""
    pay_6_3: str = ""
    pay_6_4: str = ""
    pay_7_2: str = ""
    pay_7_3: str = ""
    pay_7_4: str = ""
    pay_8_2: str = ""
    pay_8_3: str = ""
    pay_8_4: str = ""
    pay_9_2: str = ""
    pay_9_3: str = ""
    pay_9_4: str = ""

    def payment(self) -> Amounts:
        """Value paid by kind."""
        kinds = ((getattr(self, name), int(name.split("_")[1])) for name in self.__struct_fields__)
        return {kind: value for kind, value in kinds if kind}


class Decline(_Action, frozen=True, tag="decline"):
    """Does not buy (A70)."""


class Pass(_Action, frozen=True, tag="pass"):
    """Declares nothing in this pass of a window (A76)."""


class KeepSpell(_Action, frozen=True, tag="keep_spell"):
    """Which of the two cards drawn at the tent stays (A53)."""

    card: str


class PlayCard(msgspec.Struct, frozen=True):
    """Declares an artifact or a spell: {"type": "play_" and its name, target: value}.

    A card that can be aimed in different ways has forms "play_<card>__<variant>"; the variant is then a target.
    """

    card: str
    targets: Targets = {}


class Reply(msgspec.Struct, frozen=True):
    """An answer to what a card asks: {"type": "answer_" and the name of the form, field: value}."""

    form: str
    values: Targets = {}


_Tagged: TypeAlias = (
    TakeTreasures | Place | StartOver | Exchange | Keep | GiveCamel | LeaveCamel | Bribe | StayOut | Buy | Decline
    | Pass | KeepSpell
)  # fmt: skip

PlayerAction: TypeAlias = _Tagged | PlayCard | Reply
"""The actions that `parse` accepts."""

Action: TypeAlias = PlayerAction | Forfeit

_BY_TYPE: Mapping[str, type[_Action]] = {str(action.__struct_config__.tag): action for action in get_args(_Tagged)}

VARIANT = "variant"
_PLAY, _ANSWER, _VARIANT_MARK = "play_", "answer_", "__"


def to_action(answer: Answer) -> PlayerAction:
    """The action of an answer in plain data. Raises msgspec.ValidationError, with the path."""
    kind = answer.get("type")
    if not isinstance(kind, str) or not kind.startswith((_PLAY, _ANSWER)):
        # By its own class: what a union is made of would be worked out anew for every action.
        return cast(_Tagged, msgspec.convert(answer, _BY_TYPE.get(str(kind), _Tagged)))
    values = msgspec.convert({name: value for name, value in answer.items() if name != "type"}, Targets)
    if kind.startswith(_ANSWER):
        return Reply(kind.removeprefix(_ANSWER), values)
    card, _, variant = kind.removeprefix(_PLAY).partition(_VARIANT_MARK)
    return PlayCard(card, {**values, VARIANT: variant} if variant else values)


def to_answer(action: Action) -> JsonObject:
    """The action in plain data, as its form has it: the way back from `to_action`."""
    match action:
        case PlayCard(card, targets):
            rest = {name: value for name, value in targets.items() if name != VARIANT}
            return {"type": play_type(card, str(targets.get(VARIANT, ""))), **rest}
        case Reply(form, values):
            return {"type": answer_type(form), **values}
    answer: JsonObject = msgspec.to_builtins(action)
    return answer


def play_type(card: str, variant: str = "") -> str:
    """The type of the form that declares a card."""
    return f"{_PLAY}{card}{_VARIANT_MARK}{variant}" if variant else f"{_PLAY}{card}"


def answer_type(form: str) -> str:
    """The type of a form that answers a card."""
    return f"{_ANSWER}{form}"
