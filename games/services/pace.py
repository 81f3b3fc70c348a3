"""How long a player has for a decision, under names people use."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from notifications.clock.reckoning import Allowance, Bank


@dataclass(frozen=True)
class Pace:
    """A table's speed.

    Arguments:
        label: what hosts and players read.
        allowance: for each decision.
        bank: each seat's reserve, or None for none.
        is_live: everybody sits at the table now: no nights, weekends or vacations.
    """

    name: str
    label: str | Promise
    allowance: Allowance
    bank: Bank | None = None
    is_live: bool = False


HOUR = timedelta(hours=1)
PRESETS = (
    Pace("relaxed", _("relaxed: 3 days a move"), Allowance(days=3)),
    Pace("daily", _("daily: a day a move"), Allowance(days=1)),
    Pace(
        "brisk",
        _("brisk: 12 hours a move, and a time bank of a day"),
        Allowance(hours=12),
        Bank(start=24 * HOUR, increment=HOUR, cap=48 * HOUR),
    ),
    Pace("live", _("live: 15 minutes a move, everybody at the table"), Allowance(hours=0.25), is_live=True),
)


def _all() -> Mapping[str, Pace]:
    name, _colon, seconds = settings.EXTRA_PACE.partition(":")
    extra = [Pace(name, f"{name}: {float(seconds):g} s", Allowance(hours=float(seconds) / 3600))] if name else []
    return {pace.name: pace for pace in (*PRESETS, *extra)}


def paces() -> list[tuple[str, str | Promise]]:
    """(name, label) of every pace a host may choose."""
    return [(pace.name, pace.label) for pace in _all().values()]


def find(name: str) -> Pace:
    """The pace of that name. Raises KeyError for one that does not exist."""
    return _all()[name]


def is_live(name: str) -> bool:
    """True if nothing but a pause stops the clocks; False for a pace that is offered no more."""
    speed = _all().get(name)
    return speed is not None and speed.is_live
