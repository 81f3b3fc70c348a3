"""Letters about what has been played: the end of a game with its review, and the weekly summary."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from engine.registry import newest
from games.archive import reviews, weekly
from games.archive.review_sentences import own_sentence
from games.archive.reviews import LETTER_FRAME, curve_of
from games.archive.weekly import Rise, Week
from games.clubs import invitations
from games.links import page_url
from games.people import friends, letters, speech
from games.people.letters import LETTER, RESULTS, WEEKLY, EmailOnly, people_mail, safe_name
from games.people.models import User
from games.play import decision_links, history, queries, stored_moves
from games.play.asking_letters import following
from games.play.game_letters import Draft, SeatLetter
from games.play.lists import Listed
from games.play.models import Move
from games.play.pictures import WIDTH, DrawnBoard, board_picture, draw, encode
from games.tables import table_links
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.composers import composes
from notifications.messages import MailMessage, Picture
from notifications.models import Notice
from notifications.reasons import declare

GAME_NOT_OVER = declare("game_not_over", gettext_noop("the game isn't over"))
NOTHING_NEW = declare("nothing_new", gettext_noop("there's nothing left to report"))
WEEK_OVER = declare("week_over", gettext_noop("the week is over"))

logger = logging.getLogger(__name__)
STROKES = (("#c0392b", "none"), ("#2f6fd0", "9 4"), ("#2a8a4a", "2 4"), ("#b07a10", "12 4 2 4"), ("#9050c0", "5 3"))
"""Colour and dashes of each seat's line, as on the pages."""


def review_context(seat: Seat) -> Mapping[str, object]:
    """Returns the template context about the review; {} if there is none and none will come.

    The email waits for no review longer than some minutes: then it says where the review will be.
    """
    game = seat.game
    state = reviews.review_of(game)
    if state.review is None:
        return {"review_url": table_links.review_url(game), "is_review_coming": True} if state.is_coming else {}
    context: dict[str, object] = {"review_url": table_links.review_url(game)}
    try:
        context["review_sentence"] = own_sentence(game, state.review, seat.number)
        context |= _drawn(game, state)
    except Exception:
        # An email without its chart still says everything else in words.
        logger.exception("The review of game %s could not be drawn", game.ref)
    return context


def _drawn(game: Game, state: reviews.ReviewState) -> Mapping[str, object]:
    assert state.review is not None
    curve = curve_of(state.review, LETTER_FRAME)
    if curve is None:
        return {}
    lines = [(line, *STROKES[line.seat % len(STROKES)]) for line in curve.lines]
    image = draw(render_to_string("games/letters/parts/review_chart.svg", {"curve": curve, "lines": lines}), WIDTH)
    last = [f"{name} {chance / 10:.0f} %" for name, chance in zip(game.spoken_names(), _start(state), strict=True)]
    return {
        "chart": Picture(encode(image)),
        "chart_width": image.width,
        "chart_height": image.height,
        "chart_alt": _("Each player's chance to win, move by move. At the start: %(chances)s.")
        % {"chances": ", ".join(last)},
        "chart_key": [(name, STROKES[number % len(STROKES)][0]) for number, name in enumerate(game.seat_names())],
    }


def _start(state: reviews.ReviewState) -> list[int]:
    assert state.review is not None
    return state.review.points[0].chances


@composes("game_over", gettext_lazy("The game is over"), topic=RESULTS)
class GameOver(SeatLetter):
    """Tells who has won and why, everybody's place, and the seed that was kept secret until now."""

    template = "game_over"
    event = "game.over"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale if the game is not over, as after a roll-back, or the seat has another player."""
        is_over = about.game.status == Game.Status.FINISHED
        return super().why_stale(notice, about) if is_over else GAME_NOT_OVER

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
            "story": [*history.story(game), *_figures(game)],
            "history_url": table_links.history_url(game),
            "following": following(about),
            "commitment": game.commitment,
            "seed": game.server_seed,  # secret until the game is over, which it is
            **(review := review_context(about)),
        }
        chart = review.get("chart")
        pictures = (chart,) if isinstance(chart, Picture) else ()
        title = _("%(table)s is over") % {"table": game.spoken_title}
        return Draft(title, result.reason, context, pictures=pictures)

    def picture(self, about: Seat, notice: Notice | None = None) -> DrawnBoard:
        """The last board, as everybody may see it."""
        access = queries.Access(about.game, None)
        return board_picture(access, queries.view_of(access))

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """Tells who won and why, and everybody's place."""
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
            {"place": place, "seat": seat.number, "name": seat.display_name, "score": score}
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
"""The sentences for a player who has not won, by place; a table has five seats at most."""


