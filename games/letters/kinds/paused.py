"""The game is paused, or goes on."""

from datetime import datetime

from django.utils.translation import gettext as _

from games import links
from games.letters import phrases, reasons
from games.letters.asking import question_of
from games.letters.base import Draft, with_until
from games.letters.subjects import SeatLetter
from games.play import queries
from games.play.models import Decision
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Notice


class Paused(SeatLetter):
    """The clocks are stopped until the game is resumed."""

    template = "paused"
    event = "game.paused"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is resumed: that is reported by `Resumed`."""
        return super().why_stale(notice, about) if about.game.paused_at else reasons.NOT_PAUSED

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Who paused it, and until when at most."""
        game = about.game
        context = {
            "heading": _("The game is paused"),
            "by_moderator": game.paused_by == Game.PausedBy.MODERATOR,
            "latest": phrases.moment(game.pause_ends_at) if game.pause_ends_at else "",
        }
        subject = _("%(table)s is paused") % {"table": game.spoken_title}
        return Draft(subject, _("All clocks stand still."), context)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """That it is paused."""
        return with_until(_("The game is paused; all clocks stand still."), self.until(about))

    def until(self, about: Seat) -> datetime | None:
        """When it goes on by itself."""
        return about.game.pause_ends_at

    def facts(self, about: Seat) -> dict[str, object] | None:
        """Until when at most."""
        latest = about.game.pause_ends_at
        return {"paused_until": latest.isoformat() if latest else None}


class Resumed(SeatLetter):
    """The clocks run again; for whoever is asked something, his new deadline."""

    template = "resumed"
    event = "game.resumed"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is over or paused again."""
        if about.game.status != Game.Status.RUNNING:
            return reasons.GAME_OVER
        return reasons.PAUSED_AGAIN if about.game.paused_at else super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """What the seat is asked, and until when."""
        game = about.game
        row = about.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).order_by("due_at").first()
        due = row.due_at if row is not None else queries.due_at(game)
        act_url = links.act_url(row) if row is not None else ""
        context: dict[str, object] = {
            "heading": _("The game goes on"),
            "is_asked": row is not None,
            "question": _title(row, about) if row is not None else "",
            "deadline": phrases.moment(due) if due else "",
            "act_url": act_url,
        }
        subject = _("%(table)s goes on") % {"table": game.spoken_title}
        url, link = (act_url, _("Make your move")) if row is not None else ("", "")
        return Draft(subject, _("The pause is over; the clocks run again."), context, url, link)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """That it goes on."""
        return with_until(_("The pause is over; the clocks run again."), self.until(about))

    def until(self, about: Seat) -> datetime | None:
        """The next deadline."""
        return queries.due_at(about.game)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """The next deadline."""
        due = queries.due_at(about.game)
        return {"due_at": due.isoformat() if due else None}


def _title(row: Decision, seat: Seat) -> str:
    """What is asked, in a few words."""
    access = queries.Access(seat.game, seat)
    question = question_of(row, access, queries.view_of(access))
    return queries.say(seat.game, question.title) if question else ""
