"""The steps behind a game, and what can be done with one: take the game back to it, or copy it to a sandbox."""

from functools import partial
from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path

from games.admin.acts import on_step
from games.moderation.games import earlier_steps
from games.play import history, queries
from games.tables.models import Game

if TYPE_CHECKING:
    from games.admin.moderation import ModeratedAdmin


def urls(site: "ModeratedAdmin[Game]") -> list[URLPattern]:
    """`<pk>/steps/` and `<pk>/steps/<number>/`."""
    wrap = site.admin_site.admin_view
    return [
        path("<int:pk>/steps/", wrap(partial(_steps, site)), name="games_game_steps"),
        path("<int:pk>/steps/<int:number>/", wrap(partial(_step, site)), name="games_game_step"),
    ]


def _steps(site: "ModeratedAdmin[Game]", request: HttpRequest, pk: int) -> HttpResponse:
    game = _begun(site, request, pk)
    return site.act_on(request, game, (), "steps", {"steps": earlier_steps.steps(game)})


def _step(site: "ModeratedAdmin[Game]", request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The board as a spectator saw it, what everybody has learned since, and what can be done."""
    game = _begun(site, request, pk)
    if not 1 <= number < history.count_steps(game):
        raise Http404
    access = queries.Access(game, None)
    step = history.step_of(access, number)
    more = {"step": step, "board": queries.describe(access, step.view), "learned": earlier_steps.learned(game, number)}
    return site.act_on(request, game, on_step(number), "step", more)


def _begun(site: "ModeratedAdmin[Game]", request: HttpRequest, pk: int) -> Game:
    game: Game = site.row(request, pk)
    if not game.started_at:
        raise Http404
    return game
