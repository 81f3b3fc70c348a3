"""The game goes on from an earlier step."""

from django.utils.translation import gettext as _

from engine.records.checking import origin_of
from games.letters import reasons
from games.letters.base import Draft
from games.letters.phrases import unlinked
from games.letters.subjects import SeatLetter
from games.moderation.models import ModerationEntry
from games.play import replay
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Notice


class RolledBack(SeatLetter):
    """For everybody at the table; what is asked now comes in a letter of its own."""

    template = "rolled_back"
    event = "game.rolled_back"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game was rolled back again."""
        is_last = notice.dedupe_key.split(":")[2:3] in ([], [str(about.game.branch)])
        return super().why_stale(notice, about) if is_last else reasons.TAKEN_BACK_AGAIN

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """To which step, why, and what that means."""
        game = about.game
        entry = game.moderation.filter(action=ModerationEntry.Action.ROLL_BACK).last()
        context = {
            "heading": _("The game goes on from an earlier step"),
            "step": _step(game),
            "reason": unlinked(entry.reason) if entry else "",
        }
        subject = _("%(table)s was taken back to step %(step)s") % {"table": game.spoken_title, "step": _step(game)}
        return Draft(subject, _("A moderator has taken the game back."), context)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """To which step."""
        return _("A moderator has taken the game back to step %(step)s.") % {"step": _step(about.game)}

    def facts(self, about: Seat) -> dict[str, object] | None:
        """To which step, and how often it has happened."""
        return {"step": _step(about.game), "branch": about.game.branch}


def _step(game: Game) -> int:
    moves = replay.roll_backs(game)
    return origin_of(moves[-1]).step if moves else 0
