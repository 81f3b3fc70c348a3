"""A deadline was moved, through no fault of the player's."""

from django.utils.translation import gettext as _

from games import links
from games.letters import phrases, reasons
from games.letters.asking import question_of
from games.letters.base import Draft, with_until
from games.letters.subjects import DecisionLetter
from games.play import queries
from games.play.models import Decision, Extension
from notifications.models import Notice


class Extended(DecisionLetter):
    """More time, and why, after an outage; `notice.data` holds the deadline it tells of."""

    template = "extended"
    event = "decision.extended"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale when the question is answered, or its deadline has moved again."""
        if not about.is_open or about.due_at is None:
            return reasons.ANSWERED
        return (
            super().why_stale(notice, about)
            if notice.data.get("due_at") == about.due_at.isoformat()
            else reasons.DEADLINE_MOVED
        )

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """The new deadline and the public reason."""
        reason = about.extensions.order_by("-created_at", "-pk").values_list("reason", flat=True).first()
        access = queries.Access(about.game, about.seat)
        question = question_of(about, access, queries.view_of(access))
        context = {
            "heading": _("You have more time"),
            "question": queries.say(about.game, question.title) if question else "",
            "reason": str(Extension.Reason(reason).label) if reason else "",
            "deadline": phrases.moment(about.due_at) if about.due_at else "",
            "act_url": (act_url := links.act_url(about)),
        }
        subject = _("%(table)s: your deadline was moved") % {"table": about.game.spoken_title}
        preview = _("The new deadline is %(deadline)s.") % context
        return Draft(subject, preview, context, act_url, _("Make your move"), links.reply_headers(about))

    def in_short(self, about: Decision, names: str) -> str:
        """Whose deadline it is."""
        return with_until(_("The deadline was moved: %(names)s.") % {"names": names}, self.until(about))

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Nothing about a sealed question: nobody may know who has not answered yet."""
        return None if about.is_sealed else super().facts(about)
