"""Tables of every kind, one for each seed: both games, two to five players, every option, door and pace."""

from random import Random

from engine.registry import newest
from games.lab.simulation.model import DOORS, ROUGH, SUBMIT, Scenario

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
