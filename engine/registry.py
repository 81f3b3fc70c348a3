"""Name and version to rules: the one place that lists the games of this service."""

from engine.aladdins_dragons.first_version import FirstAladdinsDragons, FirstDragonsVocabulary
from engine.aladdins_dragons.orders.vocabulary import DragonsVocabulary
from engine.aladdins_dragons.rules import AladdinsDragons
from engine.cave_of_wonders.orders.vocabulary import CaveVocabulary
from engine.cave_of_wonders.rules import CaveOfWonders
from engine.orders.protocol import AnyRules
from engine.orders.rules import with_orders

__all__ = ["RULES", "AnyRules", "get_rules", "newest"]

_REGISTERED: tuple[AnyRules, ...] = (
    with_orders(FirstAladdinsDragons(), FirstDragonsVocabulary()),
    with_orders(AladdinsDragons(), DragonsVocabulary()),
    with_orders(CaveOfWonders(), CaveVocabulary()),
)

RULES: dict[tuple[str, int], AnyRules] = {(rules.name, rules.version): rules for rules in _REGISTERED}


def get_rules(name: str, version: int) -> AnyRules:
    """The rule set of a game. Raises KeyError if no such version is installed."""
    return RULES[name, version]


def newest() -> list[AnyRules]:
    """The newest version of each rule set, in the order in which they are offered to hosts."""
    versions: dict[str, AnyRules] = {}
    for rules in _REGISTERED:
        known = versions.get(rules.name)
        if known is None or known.version < rules.version:
            versions[rules.name] = rules
    return list(versions.values())
