"""Pages of a game that show what would happen, and, written down each time, what a player sees."""

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from games.admin.acts import FORCE
from games.errors import ServiceError
from games.moderation.entries import LOOK
from games.moderation.forms import NumberForm
from games.moderation.games import hands
from games.moderation.games.forecast import forecast
from games.tables.models import Game
from games.web.people import require_user
from notifications.clock import present

if TYPE_CHECKING:
    from games.admin.moderation import ModeratedAdmin


def urls(site: "ModeratedAdmin[Game]") -> list[URLPattern]:
    """`<pk>/forecast/` and `<pk>/hand/`."""
    wrap = site.admin_site.admin_view
    return [
        path("<int:pk>/forecast/", wrap(partial(_forecast, site)), name="games_game_forecast"),
        path("<int:pk>/hand/", wrap(partial(_hand, site)), name="games_game_hand"),
    ]


def _forecast(site: "ModeratedAdmin[Game]", request: HttpRequest, pk: int) -> HttpResponse:
    """What the defaults would do, and the button that does it."""
    game = site.row(request, pk)
    try:
        more = {"forecast": forecast(game)}
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("admin:games_game_moderate", game.pk)
    return site.act_on(request, game, (FORCE,), "forecast", more)


def _hand(site: "ModeratedAdmin[Game]", request: HttpRequest, pk: int) -> HttpResponse:
    """Asks whose hand and why; a POST shows it, once."""
    game = site.row(request, pk)
    if not request.user.has_perm(LOOK):
        raise PermissionDenied
    form = NumberForm(request.POST or None, about=game)
    hand = None
    if form.is_valid():
        facts, by = form.cleaned_data, require_user(request)
        try:
            hand = hands.reveal_hand(game=game, seat=facts["seat"], by=by, reason=facts["reason"], now=present.now())
        except ServiceError as error:
            messages.error(request, error.message)
    context = {
        **site.admin_site.each_context(request),
        "title": str(game),
        "opts": site.opts,
        "row": game,
        "bar": site.bar(request, game),
        "form": form,
        "hand": hand,
    }
    is_refused = request.method == "POST" and hand is None
    return TemplateResponse(request, "games/admin/hand.html", context, status=400 if is_refused else 200)
