"""What your orders have done."""

from django.utils.translation import gettext as _

from games import links
from games.inbox.keywords import Keyword, word
from games.letters import reasons
from games.letters.base import Draft
from games.letters.subjects import SeatLetter
from games.play import history, queries
from games.play.models import Decision, Move
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Notice

MOST_LINES = 12  # of what has happened


class OrdersDone(SeatLetter):
    """Orders have answered for the player, or ended. Only the player is notified."""

    template = "orders"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the player is asked something, as that email has the news, or has answered since."""
        is_asked = about.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).exists()
        answers = about.game.moves.filter(seat=about.number, kind=Move.Kind.ANSWER, received_at__gt=notice.created_at)
        if is_asked or about.game.status != Game.Status.RUNNING or answers.exists():
            return reasons.ASKED_SINCE
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """All that has happened since the player last moved, what his orders did among it."""
        lines = [line.text for line in history.since_last_answer(queries.Access(about.game, about))]
        context = {
            "heading": _("Your orders at work"),
            "news": lines[-MOST_LINES:],
            "news_left_out": max(0, len(lines) - MOST_LINES),
            "reply": word(Keyword.ORDERS),
        }
        headers = links.reply_headers(about.decisions.select_related("seat").order_by("-pk").first())
        context["can_reply"] = bool(headers)
        subject = _("%(table)s: what your orders have done") % {"table": about.game.spoken_title}
        return Draft(subject, "", context, headers=headers)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: a webhook may have more readers than one."""
        return None
