"""The game has begun."""

from django.utils.translation import gettext as _

from games import page_urls
from games.letters import phrases, reasons
from games.letters.base import Draft, seat_facts
from games.letters.subjects import SeatLetter
from games.play import history, queries
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from notifications.channels.mail.letter import one_line
from notifications.models import Notice


def _tournament(game: Game) -> dict[str, object]:
    """Which round of which tournament it is; {} for other games."""
    table = tournaments.table_of(game)
    if table is None:
        return {}
    tournament = table.round.tournament
    facts = {
        "round": table.round.number,
        "of": tournament.round_count,
        "tournament": one_line(tournament.display_title, 60),
    }
    told = _("This is round %(round)s of %(of)s of the tournament %(tournament)s.") % facts
    ends = _("What isn't finished by %(moment)s counts as a tie.") % {"moment": phrases.moment(table.round.ends_at)}
    return {"tournament": f"{told} {ends}", "tournament_url": page_urls.tournament_url(tournament)}


class Started(SeatLetter):
    """Who sits where, who begins, and the promise about the shuffle."""

    template = "started"
    event = "game.started"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is over, which has an email of its own."""
        is_running = about.game.status == Game.Status.RUNNING
        return super().why_stale(notice, about) if is_running else reasons.GAME_OVER

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Seats in order, the first lines of the log, pace and options, the commitment."""
        game = about.game
        opening = [line.text for line in history.log_lines(queries.Access(game, None), until=1)]
        context = {
            "heading": _("The game has begun"),
            "rules": queries.say(game, game.rules.title),
            "seats": [(seat.display_name, seat.pk == about.pk) for seat in game.seated()],
            "opening": opening,
            "pace": phrases.pace_in_words(game),
            "options": phrases.options_in_words(game),
            "commitment": game.commitment,
            **_tournament(game),
        }
        return Draft(_("%(table)s has begun") % {"table": game.spoken_title}, " ".join(opening), context)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def facts(self, about: Seat) -> dict[str, object] | None:
        """Who sits where."""
        return {"seats": [seat_facts(seat) for seat in about.game.seated()]}

    def in_short(self, about: Seat, names: str) -> str:
        """The players."""
        return _("The game has begun: %(names)s.") % {"names": ", ".join(about.game.spoken_names())}
