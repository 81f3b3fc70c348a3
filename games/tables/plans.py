"""What a host wants of a table, and which of it everybody at the table agrees to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from engine.registry import AnyRules, newest
from games.errors import ServiceError
from games.tables import pace
from games.tables.models import Game
from games.tables.settings import SETTINGS, TableSettings, one_of

AGREED = ("seat_count", "pace", "options", *(setting.name for setting in SETTINGS))  # columns of a game


@dataclass(frozen=True)
class TablePlan(TableSettings):
    """What a host wants.

    Arguments:
        options: of the rules, {TableOption.name: value}; what is left out gets its default.
        bots: names of bots to fill seats with at once, of the rules or of bot accounts.
        club: the reference of the host's club that the table is for; "" for none.
    """

    title: str
    rules_name: str
    seat_count: int
    pace: str = "daily"
    options: Mapping[str, str] = field(default_factory=dict)
    is_lesson: bool = False
    is_guided: bool = True
    bots: tuple[str, ...] = ()
    club: str = ""


def agreed_values(plan: TablePlan, rules: AnyRules) -> dict[str, Any]:
    """Returns the columns of a game that its players agree to (AGREED), by name.

    Raises ServiceError for a plan that cannot be.
    """
    return {
        "options": checked_options(rules, plan.options),
        "seat_count": checked_seat_count(rules, plan.seat_count),
        "pace": one_of(plan.pace, [name for name, _label in pace.paces()]),
        **plan.checked(needs_proposals=pace.needs_proposals(plan.pace)),
    }


def agreed_of(game: Game) -> dict[str, Any]:
    """Returns the same of a table as it is."""
    return {name: getattr(game, name) for name in AGREED}


def rules_named(name: str) -> AnyRules:
    """Returns the newest version of some rules. Raises ServiceError if there are none."""
    for rules in newest():
        if rules.name == name:
            return rules
    raise ServiceError(_("There's no game with that name."))


def known_options(rules: AnyRules, options: Mapping[str, str]) -> dict[str, str]:
    """Returns those options that the rules still have, with a value that they still have."""
    values = {option.name: {value for value, _label in option.values} for option in rules.options}
    return {name: value for name, value in options.items() if value in values.get(name, ())}


def checked_seat_count(rules: AnyRules, count: int) -> int:
    """Returns the number of seats. Raises ServiceError if the game cannot be played by so many."""
    if count not in rules.seat_counts:
        raise ServiceError(_("This game can't be played with that many players."))
    return count


def checked_options(rules: AnyRules, wanted: Mapping[str, str]) -> dict[str, str]:
    """Returns a value for every option of the rules; what is left out gets its default. Raises ServiceError."""
    known = {option.name: option for option in rules.options}
    if unknown := set(wanted) - set(known):
        raise ServiceError(_("There's no option %(name)s.") % {"name": sorted(unknown)[0]})
    return {
        name: one_of(wanted.get(name, option.default), [value for value, _label in option.values])
        for name, option in known.items()
    }
