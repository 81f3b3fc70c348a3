"""What is simulated: a table, the people at it, injected faults; and mixed tables, one for each seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from engine.registry import newest
from games.lab.simulation.people.habits import GREEDY, ORDINARY, Habits


@dataclass(frozen=True)
class Faults:
    """What goes wrong, as shares of the occasions on which it can. The broker is always lost: there is none.

    Arguments:
        crash: of the service's steps: the process dies at one of its statements.
        refused: of the attempts to hand over a mail: the server refuses for now.
        repeated: of the mails that arrive: they arrive twice.
        late: of the mails that arrive: they do hours later.
        idle: of the instants: messages of the broker come twice or late, and wake the workers for nothing.
        outage: of the days: all workers are dead for up to `outage_hours`; pages and API go on.
    """

    crash: float = 0.0
    refused: float = 0.0
    repeated: float = 0.0
    late: float = 0.0
    idle: float = 0.0
    outage: float = 0.0
    outage_hours: float = 9.0


CALM = Faults()
ROUGH = Faults(crash=0.01, refused=0.03, repeated=0.02, late=0.02, idle=0.02, outage=0.02)

SUBMIT, DOORS, REPLIES = "submit", "doors", "replies"


@dataclass(frozen=True)
class Scenario:
    """One table.

    Arguments:
        rules, options, players, pace: as a host chooses them.
        settings: of the table, by their names; the others are as usual.
        minds: of `habits.MINDS`.
        door: `SUBMIT`, or `DOORS` for links, pages, API and replies in turn, with every mail composed, or `REPLIES` for
            replies alone.
        language: of the people: what they read and write.
    """

    rules: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    pace: str = "daily"
    settings: Mapping[str, str] = field(default_factory=dict)
    habits: Habits = ORDINARY
    minds: str = GREEDY
    faults: Faults = CALM
    door: str = SUBMIT
    language: str = "en"


WAVES = {"tally": "plan", "placing": "waves", "tokens_per_turn": "4"}
TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "printed": ("daily", {"tally": "plan"}),
    "waves": ("daily", WAVES),
    "swift": ("swift", WAVES),
}
"""The tables on which populations are compared: pace and options of Aladdin's Dragons."""

LONG, SHORT = "aladdins-dragons", "cave-of-wonders"
LONG_EVERY = 3  # of so many tables one plays the long game, which costs as much as seven of the short one
PACES = ("relaxed", "daily", "brisk")
DOOR_EVERY = 10  # in one of so many games everything goes through every door, with every mail composed
CHEAP = 4  # of five tables of Aladdin's Dragons play the basic version, in which a round has fewer questions


def scenario_of(seed: int, door_every: int = DOOR_EVERY) -> Scenario:
    """The table of this seed."""
    dice = Random(f"table:{seed}")  # noqa: S311  the world must be repeatable
    name = SHORT if (seed + seed // door_every if door_every else seed) % LONG_EVERY else LONG
    is_through_doors = bool(door_every) and seed % door_every == 0
    rules = next(rules for rules in newest() if rules.name == name)
    options = {option.name: dice.choice([key for key, _label in option.values]) for option in rules.options}
    if "version" in options:
        options["version"] = "basic" if seed // LONG_EVERY % 5 < CHEAP else "magic"
    if "tokens_per_turn" in options and is_through_doors:  # hundreds of pictures would show no more than dozens do
        options |= {"tokens_per_turn": "8", "tally": "plan"}
    return Scenario(
        name,
        dice.choice(rules.seat_counts),
        options,
        dice.choice(PACES),
        faults=ROUGH,
        door=DOORS if is_through_doors else SUBMIT,
    )
