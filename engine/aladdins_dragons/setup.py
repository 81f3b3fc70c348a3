"""How a game begins: the options a host has, and the board laid out."""

from collections import Counter
from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.deck import LAMP, SPELLS
from engine.aladdins_dragons.facts import DECKS, KINDS, PIECES, SPACES, TREASURE_PER_KIND, open_spaces, rooms
from engine.aladdins_dragons.model import Boundary, Magic, RoundStart, StartingTreasures, State, Tempo
from engine.core import Days, IllegalAction, TableOption, Text
from engine.core.games import chosen_options
from engine.core.rng import Rng

SEAT_COUNTS = tuple(DECKS)  # A1
SHORT = 2  # artifacts in each room of a short game

OPTIONS = (
    TableOption(
        "version",
        Text("option-version"),
        [("magic", Text("version-magic")), ("basic", Text("version-basic"))],
        "magic",  # A2
        Text("option-version-hint"),
    ),
    TableOption(
        "last_first",
        Text("option-last-first"),
        [("swap19", Text("last-first-swap19")), ("reverse", Text("last-first-reverse"))],
        "swap19",  # S3
        Text("option-last-first-hint"),
        is_fine_point=True,
    ),
    TableOption(
        "open_hoards",
        Text("option-open-hoards"),
        [("on", Text("yes")), ("off", Text("no"))],
        "on",
        Text("option-open-hoards-hint"),
        is_fine_point=True,
    ),
    TableOption(
        "safety_stop",
        Text("option-safety-stop"),
        [("off", Text("no")), ("on", Text("yes"))],
        "off",
        Text("option-safety-stop-hint"),
        is_fine_point=True,
    ),
    TableOption(
        "placing",
        Text("option-placing"),
        [("turns", Text("placing-turns")), ("waves", Text("placing-waves"))],
        "turns",  # A20
        Text("option-placing-hint"),
        is_fine_point=True,
    ),
    TableOption(
        "tokens_per_turn",
        Text("option-tokens"),
        [(str(count), Text("token", {"value": count})) for count in (1, 2, 4, 8)],
        "1",  # A20
        Text("option-tokens-hint"),
        is_fine_point=True,
    ),
    TableOption(
        "length",
        Text("option-length"),
        [("full", Text("length-full")), ("short", Text("length-short")), ("decided", Text("length-decided"))],
        "full",  # A7, A8
        Text("option-length-hint"),
        is_fine_point=True,
    ),
    TableOption(
        "tally",
        Text("option-tally"),
        [("step", Text("tally-step")), ("plan", Text("tally-plan"))],
        "step",
        Text("option-tally-hint"),
        by_mail="plan",
    ),
)

# By seats, with a day a move: docs/simulation.md.
PROPOSED = {("magic", 3): Days(4.0, 4.0), ("magic", 4): Days(4.0, 4.7), ("basic", 4): Days(5.0, 6.0)}
PLANNED = {("magic", 4, "turns"): Days(9.5, 78.0), ("magic", 4, "waves"): Days(10.5, 36.0)}  # without proposals
STEP_BY_STEP = {("magic", 4, "turns"): Days(277.0, 277.0)}  # nobody gives orders, and all are asked alike


def days(seats: int, options: Mapping[str, str], *, proposals: bool) -> Days | None:
    """How long a game takes with a day a move; None for options it was not measured with."""
    chosen = chosen_options(OPTIONS, options)
    if chosen["tally"] == "plan" and proposals:
        return PROPOSED.get((chosen["version"], seats))
    table = (chosen["version"], seats, chosen["placing"])
    if chosen["tally"] == "plan":
        return PLANNED.get(table)
    return STEP_BY_STEP.get(table) if chosen["tokens_per_turn"] == "1" else None


