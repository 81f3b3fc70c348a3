"""Placing tokens in advance: the answers, and the view once a token is placed."""

from msgspec.structs import replace

from engine.aladdins_dragons.board.facts import PIECES
from engine.aladdins_dragons.board.model import Placing
from engine.aladdins_dragons.board.view_model import SeenToken, View
from engine.aladdins_dragons.orders.fields import space_options
from engine.core import ActionForm, Answer, Choice, Option, Question, Text
from engine.orders.model import Entry


def with_token(view: View, value: int, space: str) -> View:
    """The view once its seat has placed that token from its hand."""
    seat = view.seat
    assert seat is not None
    assert view.hand is not None
    spaces = {**view.spaces, space: [*view.spaces[space], SeenToken(seat, value)]}
    hand = [token for token in view.hand if token != value]
    counts, turns = list(view.hand_counts), list(view.turns)
    counts[seat] -= 1
    turns[seat] += 1
    return replace(view, hand=hand, hand_counts=counts, turns=turns, spaces=spaces)


def placement_forms(view: View) -> list[ActionForm]:
    """A certain token, or the lowest or highest one left."""
    is_placing = any(isinstance(frame, Placing) for frame in view.agenda)
    values = (view.hand if is_placing else None) or PIECES.tokens  # with none left the next round is meant
    tokens = [Option(value, Text("token", {"value": value})) for value in values]
    space = Choice("space", Text("field-space"), space_options(view.spaces))
    exact = ActionForm("place", Text("do-place"), [Choice("token", Text("field-token"), tokens), space])
    return [
        exact,
        ActionForm("place_low", Text("wish-place-low"), [space]),
        ActionForm("place_high", Text("wish-place-high"), [space]),
    ]


def place_low(view: View, question: Question, entry: Entry) -> Answer | None:
    """The lowest token."""
    return {"type": "place", "token": min(view.hand or [0]), "space": entry["space"]}


def place_high(view: View, question: Question, entry: Entry) -> Answer | None:
    """The highest token."""
    return {"type": "place", "token": max(view.hand or [0]), "space": entry["space"]}
