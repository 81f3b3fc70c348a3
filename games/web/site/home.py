"""The front page, and a person's own games."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.registry import newest
from games.people.models import User
from games.people.speech import current_language
from games.play import decision_links, lists, queries
from games.play.lists import HeldReply, Listed
from games.tables import boards, pace
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from games.web import tournaments as tournaments_pages
from games.web.reader import require_user, signed_in
from games.web.tables.game_form import in_words
from notifications.channels.mail import suppressions
from notifications.clock import present

MOST_TABLES = 5  # of the listed ones, on the front page
PICTURES = ("letter", "board", "phone")  # beside the boards of the games
MOST_FINISHED = 50
URGENT = timedelta(hours=6)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: what this is and how to begin; for a member first the games that wait for him."""
    user = signed_in(request)
    context: dict[str, object] = {"tables": [table_card(game) for game in lists.newest_tables(MOST_TABLES, user)]}
    if user is not None:
        context |= _waiting(user)
    if user is None or user.is_guest:
        context |= _games()
    return render(request, "games/site/home.html", context)


def _games() -> dict[str, object]:
    """The games, and the pictures of the front page: `python -m tests.readme_pictures` draws them."""
    language = current_language()
    games = []
    for rules in newest():
        picture = boards.static_picture(rules.name, language)
        about = {
            "name": rules.name,
            "title": in_words(rules, rules.title),
            "about": in_words(rules, rules.lesson.about),
        }
        if picture:  # a game of a package of its own may have none
            about["picture"] = picture
            about["width"], about["height"] = boards.size(boards.static_svg(picture))
        games.append({"name": rules.name, **about})
    return {"games": games, "pictures": {name: boards.STATIC.format(name, language) for name in PICTURES}}


def _waiting(user: User) -> dict[str, object]:
    rows = lists.my_games(user)
    return {
        "waiting": [card(row) for row in rows if _is_turn(row) or (user.is_guest and not row.game.is_over)],
        "running_count": sum(row.game.status == Game.Status.RUNNING for row in rows),
    }


@login_required
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """All games of a person, the most urgent first: `lists.my_games`."""
    user = require_user(request)
    rows = lists.my_games(user)
    over = [row for row in rows if row.game.is_over and row.game.started_at]
    context = {
        "waiting": [card(row) for row in rows if _is_turn(row)],
        "running": [card(row) for row in rows if row.game.status == Game.Status.RUNNING and not _is_turn(row)],
        "open": [card(row) for row in rows if row.game.status == Game.Status.OPEN],
        "finished": [card(row) for row in over[:MOST_FINISHED]],
        "tournaments": [tournaments_pages.tournament_card(row) for row in tournaments.of_person(user)],
        "mail_trouble": _mail_trouble(user),
        "held": [
            {"title": one.decision.game.title, "line": one.inbound.line, "url": _confirm_url(one)}
            for one in lists.held_replies(user, present.now())
        ],
    }
    return render(request, "games/site/my_games.html", context)


def _confirm_url(held: HeldReply) -> str:
    return decision_links.confirm_url(held.inbound, held.decision.seat)


def _mail_trouble(user: User) -> str:
    """Why no mail will tell him of his turn, or "": who only asked for fewer mails is told all the same."""
    why = suppressions.why_suppressed(user.recipient.address)
    return why if why != suppressions.ASKED else ""


def _is_turn(row: Listed) -> bool:
    return row.game.status == Game.Status.RUNNING and row.is_my_turn


def card(row: Listed) -> dict[str, object]:
    """A game in a list: whose turn, due when, who won."""
    game = row.game
    facts: dict[str, object] = {"game": game, "seat": row.seat, "rules": in_words(game.rules, game.rules.title)}
    if game.status == Game.Status.RUNNING:
        facts |= {
            "is_my_turn": row.is_my_turn,
            "due_at": row.due_at,
            "is_urgent": row.is_my_turn and row.due_at is not None and row.due_at - present.now() < URGENT,
            "waited_for": names(queries.waiting(game, row.seat, row.asked)[0]),
            "is_paused": game.paused_at is not None and not game.is_practice,
            "is_asleep": queries.is_asleep(game),
            "is_absent": row.seat.status == Seat.Status.ABSENT,
        }
    elif game.status == Game.Status.FINISHED:
        result = queries.result(game)
        facts["winners"] = names(result.winners) if result else ""
        facts["has_won"] = bool(result and row.seat in result.winners)
        facts["place"] = next((place for place, seat, _score in result.places if seat == row.seat), 0) if result else 0
    elif game.status == Game.Status.OPEN:
        facts |= {"taken": len(game.seated()), "is_host": game.host_id == row.seat.user_id}
    return facts


def table_card(game: Game) -> dict[str, object]:
    """An open table in a list: what is played, how fast, how long, and who sits there."""
    days = pace.days(game)
    return {
        "game": game,
        "rules": in_words(game.rules, game.rules.title),
        "taken": len(game.seated()),
        "players": names(game.seated()),
        "pace": dict(pace.paces()).get(game.pace, game.pace),
        "length": pace.days_in_words(days) if days is not None else "",
        "language": dict(settings.LANGUAGES).get(game.host.recipient.language, ""),
    }


def names(seats: Iterable[Seat]) -> str:
    """Names with commas between them."""
    return ", ".join(seat.spoken_name for seat in seats)