def lay_out(seats: int, chosen: Mapping[str, str], seed: str, rules_version: int) -> Board:
    """A board before the first decision: artifacts dealt, cards shuffled, the camel drawn (A3, A7, A8).

    `chosen` has all options, as `chosen_options` gives them. Raises IllegalAction for an impossible number of seats.
    """
    if seats not in SEAT_COUNTS:
        raise IllegalAction("illegal-seats", seats=seats)
    rng, version = Rng(seed), chosen["version"]
    height = PIECES.artifacts_per_room[version] if chosen["length"] == "full" else SHORT
    board = Board(
        State(
            rules_version=rules_version,
            version=version,
            open_hoards=chosen["open_hoards"] == "on",
            has_safety_stop=chosen["safety_stop"] == "on",
            round=0,
            camel=rng.below(seats),
            agenda=[RoundStart(), Boundary("treasures"), StartingTreasures([None] * seats)],
            hands=[list(PIECES.tokens) for _ in range(seats)],
            turns=[0] * seats,
            forfeits=[0] * seats,
            spaces={space: [] for space in SPACES if space in open_spaces(seats, version)},
            caves={kind: [] for kind in KINDS},
            bank=dict.fromkeys(KINDS, TREASURE_PER_KIND),
            hoards=[dict.fromkeys(KINDS, 0) for _ in range(seats)],
            stacks=_deal(rng, seats, version, height),
            artifacts=[[LAMP] if version == "magic" else [] for _ in range(seats)],  # A9
            deck=rng.shuffled([card.id for card in DECKS[seats]]),
            discards=[],
            rng=rng,
            optional_tempo=_tempo(chosen),
            optional_plans=True if chosen["tally"] == "plan" else UNSET,
            ends_decided=True if chosen["length"] == "decided" else UNSET,
            optional_magic=_magic(rng, seats, chosen, height) if version == "magic" else UNSET,
        )
    )
    board.begin()
    return board


def _tempo(chosen: Mapping[str, str]) -> Tempo | UnsetType:
    """The printed rule, one token of one seat at a time, leaves no trace in the state."""
    tempo = Tempo(int(chosen["tokens_per_turn"]), chosen["placing"] == "waves")
    return UNSET if tempo == Tempo(1, has_waves=False) else tempo


def _magic(rng: Rng, seats: int, chosen: Mapping[str, str], height: int) -> Magic:
    """Shuffles every spell (A11); each seat has the one use of its lamp before it."""
    return Magic(
        last_first=chosen["last_first"],
        spell_deck=rng.shuffled(list(SPELLS)),
        spells=[[] for _ in range(seats)],
        used=[[] for _ in range(seats)],
        allowance=[1] * seats,
        unknown=[[] for _ in range(seats)],
        offers=[],
        known={room: [[] for _ in range(height)] for room in rooms(seats)},
        arrivals=dict.fromkeys(open_spaces(seats, "magic"), 0),
    )


def _deal(rng: Rng, seats: int, version: str, height: int) -> dict[str, list[str]]:
    """A stack of shuffled artifacts for each room; the rest stays out of the game unseen, as in the basic version
    (A7)."""
    pool = rng.shuffled(artifacts_in_stacks(seats, version))
    return {room: [pool.pop() for _ in range(height)] for room in rooms(seats)}


def artifacts_in_stacks(seats: int, version: str) -> list[str]:
    """The artifacts that stacks are dealt from: all, or of each type but the lamp one for each seat (A7, A8)."""
    if version == "magic":
        return [artifact for artifact in PIECES.artifacts if artifact != LAMP for _ in range(seats)]
    return [artifact for artifact, count in PIECES.artifacts.items() for _ in range(count)]


# The same position with fresh randomness: what no seat has seen is drawn anew, and everything else stays.


def reshuffle(state: State) -> None:
    """Cards still in a deck, tiles nobody has looked at and a guard that stands face down; hands and hoards stay."""
    state.deck = state.rng.shuffled(state.deck)
    if state.round and not state.is_guard_shown:
        state.guard = state.rng.choice(PIECES.guards)
    if state.has_magic:
        _deal_unknown_tiles(state)
        state.magic.spell_deck = state.rng.shuffled(state.magic.spell_deck)
    else:
        _deal_artifacts(state)


def _deal_artifacts(state: State) -> None:
    """In the basic version nobody has seen any of them, not even his own (A7, A47)."""
    pool = state.rng.shuffled(artifacts_in_stacks(state.seats, state.version))
    for stack in (*state.stacks.values(), *state.artifacts):
        stack[:] = [pool.pop() for _ in stack]


def _deal_unknown_tiles(state: State) -> None:
    """Tiles of the stacks that nobody has looked at, mixed with those that stayed out of the game."""
    pool = Counter(artifacts_in_stacks(state.seats, state.version)) + Counter({LAMP: state.seats})
    places = []
    for room, stack in state.stacks.items():
        for place, knowers in enumerate(state.magic.known[room]):
            if knowers:
                pool[stack[place]] -= 1
            else:
                places.append((stack, place))
    for owned in state.artifacts:
        pool.subtract(owned)
    unseen = state.rng.shuffled(list(pool.elements()))
    for stack, place in places:
        stack[place] = unseen.pop()
