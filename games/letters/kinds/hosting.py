"""Emails about what a host does: changed settings, and his role that he hands over."""

from django.utils.translation import gettext as _

from games import links
from games.letters import reasons
from games.letters.base import Draft, Letter
from games.letters.subjects import PlayerLetter, seats_of
from games.lobby import hosting
from games.lobby.models import HostOffer
from games.moderation import canned
from games.moderation.models import ModerationEntry
from games.tables.models import Game
from games.tables.names import isolated
from games.tables.seats import Seat
from notifications.channels.mail.letter import one_line
from notifications.models import Notice


class SettingsChanged(PlayerLetter):
    """What has changed, and one button to agree: the game does not start without it."""

    template = "settings_changed"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the player has agreed, when the game has begun, and when the settings have changed once more."""
        if about.game.status != Game.Status.OPEN:
            return reasons.NOBODY_MISSING
        if about.has_agreed:
            return reasons.HAS_AGREED
        if notice.data.get("version") != about.game.settings_version:
            return reasons.SETTINGS_CHANGED
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Each difference since he agreed."""
        title = about.game.spoken_title
        context = {
            "heading": _("The settings of your table have changed"),
            "host": isolated(one_line(about.game.host.name, 40)),
            "differences": hosting.settings_differences(about),
            "agree_url": (url := links.agreement_url(about)),
        }
        subject = _("%(table)s: new settings, do you agree?") % {"table": title}
        return Draft(subject, _("The game can't start until you've agreed."), context, url, _("Look at the changes"))

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: it is asked of one person."""
        return None


class HostOffered(Letter[HostOffer]):
    """The host asks somebody at the table to take over his role."""

    template = "host_offered"

    def find(self, key: str) -> HostOffer | None:
        """The offer of a key such as "host_offer:k3v9pq2mzt7a"."""
        row = HostOffer.objects.filter(ref=key.partition(":")[2]).select_related("game__host", "user").first()
        if row is not None:
            seats_of(row.game)
        return row

    def game_of(self, about: HostOffer) -> Game:
        """The game whose host he would be."""
        return about.game

    def why_stale(self, notice: Notice, about: HostOffer) -> str:
        """Stale when the game is over; an offer that is answered or withdrawn is gone."""
        return reasons.GAME_OVER if about.game.is_over else ""

    def draft(self, notice: Notice, about: HostOffer) -> Draft:
        """Who asks, and what a host does."""
        facts = {"name": isolated(one_line(about.game.host.name, 40)), "table": about.game.spoken_title}
        context = {
            "heading": _("%(name)s asks you to be the host of %(table)s") % facts,
            "has_begun": about.game.started_at is not None,
            "offer_url": (url := links.host_offer_url(about)),
        }
        subject = _("%(table)s: would you be the host?") % facts
        return Draft(subject, _("You can accept or decline."), context, url, _("Look at the offer"))

    def facts(self, about: HostOffer) -> dict[str, object] | None:
        """None: it is asked of one person."""
        return None


class HostChanged(PlayerLetter):
    """The table has another host."""

    template = "host_changed"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is over, or the role has changed hands once more."""
        if about.game.is_over:
            return reasons.GAME_OVER
        is_host = notice.data.get("host") == about.game.host_id
        return super().why_stale(notice, about) if is_host else reasons.HOST_CHANGED

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Who it is."""
        facts = {"name": isolated(one_line(about.game.host.name, 40)), "table": about.game.spoken_title}
        heading = _("%(name)s is now the host of %(table)s") % facts
        entry = about.game.moderation.filter(action=ModerationEntry.Action.HAND_OVER).last()
        context = {"heading": heading, "is_taken": entry is not None and entry.reason == canned.TAKEN}
        return Draft(heading, _("The game goes on as before."), context)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: a chat needs no word of it."""
        return None
