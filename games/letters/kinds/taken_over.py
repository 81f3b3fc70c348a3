"""Somebody else plays on in your place."""

from django.utils.translation import gettext as _

from games.letters import reasons
from games.letters.base import Draft
from games.letters.subjects import SeatLetter, is_of
from games.tables.seats import Seat
from notifications.models import Notice


class TakenOver(SeatLetter):
    """For the former player of a seat."""

    template = "taken_over"
    event = "seat.taken_over"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when he has the seat again."""
        return reasons.SEAT_RETURNED if is_of(about, notice.recipient) else ""

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Who plays on; the links of earlier mails are void."""
        context = {"heading": _("Your seat was taken over"), "successor": about.spoken_name}
        subject = _("Your seat in %(table)s was taken over") % {"table": about.game.spoken_title}
        return Draft(subject, _("You were away, and somebody plays on in your place."), context)

    def waits_for(self, about: Seat) -> None:
        """Nothing: the seat is somebody else's."""

    def in_short(self, about: Seat, names: str) -> str:
        """Who plays on."""
        return _("%(names)s plays on in a seat that was given up.") % {"names": names}
