"""Your seat is absent until you come back."""

from django.utils.translation import gettext as _

from games import links
from games.letters import reasons
from games.letters.base import Draft
from games.letters.subjects import SeatLetter
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Notice


class Absent(SeatLetter):
    """Written after several misses in a row. One click, and a confirmation, brings the player back."""

    template = "absent"
    event = "seat.absent"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the player is back, or has resigned."""
        is_away = about.status == Seat.Status.ABSENT and about.game.status == Game.Status.RUNNING
        return super().why_stale(notice, about) if is_away else reasons.PLAYER_BACK

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """What this table does with an absent seat, and the way back."""
        game = about.game
        context = {
            "heading": _("The game goes on without you"),
            "meaning": _meaning(game),
            "back_url": (back_url := links.seat_url("back", about)),
        }
        subject = _("%(table)s no longer waits for you") % {"table": game.spoken_title}
        return Draft(subject, _("You can come back at any time."), context, back_url, _("I am back"))

    def in_short(self, about: Seat, names: str) -> str:
        """Who is absent."""
        return _("Nobody waits any more for %(names)s.") % {"names": names}


def _meaning(game: Game) -> str:
    if game.absent_seats == Game.AbsentSeats.TAKEOVER and not game.is_listed:
        return _(
            "Until you come back your moves are passed at once. "
            "Whoever gets the link of the table may take your seat over meanwhile."
        )
    return {
        Game.AbsentSeats.BOT: _("Until you come back a bot plays for you."),
        Game.AbsentSeats.TAKEOVER: _(
            "Until you come back your moves are passed at once. Anybody may take your seat over meanwhile."
        ),
    }.get(Game.AbsentSeats(game.absent_seats), _("Until you come back your moves are passed at once."))
