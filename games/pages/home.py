"""The front page, and a person's own games."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import queries
from games.forms.lobby import in_words
from games.models import Game, Seat, User
from games.pages.people import require_user, signed_in
from games.queries import Listed

MOST_TABLES = 5  # of the listed ones, on the front page
MOST_FINISHED = 50


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is and how to begin; for a member first of all what waits for him."""
    user = signed_in(request)
    tables = list(queries.listed_tables()[:MOST_TABLES])
    context: dict[str, Any] = {"tables": [table_card(game) for game in tables]}
    if user is not None:
        context |= _waiting(user)
    return render(request, "games/home.html", context)


def _waiting(user: User) -> dict[str, Any]:
    rows = queries.my_games(user)
    return {
        "waiting": [card(row) for row in rows if _is_turn(row)],
        "running_count": sum(row.game.status == Game.Status.RUNNING for row in rows),
    }


@never_cache
@login_required
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """All games of a person: his turn first, then running, open and ended ones."""
    rows = queries.my_games(require_user(request))
    finished = [row for row in rows if row.game.status == Game.Status.FINISHED]
    context = {
        "waiting": [card(row) for row in rows if _is_turn(row)],
        "running": [card(row) for row in rows if row.game.status == Game.Status.RUNNING and not _is_turn(row)],
        "open": [card(row) for row in rows if row.game.status == Game.Status.OPEN],
        "finished": [card(row) for row in finished[:MOST_FINISHED]],
    }
    return render(request, "games/my_games.html", context)


def _is_turn(row: Listed) -> bool:
    return row.game.status == Game.Status.RUNNING and row.is_my_turn


def card(row: Listed) -> dict[str, Any]:
    """A game in a list: whose turn, due when, who won."""
    game = row.game
    facts: dict[str, Any] = {"game": game, "seat": row.seat, "rules": in_words(game.rules, game.rules.title)}
    if game.status == Game.Status.RUNNING:
        facts |= {
            "is_my_turn": row.is_my_turn,
            "due_at": row.due_at,
            "waited_for": names(queries.waited_for(game, row.asked)),
            "is_paused": game.paused_at is not None,
            "is_asleep": queries.is_asleep(game),
            "is_absent": row.seat.status == Seat.Status.ABSENT,
        }
    elif game.status == Game.Status.FINISHED:
        result = queries.result(game)
        facts["winners"] = names(result.winners) if result else ""
        facts["has_won"] = bool(result and row.seat in result.winners)
    else:
        facts |= {"taken": len(game.seats.all()), "is_host": game.host_id == row.seat.user_id}
    return facts


def table_card(game: Game) -> dict[str, Any]:
    """An open table in a list."""
    return {"game": game, "rules": in_words(game.rules, game.rules.title), "taken": len(game.seats.all())}


def names(seats: Iterable[Seat]) -> str:
    """Names with commas between them."""
    return ", ".join(seat.display_name for seat in seats)
