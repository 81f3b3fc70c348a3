"""Paces: how long a player has for a decision, under names that people choose from."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.core.games import Days
from engine.registry import AnyRules
from games.tables.models import Game
from notifications.clock.calendar import Allowance, Bank


@dataclass(frozen=True)
class Pace:
    """A table's speed.

    Arguments:
        title: its name on a card.
        label: what hosts and players read.
        about: whom it suits, in a sentence.
        allowance: for each decision.
        bank: each seat's reserve, or None for none.
        share: duration of a game relative to one with one day per move (docs/simulation.md); None if not measured.
        steward_hours: everybody who sits down has a steward that acts after so many waking hours; None for no one.
        is_live: everybody sits at the table now: no nights, weekends or vacations.
    """

    name: str
    label: str | Promise
    allowance: Allowance
    bank: Bank | None = None
    is_live: bool = False
    steward_hours: int | None = None
    about: str | Promise = ""
    share: float | None = None
    title: str | Promise = ""


HOUR = timedelta(hours=1)
DAYS_UP_TO, WEEKS_UP_TO, MONTH = 11, 70, 30.4
LIVE = "live"
PRESETS = (
    Pace(
        "relaxed",
        _("relaxed: 3 days per move"),
        Allowance(days=3),
        about=_("For busy people. Most players still answer within a day, so a game takes about a third longer."),
        share=1.35,
        title=_("Relaxed"),
    ),
    Pace(
        "daily",
        _("daily: one day per move"),
        Allowance(days=1),
        about=_("For most groups: everyone checks their email once a day."),
        share=1,
        title=_("Daily"),
    ),
    Pace(
        "brisk",
        _("brisk: 12 hours per move, plus a one-day time bank"),
        Allowance(hours=12),
        Bank(start=24 * HOUR, increment=HOUR, cap=48 * HOUR),
        about=_("For people who check in several times a day; the time bank covers the day they can't."),
        share=0.9,
    ),
    Pace(
        "swift",
        _("swift: one day per move, but the proposal is played after 8 waking hours"),
        Allowance(days=1),
        steward_hours=8,
        share=0.7,
        about=_(
            "For a game of about a week. Everyone who joins agrees to have a steward: it plays the proposal for "
            "you if you haven't answered after 8 of your waking hours and everyone else has."
        ),
    ),
    Pace(
        LIVE,
        _("live: 15 minutes per move, everyone at their screen"),
        Allowance(hours=0.25),
        is_live=True,
        about=_("For an evening when everyone is at their screen, and for games against bots."),
        title=_("Evening"),
    ),
)


def _all() -> Mapping[str, Pace]:
    return _with(settings.EXTRA_PACE)


@cache
def _with(another: str) -> Mapping[str, Pace]:
    name, _colon, seconds = another.partition(":")
    extra = [Pace(name, f"{name}: {float(seconds):g} s", Allowance(hours=float(seconds) / 3600))] if name else []
    return {pace.name: pace for pace in (*PRESETS, *extra)}


def paces() -> list[tuple[str, str | Promise]]:
    """(name, label) of every pace a host may choose."""
    return [(pace.name, pace.label) for pace in _all().values()]


def find(name: str) -> Pace:
    """The pace of that name. Raises KeyError for one that does not exist."""
    return _all()[name]


def running(game: Game) -> Pace:
    """The pace by which the clocks of a table run now: the live one in an hour together, else its own."""
    return find(LIVE if game.is_live_hour else game.pace)


def full_bank(name: str) -> timedelta | None:
    """Returns the time bank that each seat begins with at a pace; None if the pace has none."""
    bank = find(name).bank
    return bank.start if bank is not None else None


def steward_hours(name: str) -> int | None:
    """After how many waking hours everybody's steward acts at a pace; None where nobody has one unasked."""
    return find(name).steward_hours


def needs_proposals(name: str) -> bool:
    """True of a pace at which everybody has a steward; False for one that does not exist."""
    speed = _all().get(name)
    return speed is not None and speed.steward_hours is not None


def all_paces() -> list[Pace]:
    """Every pace a host may choose."""
    return list(_all().values())


def is_live(name: str) -> bool:
    """True if nothing but a pause stops the clocks; False for a pace that is no longer offered."""
    speed = _all().get(name)
    return speed is not None and speed.is_live


def days(game: Game) -> Days | None:
    """Estimates how many calendar days the game of a table takes; None if that was not measured."""
    return days_of(game.rules, game.pace, game.seat_count, game.options, proposals=game.has_proposals)


def days_of(rules: AnyRules, name: str, seats: int, options: Mapping[str, str], *, proposals: bool) -> Days | None:
    """Estimates how many calendar days a game takes with these rules, this pace and so many people."""
    speed = _all().get(name)
    measured = rules.days(seats, options, proposals=proposals)
    if measured is None or speed is None or speed.share is None:
        return None
    return Days(measured.keen * speed.share, measured.casual * speed.share)


def days_in_words(days: Days) -> str:
    """Formats how long a game takes as people would say it, such as "about 2 weeks".

    One number, the same on every page: the geometric mean of keen and of casual people, of which most are neither.
    """
    length = math.sqrt(days.keen * days.casual)
    unit = 1 if length < DAYS_UP_TO else 7 if length < WEEKS_UP_TO else MONTH
    return gettext("about %(longest)s") % {"longest": _UNITS[unit](max(1, round(length / unit)))}


_UNITS: Mapping[float, Callable[[int], str]] = {
    1: lambda count: ngettext("%(count)s day", "%(count)s days", count) % {"count": count},
    7: lambda count: ngettext("%(count)s week", "%(count)s weeks", count) % {"count": count},
    MONTH: lambda count: ngettext("%(count)s month", "%(count)s months", count) % {"count": count},
}
