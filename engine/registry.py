"""Name and version to rules: the one place that lists the games of this service.

Our own games stand below. A package that is installed beside the service offers its own by an entry point of the group
`caravanserai.games` (docs/adding-a-game.md); one that cannot be loaded or played is left out and stops nothing.
"""

from random import Random

from engine.aladdins_dragons.rules import AladdinsDragons
from engine.cave_of_wonders.rules import CaveOfWonders
from engine.packages import offers
from engine.rules import AnyRules

__all__ = ["INSTALLED", "LEFT_OUT", "RULES", "AnyRules", "get_rules", "leave_out", "newest"]

_OURS: tuple[AnyRules, ...] = (AladdinsDragons(), CaveOfWonders())

RULES: dict[tuple[str, int], AnyRules] = {(rules.name, rules.version): rules for rules in _OURS}
MOST_SEATS = 5
LEFT_OUT: dict[str, str] = {}
"""By entry point why its games are not offered; `manage.py check` says it."""
INSTALLED: dict[str, list[AnyRules]] = {}
"""By entry point the rule sets of other packages that are offered."""


def get_rules(name: str, version: int) -> AnyRules:
    """The rule set of a game. Raises KeyError if no such version is installed."""
    return RULES[name, version]


def newest() -> list[AnyRules]:
    """The newest version of each rule set, in the order in which they are offered to hosts."""
    versions: dict[str, AnyRules] = {}
    for rules in RULES.values():
        newer = versions.get(rules.name)
        if newer is None or newer.version < rules.version:
            versions[rules.name] = rules
    return list(versions.values())


def leave_out(point: str, error: Exception) -> None:
    """Offers the games of an entry point no more, and puts down why."""
    LEFT_OUT[point] = f"{type(error).__name__}: {error}"
    for rules in INSTALLED.pop(point, []):
        del RULES[rules.name, rules.version]


def _load_installed() -> None:
    """Adds the games of other packages that can be played; of every other one the reason is put down."""
    for point in offers():
        try:
            offered = list(point.load())
            for rules in offered:
                _try_out(rules)
        except Exception as error:  # noqa: BLE001  # whatever goes wrong in another's package stops nothing here
            leave_out(point.name, error)
        else:
            INSTALLED[point.name] = offered
            RULES.update({(rules.name, rules.version): rules for rules in offered})


def _try_out(rules: AnyRules) -> None:
    """Deals a game for each number of seats and shows it to each seat. Raises whatever the rules raise."""
    if (rules.name, rules.version) in RULES:
        raise ValueError(f"there is a {rules.name} of version {rules.version} already")
    if max(rules.seat_counts) > MOST_SEATS:
        raise ValueError(f"a table has at most {MOST_SEATS} seats")
    for seats in rules.seat_counts:
        names = [f"Player {seat}" for seat in range(seats)]
        state, events = rules.new(seats, {}, "00" * 32)
        prompted = [decision for decision in rules.decisions(state) if decision.prompted]
        for view in [rules.view(state, seat) for seat in range(seats)]:
            rules.describe(view, "en", names)
            rules.picture(view, "en", names)
        for decision in prompted[:1]:
            events += rules.apply(state, decision.id, decision.seat, rules.draw(state, decision, Random(0)))[1]
        for said in [rules.title, *events]:
            rules.say(said, "en", names)
        if not prompted:
            raise ValueError(f"with {seats} seats a new game asks nobody anything")


_load_installed()