def _own(result: queries.GameResult, seat: Seat) -> str:
    if seat.pk in {winner.pk for winner in result.winners}:
        return _("You have won. Congratulations!")
    place = next(place for place, other, _score in result.places if other.pk == seat.pk)
    return str(PLACES[place])


GOOD_FOR = timedelta(days=6)


@composes("weekly", gettext_lazy("Your week"), forms=LETTER, topic=WEEKLY)
class Weekly(EmailOnly):
    """Tells what waits for its reader, how the week's games ended, the ratings, and what friends and clubs want."""

    def is_over(self, notice: Notice, now: datetime) -> str:
        """Return why it is too late: the next one is near."""
        return WEEK_OVER if now > notice.created_at + GOOD_FOR else ""

    def is_current(self, notice: Notice) -> str:
        """Stale once there is nothing left to say."""
        user = _reader(notice)
        return NOTHING_NEW if user is None or weekly.week_of(user, notice.created_at).is_empty else ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, in the reader's language and zone."""
        user = _reader(notice)
        if user is None:
            return None
        week = weekly.week_of(user, notice.created_at)
        context = {
            "waiting": [_waiting(listed) for listed in week.waiting],
            "finished": [_finished(entry.game, entry.place) for entry in week.finished],
            "rises": _rises(week.rises),
            "requests": [(safe_name(row.asker.name), friends.friend_request_url(row)) for row in week.requests],
            "invitations": [
                (safe_name(row.inviter.name), safe_name(row.club.display_name), invitations.invitation_url(row))
                for row in week.invitations
            ],
            "tables": [_table(game) for game in week.tables],
            "games_url": page_url("my_games"),
        }
        return people_mail("weekly", notice, _subject(week), context)


def _reader(notice: Notice) -> User | None:
    ref = notice.subject.removeprefix("user:")
    return User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()


def _subject(week: Week) -> str:
    count = len(week.waiting)
    if count:
        words = ngettext("Your week: %(count)s game waits for you", "Your week: %(count)s games wait for you", count)
        return words % {"count": count}
    return _("Your week")


def _waiting(listed: Listed) -> dict[str, str]:
    """A game that waits: its name, the deadline, and the link to its most urgent question."""
    row = min(listed.decisions, key=lambda row: (row.due_at is None, row.due_at))
    row.game, row.seat = listed.game, listed.seat
    return {
        "title": safe_name(listed.game.title),
        "due": letters.moment(row.due_at) if row.due_at else "",
        "url": decision_links.act_url(row),
    }


def _finished(game: Game, place: int) -> dict[str, object]:
    facts = {
        "title": safe_name(game.title),
        "rules": queries.say(game, game.rules.title),
        "url": table_links.game_url(game),
    }
    return {**facts, "place": place, "count": game.seat_count}


def _rises(rises: Sequence[Rise]) -> list[dict[str, object]]:
    titles = {rules.name: rules.say(rules.title, speech.current_language(), []) for rules in newest()}
    return [
        {"rules": titles[rise.rules_name], "before": rise.before, "after": rise.after}
        for rise in rises
        if rise.rules_name in titles
    ]


def _table(game: Game) -> dict[str, str]:
    club = safe_name(game.club.display_name) if game.club else ""
    return {"title": safe_name(game.title), "club": club, "url": table_links.game_url(game)}
