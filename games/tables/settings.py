"""The settings of a table, declared once.

The form of a new table, the API, `TablePlan`, rematch, waiting room and admin site are made from it. A new setting is a
field here and a column of that name in `Game`, with its migration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.registry import AnyRules, newest
from games.errors import ServiceError
from games.tables import pace
from games.tables.models import Game

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


OWN_BOTS = "A player and that player's bot, or two bots of one player, may both play here; the game is not rated."
OPEN = ""  # the value of a word that the host leaves open
Value = Any  # bool, int or str, as the annotation of the setting says


class Group(StrEnum):
    """Settings that stand together on a page."""

    CLOCKS = "clocks"  # when clocks stand still
    MISSES = "misses"  # what happens at a missed deadline
    ACCESS = "access"  # who may watch and play


@dataclass(frozen=True, kw_only=True)
class Description:
    """How a setting is shown and checked.

    Arguments:
        label: of its form field.
        hint: below that field.
        api_hint: in the OpenAPI schema.
        told: the sentence of the waiting room about a table that has it.
        choices: the values of a setting that is a word.
        usual: what a host chooses who leaves the word open: then the table's other settings decide; None if he cannot.
        bounds: the least and the largest value of a setting that is a number.
        is_repeated: whether a rematch keeps it.
    """

    group: Group
    label: "StrPromise"
    hint: "StrPromise | str" = ""
    api_hint: str = ""
    told: "StrPromise | None" = None
    choices: type[TextChoices] | None = None
    usual: "StrPromise | None" = None
    bounds: tuple[int, int] | None = None
    is_repeated: bool = True


@dataclass(frozen=True)
class TableSetting:
    """One setting: the name of its column in `Game`, its default, and its description."""

    name: str
    default: Value
    about: Description


@dataclass(frozen=True, kw_only=True)
class ClockSettings:
    """When the clocks of a table, or of all tables of a tournament, stand still."""

    stops_at_night: bool = field(
        default=True,
        metadata={
            "about": Description(
                group=Group.CLOCKS,
                label=_("Clocks stop during each player’s quiet hours"),
                told=_("Clocks stop during quiet hours."),
            )
        },
    )
    stops_on_weekends: bool = field(
        default=False,
        metadata={
            "about": Description(
                group=Group.CLOCKS,
                label=_("Clocks stop on Saturday and Sunday, in each player’s time zone"),
                told=_("Clocks stop on weekends."),
            )
        },
    )
    allows_vacation: bool = field(
        default=True,
        metadata={
            "about": Description(
                group=Group.CLOCKS,
                label=_("Clocks stop while a player is on vacation"),
                told=_("Clocks stop during vacations."),
            )
        },
    )


@dataclass(frozen=True, kw_only=True)
class TableSettings(ClockSettings):
    """The values a host has chosen."""

    proposals: str = field(
        default=OPEN,
        metadata={
            "about": Description(
                group=Group.MISSES,
                label=_("Proposals"),
                hint=_(
                    "Players get a suggested answer to every question, based only on what they can see and shown to "
                    "nobody else. One click accepts it."
                ),
                api_hint="Whether the rules propose an answer to each question, shown to its player alone.",
                choices=Game.Proposals,
                usual=_("default: on, except in rated games"),
            )
        },
    )
    missed: str = field(
        default=OPEN,
        metadata={
            "about": Description(
                group=Group.MISSES,
                label=_("When a deadline is missed"),
                hint=_("Either way it counts as one missed deadline, and the player is notified."),
                api_hint="What a missed deadline does.",
                choices=Game.Missed,
                usual=_("default: the proposal is played; without proposals, the player is asked again"),
            )
        },
    )
    is_first_miss_excused: bool = field(
        default=True,
        metadata={
            "about": Description(
                group=Group.MISSES,
                label=_("Excuse everyone's first missed deadline: they get the full time again"),
            )
        },
    )
    absent_after: int = field(
        default=3,
        metadata={
            "about": Description(
                group=Group.MISSES,
                label=_("Missed deadlines in a row before a player is marked absent"),
                hint=_("The game doesn't wait for absent players. They can return with one click."),
                api_hint="Misses in a row.",
                bounds=(1, 20),
            )
        },
    )
    absent_seats: str = field(
        default=Game.AbsentSeats.PASS,
        metadata={
            "about": Description(group=Group.MISSES, label=_("An absent player's seat is"), choices=Game.AbsentSeats)
        },
    )
    company: str = field(
        default=OPEN,
        metadata={
            "about": Description(
                group=Group.ACCESS,
                label=_("Who may join"),
                hint=_("Counted over the finished games of a year, as on profiles. Who is invited may join anyway."),
                api_hint="The least share of answers in time of who joins without an invitation, in percent.",
                choices=Game.Company,
                usual=_("default: everyone"),
            )
        },
    )
    welcomes_newcomers: bool = field(
        default=True,
        metadata={
            "about": Description(
                group=Group.ACCESS,
                label=_("Newcomers may join, who have played too little for that"),
                api_hint="Those may join, too, who were asked too little for a share.",
            )
        },
    )
    is_listed: bool = field(
        default=False,
        metadata={
            "about": Description(
                group=Group.ACCESS,
                label=_("Public table"),
                hint=_(
                    "Anyone can join and watch, and the finished game goes into the archive and counts for ratings. "
                    "Otherwise only people with an invitation or your link can join."
                ),
                api_hint="Anybody may join and watch.",
                is_repeated=False,
            )
        },
    )
    is_watchable: bool = field(
        default=False,
        metadata={
            "about": Description(
                group=Group.ACCESS,
                label=_("Allow spectators"),
                hint=_(
                    "Anyone with the table's link can see the board, the log and the table talk, but never a hand. "
                    "Public tables can always be watched."
                ),
                api_hint="Whoever has the address of the table may watch: public facts and the table talk.",
            )
        },
    )
    hides_names: bool = field(
        default=False,
        metadata={
            "about": Description(
                group=Group.ACCESS,
                label=_("Names hidden until the end"),
                hint=_(
                    "Players are called by their seats until the game is over; moderators can see who they are. Clocks "
                    "run alike for everyone: no quiet hours, weekends or vacations."
                ),
                api_hint="Nobody but moderators learns who sits where before the end; clocks stand still for nobody.",
            )
        },
    )
    allows_own_bots: bool = field(
        default=False,
        metadata={
            "about": Description(
                group=Group.ACCESS,
                label=_("Allow players to play alongside their own bots"),
                hint=_("One player's two bots, too. The game isn't rated, and everyone sees that before they join."),
                api_hint=OWN_BOTS,
            )
        },
    )

    def checked(self, *, needs_proposals: bool = False) -> dict[str, Value]:
        """Each setting by name; a number is brought within its bounds, and what was left open is decided.

        Arguments:
            needs_proposals: for the stewards of everybody.
        Raises ServiceError for an unknown choice, and for proposals that are off where they are needed.
        """
        values = {setting.name: _checked(setting, getattr(self, setting.name)) for setting in SETTINGS}
        if needs_proposals and values["proposals"] == Game.Proposals.OFF:
            raise ServiceError(
                gettext("At this pace stewards play the proposals, so proposals must be on."),
                code="needs-proposals",
                field="proposals",
            )
        is_rated = not needs_proposals and values["is_listed"] and not values["allows_own_bots"]
        if values["hides_names"]:  # when somebody's clock stands still tells where he lives
            values |= dict.fromkeys(names_of(Group.CLOCKS), False)
        values["company"] = values["company"] or Game.Company.ALL
        values["proposals"] = values["proposals"] or (Game.Proposals.OFF if is_rated else Game.Proposals.ON)
        is_proposed = values["proposals"] == Game.Proposals.ON
        values["missed"] = values["missed"] or (Game.Missed.PROPOSAL if is_proposed else Game.Missed.ASK)
        return values


SETTINGS = tuple(TableSetting(field.name, field.default, field.metadata["about"]) for field in fields(TableSettings))


def names_of(*groups: Group) -> list[str]:
    """The names of the settings of these groups, in the order in which they are shown."""
    return [setting.name for setting in SETTINGS if setting.about.group in groups]


def clocks_of(chosen: object) -> dict[str, Value]:
    """The settings of clocks by name, of whatever has them: a plan, a game, a tournament."""
    return {name: getattr(chosen, name) for name in names_of(Group.CLOCKS)}


def repeated_settings(game: Game) -> dict[str, Value]:
    """The settings of a game that hold for its rematch too, by name."""
    return {setting.name: getattr(game, setting.name) for setting in SETTINGS if setting.about.is_repeated}


def told_settings(game: Game, group: Group) -> list[str]:
    """The sentences about those settings of a group that hold at this table."""
    return [
        str(setting.about.told)
        for setting in SETTINGS
        if setting.about.group == group and setting.about.told and getattr(game, setting.name)
    ]


def one_of(name: str, value: str, allowed: list[str]) -> str:
    """The value. Raises ServiceError if it is not allowed."""
    if value not in allowed:
        raise ServiceError(
            gettext("%(value)s is not one of the choices.") % {"value": value}, code="no-such-choice", field=name
        )
    return value


def _checked(setting: TableSetting, value: Value) -> Value:
    if setting.about.choices is not None:
        return one_of(setting.name, value, [*setting.about.choices.values, *([OPEN] if setting.about.usual else [])])
    if setting.about.bounds is not None:
        least, largest = setting.about.bounds
        return max(least, min(value, largest))
    return value


# What a host wants of a table, and which of it everybody at the table agrees to.

AGREED = ("seat_count", "pace", "options", *(setting.name for setting in SETTINGS))  # columns of a game


@dataclass(frozen=True)
class TablePlan(TableSettings):
    """A host's settings for a table.

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
        "pace": one_of("pace", plan.pace, [name for name, _label in pace.paces()]),
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
    raise ServiceError(gettext("There's no game with that name."), code="no-such-rules", field="rules")


def known_options(rules: AnyRules, options: Mapping[str, str]) -> dict[str, str]:
    """Returns those options that the rules still have, with a value that they still have."""
    values = {option.name: {value for value, _label in option.values} for option in rules.options}
    return {name: value for name, value in options.items() if value in values.get(name, ())}


def checked_seat_count(rules: AnyRules, count: int) -> int:
    """Returns the number of seats. Raises ServiceError if the game cannot be played by so many."""
    if count not in rules.seat_counts:
        raise ServiceError(
            gettext("This game can't be played with that many players."), code="seat-count", field="seat_count"
        )
    return count


def checked_options(rules: AnyRules, wanted: Mapping[str, str]) -> dict[str, str]:
    """Returns a value for every option of the rules; what is left out gets its default. Raises ServiceError."""
    by_name = {option.name: option for option in rules.options}
    if unknown := set(wanted) - set(by_name):
        raise ServiceError(
            gettext("There's no option %(name)s.") % {"name": sorted(unknown)[0]},
            code="no-such-option",
            field="options",
        )
    return {
        name: one_of(f"options.{name}", wanted.get(name, option.default), [value for value, _label in option.values])
        for name, option in by_name.items()
    }
