"""Somebody mentions you in the table talk."""

from django.utils.translation import gettext as _

from games import links, page_urls
from games.letters import phrases, reasons
from games.letters.base import Draft
from games.letters.subjects import SeatLetter
from games.people.blocks import has_blocked
from games.play.models import Comment
from games.tables.names import isolated
from games.tables.seats import Seat
from notifications.channels.mail.letter import one_line
from notifications.models import Notice

PREVIEW_LENGTH = 100


class Talk(SeatLetter):
    """Quotes the comment as plain text: nothing that a player types becomes a link."""

    template = "talk"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the comment is hidden, or its author blocked since."""
        comment = _comment(notice)
        if comment is None or comment.is_hidden or _is_blocked(comment, notice):
            return reasons.COMMENT_REMOVED
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """The words line by line, and the way to answer."""
        comment = _comment(notice)
        assert comment is not None
        name = isolated(phrases.unlinked(one_line(comment.speaker, 40))) or "?"
        lines = [phrases.unlinked(line) for line in comment.text.splitlines()]
        talk_url = page_urls.game_url(about.game) + "#talk"
        facts = {"name": name, "table": about.game.title}
        subject = _("%(name)s mentioned you in %(table)s") % facts
        headers = _reply_headers(about)
        context = {
            "heading": _("%(name)s mentioned you") % facts,
            "lines": lines,
            "talk_url": talk_url,
            "can_reply": bool(headers),
        }
        preview = one_line(" ".join(lines), PREVIEW_LENGTH)
        return Draft(subject, preview, context, talk_url, _("Answer at the table"), headers)

    def push_text(self, notice: Notice, about: Seat) -> str:
        """Who, without the words."""
        comment = _comment(notice)
        name = isolated(one_line(comment.speaker, 40)) if comment is not None else ""
        return _("%(name)s mentioned you") % {"name": name or "?"}

    def facts(self, about: Seat) -> dict[str, object] | None:
        """No webhook: it is for one person."""
        return None


def _reply_headers(seat: Seat) -> dict[str, str]:
    """A reply is said to the table; nobody can reply before his seat was asked something."""
    row = seat.decisions.select_related("seat").order_by("-pk").first()
    address = links.talk_address(row) if row else ""
    return {"Reply-To": address} if address else {}


def _is_blocked(comment: Comment, notice: Notice) -> bool:
    return comment.author is not None and has_blocked(notice.recipient_id, comment.author)


def _comment(notice: Notice) -> Comment | None:
    return Comment.objects.filter(ref=notice.data.get("comment", "")).select_related("author").first()
