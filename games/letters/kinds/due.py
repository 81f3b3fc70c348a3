"""Your decision is due."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.letters.asking import AskingLetter
from games.play.models import Decision


class Due(AskingLetter):
    """Sent when a question opens. A missed deadline does not count unless it was delivered."""

    event = "decision.due"

    def lead(self, about: Decision) -> str:
        """That the player has missed his last deadline, and what follows if he misses more; "" if he has not."""
        if not about.seat.misses:
            return ""
        left = max(0, about.game.absent_after - about.seat.misses)
        warning = ngettext(
            "If you miss %(number)d more in a row, the game goes on without waiting for you.",
            "If you miss %(number)d more in a row, the game goes on without waiting for you.",
            left,
        ) % {"number": left}
        return " ".join([_("You missed the last deadline, so your move was made for you."), warning])
