"""A table was closed before its game began."""

from django.utils.translation import gettext as _

from games.letters import phrases, reasons
from games.letters.base import Draft
from games.letters.subjects import GameLetter
from games.play import queries
from games.tables.models import Game
from games.tables.names import isolated
from notifications.models import Notice


class Closed(GameLetter):
    """For everybody who sat there or was invited, strangers among them."""

    template = "closed"
    event = "table.closed"

    def why_stale(self, notice: Notice, about: Game) -> str:
        """Stale only if the table is not closed."""
        return "" if about.status == Game.Status.CLOSED else reasons.TABLE_NOT_CLOSED

    def draft(self, notice: Notice, about: Game) -> Draft:
        """That it is closed, and by whom: host or calendar, or a moderator or all players in the middle of the game."""
        title = isolated(phrases.unlinked(about.title))
        if about.started_at is not None:
            return _cancelled(about, title)
        has_expired = about.finished_at is not None and about.finished_at >= about.expires_at
        context = {"heading": _("The table was closed"), "title": title, "has_expired": has_expired}
        subject = _("The table %(table)s was closed") % {"table": title}
        return Draft(subject, _("The game will not take place."), context)

    def in_short(self, about: Game, names: str) -> str:
        """That there will be no game, or no end of it."""
        if about.started_at is not None:
            return _who_ended(about)
        return _("The table was closed. The game will not take place.")

    def facts(self, about: Game) -> dict[str, object] | None:
        """Returns nothing beside the table."""
        return {}


def _who_ended(game: Game) -> str:
    is_cancelled = queries.cancelled(game) is not None
    return _("A moderator has ended the game.") if is_cancelled else _("The players have agreed to end the game.")


def _cancelled(game: Game, title: str) -> Draft:
    entry = queries.cancelled(game)
    reason = phrases.unlinked(entry.reason_in_words) if entry else ""
    context = {"heading": _("The game was ended"), "title": title, "agreed": entry is None}
    context |= {"cancelled": entry is not None, "reason": reason}
    subject = _("%(table)s was ended without a result") % {"table": title}
    return Draft(subject, _who_ended(game), context)
