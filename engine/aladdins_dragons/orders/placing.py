"""Placing tokens in advance: the answers, their rows in a sheet, and the view once a token is placed."""

from msgspec.structs import replace

from engine.aladdins_dragons.board.facts import PIECES
from engine.aladdins_dragons.board.model import Placing
from engine.aladdins_dragons.board.view_model import SeenToken, View
from engine.aladdins_dragons.orders.cards import start_row
from engine.aladdins_dragons.orders.fields import LEAST, MOST, numbers, row, space_options
from engine.core import ActionForm, Answer, Choice, Option, Question, Row, Text
from engine.orders.model import Entry
from engine.orders.rows import mark


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


def placing_rows(view: View, after: int = 0) -> list[Row]:
    """A row for each token, in the order in which they are placed, and what holds for all of them.

    Arguments:
        after: how many tokens are placed before these.
    """
    spaces = space_options(view.spaces)
    tokens = [Option(value, Text("token", {"value": value})) for value in view.hand or PIECES.tokens]
    found = [_placement(number, tokens, spaces, view) for number in range(1, len(tokens) + 1 - after)]
    if not found:
        return []
    watch = [Choice("watched", Text("field-value"), numbers(1, 4)), Choice("watch", Text("field-space"), spaces)]
    found.append(row("watch", watch, {}, "placing"))
    if view.has_magic:
        steady = Choice("steady", Text("field-steady"), [Option("yes", Text("steady-yes"))])
        found.append(row("steady", [steady], {}, "placing", means={"steady": {"yes": True}}))
        found += [] if after else [start_row(view)]
    return found


def _placement(number: int, tokens: list[Option], spaces: list[Option], view: View) -> Row:
    token, space, unless = f"token-{number}", f"space-{number}", f"unless-{number}"
    crowd = [Option(count, Text("unless-others", {"count": count})) for count in (1, 2, 3)]
    answer = {"type": "place", "token": mark(token), "space": mark(space)}
    few = {"type": "others", "space": mark(space), "is": MOST, "value": mark(unless)}
    stop = {"type": "others", "space": mark("watch"), "is": LEAST, "value": mark("watched")}
    order = {"kind": "place", "answers": [answer], "conditions": [few], "stops": [stop]}
    return row(
        f"place-{number}",
        [
            Choice(token, Text("field-token"), tokens),
            Choice(space, Text("field-space"), spaces),
            Choice(unless, Text("field-unless"), crowd),
        ],
        {**order, "even_so": mark("steady")} if view.has_magic else order,
        "placing",
        optional=[unless],
        means={unless: {count: count - 1 for count in (1, 2, 3)}},
    )
