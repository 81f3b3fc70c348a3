"""You missed a deadline, and got the time once more."""

from django.utils.translation import gettext as _

from games.letters.asking import AskingLetter
from games.letters.base import with_until
from games.play.models import Decision


class Excused(AskingLetter):
    """Written when the one excused miss of a game is used up."""

    event = "decision.excused"

    def subject(self, about: Decision, title: str) -> str:
        """The subject line; `title` is the question's."""
        facts = {"table": about.game.spoken_title, "question": title}
        return _("You have more time in %(table)s – %(question)s") % facts

    def lead(self, about: Decision) -> str:
        """The first sentence."""
        return _(
            "Your time at the table %(table)s ran out. The first missed deadline is excused here, so the time for this "
            "move starts again. The next one will not be excused."
        ) % {"table": about.game.spoken_title}

    def in_short(self, about: Decision, names: str) -> str:
        """Whose time starts again."""
        text = _("Time ran out, and is given once more: %(names)s.") % {"names": names}
        return with_until(text, self.until(about))

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Nothing about a sealed question: nobody may know who has not answered yet."""
        return None if about.is_sealed else super().facts(about)
