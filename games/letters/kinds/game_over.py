"""The game is over."""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import page_urls
from games.letters import reasons
from games.letters.asking import following
from games.letters.base import Draft
from games.letters.pictures.board import DrawnBoard, board_picture
from games.letters.review import review_context
from games.letters.subjects import SeatLetter
from games.play import history, queries, stored_moves
from games.play.models import Move
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.messages import Picture
from notifications.models import Notice

LAST_LINES = 8  # of the log: how it ended


class GameOver(SeatLetter):
    """Who has won and why, everybody's place, and the seed that was kept secret until now."""

    template = "game_over"
    event = "game.over"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale if the game is not over, as after a roll-back, or the seat has another player."""
        is_over = about.game.status == Game.Status.FINISHED
        return super().why_stale(notice, about) if is_over else reasons.GAME_NOT_OVER

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
            "story": [*history.story(game), *_figures(game)],
            "last_lines": [line.text for line in history.recent_lines(queries.Access(game, None), LAST_LINES)],
            "history_url": page_urls.history_url(game),
            "following": following(about),
            "commitment": game.commitment,
            "seed": game.server_seed,  # secret until the game is over, which it is
            **(review := review_context(about)),
        }
        chart = review.get("chart")
        pictures = (chart,) if isinstance(chart, Picture) else ()
        title = _("%(table)s is over") % {"table": game.spoken_title}
        return Draft(title, result.reason, context, pictures=pictures)

    def picture(self, about: Seat) -> DrawnBoard:
        """The last board, as everybody may see it."""
        access = queries.Access(about.game, None)
        return board_picture(access, queries.view_of(access))

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """Who won and why, and everybody's place."""
        result = queries.result(about.game)
        if result is None:
            return ""
        places = [f"{place}. {seat.spoken_name} ({score})" for place, seat, score in result.places]
        return "\n".join([result.reason, *places])

    def facts(self, about: Seat) -> dict[str, object] | None:
        """The result, the same for everybody at the table."""
        result = queries.result(about.game)
        if result is None:
            return None
        ranking = [
            {"place": place, "seat": seat.number, "player": seat.display_name, "score": score}
            for place, seat, score in result.places
        ]
        return {"winners": [seat.number for seat in result.winners], "ranking": ranking}


def _figures(game: Game) -> list[str]:
    """Returns figures of the game: its length, moves by player, missed deadlines."""
    answers = Counter(stored_moves.values(game, "seat", "source", kind=Move.Kind.ANSWER))
    passed = sum(number for (_seat, source), number in answers.items() if source == Move.Source.DEADLINE)
    lines = []
    if game.started_at and game.finished_at:
        days = max(1, (game.finished_at - game.started_at).days)
        moves = sum(answers.values())
        facts = {"days": ngettext("%(n)s day", "%(n)s days", days) % {"n": days}, "moves": moves}
        lines.append(_("The game took %(days)s and %(moves)s moves.") % facts)
    by_seat = Counter(dict.fromkeys(game.seated(), 0))
    for (number, _source), count in answers.items():
        by_seat.update({seat: count for seat in game.seated() if seat.number == number})
    counts = [f"{seat.spoken_name} {by_seat[seat]}" for seat in by_seat]
    lines.append(_("Moves: %(counts)s") % {"counts": ", ".join(counts)})
    if passed:
        lines.append(
            ngettext("A deadline passed %(n)s time.", "A deadline passed %(n)s times.", passed) % {"n": passed}
        )
    return lines


PLACES = {
    1: gettext_lazy("You came first."),  # level with the winners, without being one
    2: gettext_lazy("You came second."),
    3: gettext_lazy("You came third."),
    4: gettext_lazy("You came fourth."),
    5: gettext_lazy("You came fifth."),
}
"""What a player who has not won reads, by place; a table has five seats at most."""


def _own(result: queries.GameResult, seat: Seat) -> str:
    if seat.pk in {winner.pk for winner in result.winners}:
        return _("You have won. Congratulations!")
    place = next(place for place, other, _score in result.places if other.pk == seat.pk)
    return str(PLACES[place])
