"""The game is over."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import queries
from games.letters.common import Draft, SeatLetter
from games.models import Game, Seat
from notifications.models import Notice


class GameOver(SeatLetter):
    """Who has won and why, everybody's place, and the seed that was kept secret until now."""

    template = "game_over"
    event = "game.over"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """A game that is over stays over."""
        is_over = about.game.status == Game.Status.FINISHED
        return super().why_stale(notice, about) if is_over else gettext_noop("the game is not over")

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """The result in words, the ranking, and what the commitment was made of."""
        game = about.game
        result = queries.result(game)
        assert result is not None, game.ref
        context = {
            "heading": _("The game is over"),
            "reason": result.reason,
            "own": _own(result, about),
            "places": [(place, seat.display_name, score, seat.pk == about.pk) for place, seat, score in result.places],
            "rules": queries.say(game, game.rules.title),
            "commitment": game.commitment,
            "seed": game.server_seed,  # secret until the game is over, which it is
        }
        return Draft(_("%(table)s is over") % {"table": game.title}, result.reason, context)

    def facts(self, about: Seat) -> dict[str, Any] | None:
        """The result, the same for everybody at the table."""
        result = queries.result(about.game)
        if result is None:
            return None
        ranking = [
            {"place": place, "seat": seat.number, "player": seat.display_name, "score": score}
            for place, seat, score in result.places
        ]
        return {"winners": [seat.number for seat in result.winners], "ranking": ranking}


def _own(result: queries.Result, seat: Seat) -> str:
    if seat.pk in {winner.pk for winner in result.winners}:
        return _("You have won. Congratulations!")
    place = next(place for place, other, _score in result.places if other.pk == seat.pk)
    return _("You have come in at place %(place)s.") % {"place": place}
