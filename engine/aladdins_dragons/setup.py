"""How a game begins: the options a host has, and the board laid out."""

from collections.abc import Mapping

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.facts import DECKS, KINDS, PIECES, SPACES, TREASURE_PER_KIND, open_spaces, rooms
from engine.aladdins_dragons.model import Boundary, RoundStart, StartingTreasures, State
from engine.core import IllegalAction, TableOption, Text
from engine.rng import Rng

SEAT_COUNTS = tuple(DECKS)  # A1

OPTIONS = (
    TableOption("version", Text("option-version"), [("basic", Text("version-basic"))], "basic"),
    TableOption(
        "open_hoards",
        Text("option-open-hoards"),
        [("on", Text("yes")), ("off", Text("no"))],
        "on",
        Text("option-open-hoards-hint"),
    ),
    TableOption(
        "safety_stop",
        Text("option-safety-stop"),
        [("off", Text("no")), ("on", Text("yes"))],
        "off",
        Text("option-safety-stop-hint"),
    ),
)


def chosen_options(options: Mapping[str, str]) -> dict[str, str]:
    """All options with their defaults filled in. Raises IllegalAction for one that does not exist."""
    chosen = {option.name: option.default for option in OPTIONS}
    for name, value in options.items():
        allowed = [key for option in OPTIONS if option.name == name for key, _ in option.values]
        if value not in allowed:
            raise IllegalAction("illegal-option", option=name, value=value)
        chosen[name] = value
    return chosen


def lay_out(seats: int, options: Mapping[str, str], seed: str, rules_version: int) -> Board:
    """A board before the first decision: artifacts dealt, cards shuffled, the camel drawn (A3, A7).

    Raises IllegalAction for a number of seats or an option that does not exist.
    """
    if seats not in SEAT_COUNTS:
        raise IllegalAction("illegal-seats", seats=seats)
    chosen, rng = chosen_options(options), Rng(seed)
    board = Board(
        State(
            rules_version=rules_version,
            version=chosen["version"],
            open_hoards=chosen["open_hoards"] == "on",
            has_safety_stop=chosen["safety_stop"] == "on",
            round=0,
            camel=rng.below(seats),
            agenda=[RoundStart(), Boundary("treasures"), StartingTreasures([None] * seats)],
            hands=[list(PIECES.tokens) for _ in range(seats)],
            turns=[0] * seats,
            forfeits=[0] * seats,
            spaces={space: [] for space in SPACES if space in open_spaces(seats, chosen["version"])},
            caves={kind: [] for kind in KINDS},
            bank=dict.fromkeys(KINDS, TREASURE_PER_KIND),
            hoards=[dict.fromkeys(KINDS, 0) for _ in range(seats)],
            stacks=_deal(rng, seats, PIECES.artifacts_per_room[chosen["version"]]),
            artifacts=[[] for _ in range(seats)],
            deck=rng.shuffled([card.id for card in DECKS[seats]]),
            discards=[],
            rng=rng,
        )
    )
    board.begin()
    return board


def _deal(rng: Rng, seats: int, height: int) -> dict[str, list[str]]:
    """All artifacts shuffled, a stack for each room; the rest stays out of the game unseen (A7)."""
    pool = rng.shuffled([artifact for artifact, count in PIECES.artifacts.items() for _ in range(count)])
    return {room: [pool.pop() for _ in range(height)] for room in rooms(seats)}
