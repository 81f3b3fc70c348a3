"""How a game begins: the options a host has, and the cave filled."""

from collections.abc import Mapping

from engine.cave_of_wonders.board.cave import SPACES
from engine.cave_of_wonders.board.facts import KINDS, SQUARES, TOKENS
from engine.cave_of_wonders.board.model import CaveToken, State
from engine.cave_of_wonders.board.verbs import Board
from engine.core import Days, IllegalAction, TableOption, Text
from engine.core.rng import Rng
from engine.core.rule_set import chosen_options

SEAT_COUNTS = (2, 3, 4)  # C1


def _switch(name: str) -> TableOption:
    code = f"option-{name.replace('_', '-')}"
    return TableOption(name, Text(code), [("off", Text("no")), ("on", Text("yes"))], "off", Text(f"{code}-hint"))


DAYS = {2: Days(9.0, 9.0), 3: Days(13.0, 15.0), 4: Days(18.5, 19.0)}  # by seats, with a day a move: docs/simulation.md


OPTIONS = (_switch("equal_turns"), _switch("full_distance"))


def lay_out(seats: int, options: Mapping[str, str], seed: str, rules_version: int) -> Board:
    """A board before the first turn. Raises IllegalAction for a number of seats or an option that does not exist."""
    if seats not in SEAT_COUNTS:
        raise IllegalAction("illegal-seats", seats=seats)
    chosen, rng = chosen_options(OPTIONS, options), Rng(seed)
    start = rng.below(seats)
    favourites = rng.shuffled(KINDS)[:seats]
    aladdin = rng.choice(SPACES)
    board = Board(
        State(
            rules_version=rules_version,
            equal_turns=chosen["equal_turns"] == "on",
            full_distance=chosen["full_distance"] == "on",
            start=start,
            favourites=favourites,
            turn=0,
            taken=0,
            aladdin=aladdin,
            spaces=_fill(rng, aladdin),
            boards=[{square: [] for square in SQUARES} for _ in range(seats)],
            scores=[0] * seats,
            rng=rng,
        )
    )
    board.begin()
    return board


def _fill(rng: Rng, aladdin: str) -> dict[str, CaveToken | None]:
    """A token on every space but Aladdin's (C12), each face up or down as a coin falls (C9)."""
    tokens = rng.shuffled(TOKENS)
    return {space: None if space == aladdin else CaveToken(tokens.pop(), face_up=rng.below(2) == 1) for space in SPACES}
