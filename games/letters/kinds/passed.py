"""Your time ran out and your move was made for you."""

from typing import Any

from django.utils.translation import gettext as _
from msgspec import convert

from engine.core import Text
from games import links
from games.letters import reasons
from games.letters.base import Draft
from games.letters.subjects import DecisionLetter
from games.play import history, queries
from games.play.models import Decision
from games.play.proposal_forms import lines_of_played
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Notice


class Passed(DecisionLetter):
    """Says what was done, and after how many more misses the seat becomes absent."""

    template = "passed"
    event = "decision.passed"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale if another email tells it: the one that asks next, or that says that he is absent or how it ended."""
        asked = about.seat.decisions.filter(pk__gt=about.pk, opened_at__gte=notice.created_at, is_automatic=False)
        is_playing = about.game.status == Game.Status.RUNNING and about.seat.status == Seat.Status.ACTIVE
        return super().why_stale(notice, about) if is_playing and not asked.exists() else reasons.TOLD_LATER

    def why_stale_for_all(self, notice: Notice, about: Decision) -> str:
        """Webhooks are told in any case."""
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """What was done, and what it means."""
        game, seat = about.game, about.seat
        context = {
            "heading": _("Your move was made for you"),
            "done": [line.text for line in history.lines_of_answer(about)],
            "silence": _default_text(game, notice.data.get("silence")),
            "proposed": lines_of_played(queries.Access(game, seat), about) if notice.data.get("is_proposal") else [],
            "misses_left": max(0, game.absent_after - seat.misses) if seat.status == Seat.Status.ACTIVE else 0,
        }
        subject = _("Your time ran out in %(table)s") % {"table": game.spoken_title}
        preview = _("The game goes on; your move was made for you.")
        return Draft(subject, preview, context, headers=links.reply_headers(about))

    def in_short(self, about: Decision, names: str) -> str:
        """Whose move was made."""
        return _("Time ran out, and the move was made: %(names)s.") % {"names": names}

    def facts(self, about: Decision) -> dict[str, Any] | None:
        """Nothing about a sealed question: nobody may know who did not answer it."""
        return None if about.is_sealed else super().facts(about)


def _default_text(game: Game, silence: dict[str, Any] | None) -> str:
    """What was done for the player, where nobody else may see it yet."""
    return queries.say(game, convert(silence, Text)) if silence else ""
