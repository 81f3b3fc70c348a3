"""Standing orders of this game."""

from collections.abc import Callable
from typing import TypeAlias

from engine.cave_of_wonders.facts import CHARACTER_NUMBERS, DIE, KINDS, SPACES, SQUARES
from engine.cave_of_wonders.model import Moving, State, View
from engine.cave_of_wonders.questions import open_landings, open_targets
from engine.cave_of_wonders.scoring import best_space, best_square, gain_at, gains_at, gains_on
from engine.core import ActionForm, Answer, Choice, Decision, Field, Option, Question, Seat, Text
from engine.orders.model import Entry, OrderKind, Vocabulary

# What the Cave of Wonders offers for standing orders; see `engine.orders.model.Vocabulary`.

LEAST, MOST = "at_least", "at_most"
CHARACTERS = tuple(name for name, number in CHARACTER_NUMBERS.items() if number is not None)
NOBODY = "nobody"
HIGHEST = 80  # points


class CaveVocabulary(Vocabulary[State, View]):
    """Methods as in `Vocabulary`. Whatever happens here happens openly, so every fact is known."""

    def kinds(self, view: View) -> list[OrderKind]:
        """Moving, flying and placing a genie."""
        if view.seat is None:
            return []
        kind = Choice(
            "kind",
            Text("field-kind"),
            [Option(kind, Text("kind-plural", {"kinds": {"kinds": kind}})) for kind in KINDS],
        )
        by_kind, best = ActionForm("take_kind", Text("wish-kind"), [kind]), ActionForm("take_best", Text("wish-best"))
        character = ActionForm("take_character", Text("wish-character"), [_character_field()])
        move, fly = ActionForm("move", Text("do-move"), _to()), ActionForm("fly", Text("do-fly"), _to())
        exact = ActionForm("place_genie", Text("do-genie"), [_square_field()])
        return [
            OrderKind("move", Text("order-move"), [best, by_kind, character, move]),
            OrderKind("carpet", Text("order-carpet"), [best, by_kind, fly]),
            OrderKind("genie", Text("order-genie"), [ActionForm("best_square", Text("wish-square")), exact]),
        ]

    def facts(self, view: View) -> list[ActionForm]:
        """Points, leads, the roll, the choices and what lies on the own board."""
        others = [seat for seat in range(view.seats) if seat != view.seat]
        seats = [Option(seat, Text("seat", {"seat": {"seat": seat}})) for seat in others]
        return [
            _form("points", *_compared(0, HIGHEST)),
            _form("lead", *_compared(0, HIGHEST)),
            _form("behind", *_compared(0, HIGHEST)),
            _form("points_of", Choice("seat", Text("field-seat"), seats), *_compared(0, HIGHEST)),
            _form("roll", *_compared(1, DIE)),
            _form("gain", *_compared(0, 20)),
            _form("left", *_compared(0, len(SPACES))),
            _form("reach", _character_field()),
            _form("filled", _square_field()),
        ]

    def holds(self, view: View, fact: Entry, topic: str) -> bool | None:
        """Is it so?"""
        if fact["type"] in _NUMBERS:
            number = _NUMBERS[fact["type"]](view, fact)
            return bool(number >= fact["value"] if fact["is"] == LEAST else number <= fact["value"])
        if fact["type"] == "reach":
            return bool(_with_character(view, fact["character"]))
        return bool(view.boards[_own(view)][fact["square"]])

    def answer(self, view: View, question: Question, entry: Entry) -> Answer | None:
        """The exact answer."""
        seat = _own(view)
        match entry["type"]:
            case "take_best":
                return _go(question, view, _choices(view))
            case "take_kind":
                return _go(
                    question, view, [space for space in _choices(view) if _kind_of(view, space) == entry["kind"]]
                )
            case "take_character":
                return _go(question, view, _with_character(view, entry["character"]))
            case "best_square":
                square = None if view.held is None else best_square(view, seat, gains_on(view, seat, view.held))
                return {"type": "place_genie", "square": square}
        return entry

    def topic(self, shown: View | State, decision: Decision) -> str:
        """There is only one place for each."""
        return ""

    def period(self, shown: View | State) -> int:
        """The round: as many turns as there are seats."""
        return (shown.turn - 1) // shown.seats + 1


def _own(view: View) -> Seat:
    assert view.seat is not None
    return view.seat


def _form(fact: str, *fields: Field) -> ActionForm:
    return ActionForm(fact, Text(f"fact-{fact}"), list(fields))


def _compared(least: int, most: int) -> tuple[Choice, Choice]:
    how = [Option(LEAST, Text("at-least")), Option(MOST, Text("at-most"))]
    numbers = [Option(number, Text("number", {"value": number})) for number in range(least, most + 1)]
    return Choice("is", Text("field-is"), how), Choice("value", Text("field-value"), numbers)


def _character_field() -> Choice:
    options = [Option(name, Text(f"character-{name}")) for name in CHARACTERS]
    return Choice("character", Text("field-character"), [*options, Option(NOBODY, Text("hidden-character"))])


def _square_field() -> Choice:
    return Choice(
        "square",
        Text("field-square"),
        [Option(square, Text("square", {"square": {"square": square}})) for square in SQUARES],
    )


def _to() -> list[Field]:
    return [Choice("to", Text("field-to"), [Option(space, Text("space", {"space": space})) for space in SPACES])]


def _choices(view: View) -> list[str]:
    """Where Aladdin may go now."""
    return [*open_landings(view)] or open_targets(view)


def _kind_of(view: View, space: str) -> str:
    token = view.spaces[space]
    return token.kind if token else ""


def _with_character(view: View, character: str) -> list[str]:
    spaces = []
    for space in _choices(view):
        token = view.spaces[space]
        if token and (token.character or NOBODY) == character:
            spaces.append(space)
    return spaces


def _go(question: Question, view: View, spaces: list[str]) -> Answer | None:
    """To the space among these that surely brings most."""
    if not spaces:
        return None
    return {"type": question.actions[0].type, "to": best_space(gains_at(view, _own(view), spaces))}


def _best_other(view: View) -> int:
    return max(score for seat, score in enumerate(view.scores) if seat != view.seat)


Count: TypeAlias = Callable[[View, Entry], int]

_NUMBERS: dict[str, Count] = {
    "points": lambda view, fact: view.scores[_own(view)],
    "lead": lambda view, fact: view.scores[_own(view)] - _best_other(view),
    "behind": lambda view, fact: _best_other(view) - view.scores[_own(view)],
    "points_of": lambda view, fact: view.scores[fact["seat"]],
    "roll": lambda view, fact: view.frame.roll if isinstance(view.frame, Moving) else 0,
    "gain": lambda view, fact: max((gain_at(view, _own(view), space) for space in _choices(view)), default=0),
    "left": lambda view, fact: sum(token is not None for token in view.spaces.values()),
}
