"""How long a player has for a decision, under names people use."""

from datetime import timedelta

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ALLOWANCES: dict[str, timedelta] = {
    "relaxed": timedelta(days=3),
    "daily": timedelta(days=1),
    "brisk": timedelta(hours=12),
    "live": timedelta(minutes=15),
}
LABELS: dict[str, str | Promise] = {
    "relaxed": _("relaxed: 3 days for each decision"),
    "daily": _("daily: 24 hours for each decision"),
    "brisk": _("brisk: 12 hours for each decision"),
    "live": _("live: 15 minutes for each decision"),
}
REMINDER_SHARE = 0.8  # of the time has gone when the reminder is written
SHORTEST_REMINDED = timedelta(minutes=10)  # below this a reminder would only be noise


def _extra() -> tuple[str, timedelta] | None:
    name, _colon, seconds = settings.EXTRA_PACE.partition(":")
    return (name, timedelta(seconds=float(seconds))) if name else None


def paces() -> list[tuple[str, str | Promise]]:
    """(name, label) of every pace a host may choose."""
    extra = _extra()
    added = [(extra[0], f"{extra[0]}: {extra[1].total_seconds():g} s")] if extra else []
    return [*LABELS.items(), *added]


def allowance(pace: str) -> timedelta:
    """The time for one decision. Raises KeyError for a pace that does not exist."""
    extra = _extra()
    if extra and pace == extra[0]:
        return extra[1]
    return ALLOWANCES[pace]


def reminder_after(window: timedelta) -> timedelta | None:
    """How long after the opening of a decision its reminder is written, or None for none."""
    return window * REMINDER_SHARE if window >= SHORTEST_REMINDED else None
