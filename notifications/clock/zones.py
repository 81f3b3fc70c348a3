"""The time zones that somebody can live in."""

from functools import cache
from zoneinfo import available_timezones

# What a machine's own folder of zones holds beside them: its own zone, whatever that is, and stand-ins for none.
NO_ZONES = ("localtime", "posixrules", "Factory")


@cache
def known() -> frozenset[str]:
    """Their names by IANA. A name that each machine takes for its own zone is none: every clock reads it alike."""
    return frozenset(available_timezones().difference(NO_ZONES))
