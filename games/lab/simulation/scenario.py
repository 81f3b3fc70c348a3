"""What is simulated: a table, the habits of the people at it, injected faults; and mixed tables, one for each seed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import time
from random import Random

from engine.registry import newest

ZONES = (
    "Pacific/Auckland", "Asia/Tokyo", "Asia/Kolkata", "Africa/Nairobi", "Europe/Madrid", "Europe/London",
    "America/Sao_Paulo", "America/New_York", "America/Denver", "America/Los_Angeles",
)  # fmt: skip
"""Where people live: spread over the world."""


@dataclass(frozen=True)
class Habits:
    """How ordinary people play. Shares are between 0 and 1.

    Arguments:
        answer_hours: median time from a mail to looking at the game, in waking hours; lognormal.
        spread: sigma of that distribution.
        wakes, sleeps: by the wall clock of each person's zone; outside nobody acts.
        whim: share of answers that are drawn at random instead of chosen with care.
        forgets: share of mails that are never acted on; the next one may be.
        away_share: share of people who go away once in a game without a word, for `away_days` days.
        twice: share of answers that are sent a second time (a double click).
        stale: share of visits that begin with a page of an earlier question.
        sheets: share of the round sheets that are filled in; the others stay empty.
        ordered: share of the filled sheets that order every token; the others order half of them.
        rest: share of single placements at which the rest of the round is ordered as well.
        plans: share of plans that are complete: bribe, Key, purchases, Market, camel, Tent, what cards ask.
        ahead: share of filled sheets that are the plan for the tally as well.
        asks: share of plans that say "ask me" at one window.
        even_so: share of sheets and plans that hold whatever others play.
        comfort: share of passes by which one passes for longer than once.
        taken_back: share of games that a moderator takes back to an earlier step, once.
    """

    answer_hours: float = 5.0
    spread: float = 1.0
    wakes: time = time(7, 30)
    sleeps: time = time(23, 30)
    whim: float = 0.1
    forgets: float = 0.02
    away_share: float = 0.1
    away_days: float = 5.0
    twice: float = 0.03
    stale: float = 0.03
    sheets: float = 0.9
    ordered: float = 0.95
    rest: float = 0.8
    plans: float = 0.9
    ahead: float = 0.9
    asks: float = 0.08
    even_so: float = 0.3
    comfort: float = 0.7
    taken_back: float = 0.0


ORDINARY = Habits()
NAIVE = replace(ORDINARY, sheets=0.0, rest=0.0, plans=0.0, ahead=0.0, asks=0.0, comfort=0.0)
"""The same people, who are asked everything."""


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

SUBMIT, DOORS = "submit", "doors"


@dataclass(frozen=True)
class Scenario:
    """One table.

    Arguments:
        rules, options, players, pace: as a host chooses them.
        door: `SUBMIT`, or `DOORS` for links, pages, API and replies in turn, with every mail composed.
    """

    rules: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    pace: str = "daily"
    habits: Habits = Habits()
    faults: Faults = CALM
    door: str = SUBMIT


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
