"""A table was closed before its game began."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.letters import words
from games.letters.common import Draft, GameLetter
from games.models import Game
from notifications.models import Notice


class Closed(GameLetter):
    """For everybody who sat there or was invited, strangers among them."""

    template = "closed"
    event = "table.closed"

    def why_stale(self, notice: Notice, about: Game) -> str:
        """A closed table stays closed."""
        return "" if about.status == Game.Status.CLOSED else gettext_noop("the table is not closed")

    def draft(self, notice: Notice, about: Game) -> Draft:
        """That it is closed, and whether it was the host or the calendar."""
        title = words.unlinked(about.title)
        has_expired = about.finished_at is not None and about.finished_at >= about.expires_at
        context = {"heading": _("The table was closed"), "title": title, "has_expired": has_expired}
        subject = _("The table %(table)s was closed") % {"table": title}
        return Draft(subject, _("The game will not take place."), context)

    def in_short(self, about: Game, names: str) -> str:
        """That there will be no game."""
        return _("The table was closed. The game will not take place.")

    def facts(self, about: Game) -> dict[str, Any] | None:
        """Nothing beside the table itself."""
        return {}
