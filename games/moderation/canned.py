"""Ready-made reasons of moderators and hosts. Each is stored as it stands here, and read in its reader's language."""

from django.utils.translation import gettext, gettext_noop

PEOPLE = (
    gettext_noop("Please keep the table talk friendly. Insults have no place here."),
    gettext_noop("Please don't talk about the game with other players outside the table."),
    gettext_noop("Please don't stop answering when a game goes badly for you; resign instead."),
    gettext_noop("You seem to use several accounts at one table. Each person plays one seat."),
    gettext_noop("Please don't use the table talk for advertising."),
)
TABLES = (
    gettext_noop("A player has asked us for help with this game."),
    gettext_noop("The game has been waiting for a long time."),
    gettext_noop("We're looking into what happened in this game."),
    gettext_noop("Everyone who is still playing has asked us for this."),
    gettext_noop("A fault of ours has disturbed this game. We're sorry."),
)
REPORTS = (
    gettext_noop("Thank you for telling us. We've spoken with the people involved."),
    gettext_noop("We've looked at the game and found nothing against the rules."),
    gettext_noop("We've looked at this again and see it as before."),
    gettext_noop("You were right, and we're sorry."),
)
HOSTS = (
    gettext_noop("We'd like to go on."),
    gettext_noop("Somebody has asked for more time."),
    gettext_noop("The player hasn't answered for a long time."),
)
ACCEPTED = gettext_noop("The new host has accepted.")  # of the host's role that changes hands
TAKEN = gettext_noop("The host had not been here for a week.")  # of the same
ALL = frozenset((*PEOPLE, *TABLES, *REPORTS, *HOSTS, ACCEPTED, TAKEN))
SEPARATOR = " – "  # between a ready-made reason and the writer's own words


def combined(ready: str, own: str) -> str:
    """Returns the reason that is stored: a ready-made one, own words, or both."""
    return SEPARATOR.join(part for part in (ready, own.strip()) if part)


def in_words(reason: str) -> str:
    """Returns a stored reason as its reader reads it: what is ready-made in the active language."""
    ready, separator, own = reason.partition(SEPARATOR)
    if ready in ALL:
        return gettext(ready) + separator + own
    return reason
