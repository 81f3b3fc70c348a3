"""Your decision is still due."""

from datetime import datetime

from django.utils.translation import gettext as _

from games.letters import phrases, reasons
from games.letters.asking import AskingLetter
from games.letters.base import with_until
from games.play.models import Decision
from notifications.models import Notice


class Reminder(AskingLetter):
    """Written once, when most of the time has gone. It names the deadline, never the time left: mail may be late."""

    event = "decision.reminder"

    def is_over(self, notice: Notice, now: datetime) -> str:
        """Quiet hours or a mail server may delay it until after the deadline."""
        about = self.find(notice.subject)
        return reasons.DEADLINE_PASSED if about is not None and about.due_at is not None and about.due_at <= now else ""

    def subject(self, about: Decision, title: str) -> str:
        """The subject line; `title` is the question's."""
        return _("Reminder: your move in %(table)s – %(question)s") % {
            "table": about.game.spoken_title,
            "question": title,
        }

    def lead(self, about: Decision) -> str:
        """The first sentence."""
        if about.due_at is None:
            return super().lead(about)
        facts = {"table": about.game.spoken_title, "deadline": phrases.moment(about.due_at)}
        return _("The table %(table)s still waits for you. Your time ends on %(deadline)s.") % facts

    def push_text(self, notice: Notice, about: Decision) -> str:
        """That the table still waits."""
        return _("It's still your turn.")

    def in_short(self, about: Decision, names: str) -> str:
        """Who is still to move."""
        return with_until(_("Still to move: %(names)s.") % {"names": names}, self.until(about))

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Nothing about a sealed question: nobody may know who has not answered yet."""
        return None if about.is_sealed else super().facts(about)
