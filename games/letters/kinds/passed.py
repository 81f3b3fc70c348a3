"""Your time ran out and your move was made for you."""

from typing import Any

from django.utils.translation import gettext as _
from msgspec import convert

from engine.core import Text
from games import links
from games.letters import asking, phrases
from games.letters.base import Draft
from games.letters.subjects import DecisionLetter
from games.log import log_entries
from games.models import Decision, Game, Seat
from games.orders.proposal_forms import lines_of_played
from games.play import queries
from notifications.models import Notice


class Passed(DecisionLetter):
    """Says what was done, and after how many more misses the seat becomes absent."""

    template = "passed"
    event = "decision.passed"

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """What was done, what it means, and the next question if it is asked already."""
        game, seat = about.game, about.seat
        access = queries.Access(game, seat)
        context = {
            "heading": _("Your move was made for you"),
            "done": [line.text for line in log_entries.lines_of_answer(about)],
            "silence": _default_text(game, notice.data.get("silence")),
            "proposed": lines_of_played(access, about) if notice.data.get("is_proposal") else [],
            "misses_left": max(0, game.absent_after - seat.misses) if seat.status == Seat.Status.ACTIVE else 0,
            "next": (following := self._next(about, access)),
        }
        subject = _("Your time ran out in %(table)s") % {"table": game.spoken_title}
        url, link = (following["act_url"], _("Make your next move")) if following else ("", "")
        headers = links.reply_headers(about)
        return Draft(subject, _("The game goes on; your move was made for you."), context, url, link, headers)

    def _next(self, about: Decision, access: queries.Access) -> dict[str, Any] | None:
        """What the seat is asked now, with the link and the deadline."""
        for item in queries.open_questions(access):
            row = item.decision
            if row is not None and not row.is_automatic and row.due_at is not None:
                row.game, row.seat = about.game, about.seat
                title = queries.say(about.game, item.question.title)
                return {"title": title, "deadline": phrases.moment(row.due_at), **asking.asked(row, item.question)}
        return None

    def in_short(self, about: Decision, names: str) -> str:
        """Whose move was made."""
        return _("Time ran out, and the move was made: %(names)s.") % {"names": names}

    def facts(self, about: Decision) -> dict[str, Any] | None:
        """Nothing about a sealed question: nobody may know who did not answer it."""
        return None if about.is_sealed else super().facts(about)


def _default_text(game: Game, silence: dict[str, Any] | None) -> str:
    """What was done for the player, where nobody else may see it yet."""
    return queries.say(game, convert(silence, Text)) if silence else ""
