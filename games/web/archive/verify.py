"""Was it shuffled fairly? What was promised, what is shown at the end, and a button that plays the game again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.records.checking import origin_of
from games.archive import verifier
from games.errors import ServiceError
from games.play import replay
from games.tables.models import Game
from games.web.people import signed_in
from games.web.play.table_page import access_game


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest, ref: str) -> HttpResponse:
    """For whoever may see the game. GET explains; POST checks, for those who are signed in: it costs something."""
    game = access_game(request, ref).game
    context: dict[str, object] = {"game": game}
    status = 200
    if request.method == "POST":
        try:
            if signed_in(request) is None:
                raise ServiceError(_("Sign in to check it here."))
            context["verdict"] = replay.check_fairness(game)
        except ServiceError as error:
            context["refusal"], status = error.message, error.status
    if game.status == Game.Status.FINISHED:
        package = verifier.package_of(game.rules_name)
        seats = list(game.seats.order_by("number"))
        origins = [origin_of(move) for move in replay.roll_backs(game)]
        context |= {
            "seats": seats,
            "game_seed": replay.seed_of(game),
            "verifier": {"package": package, "name": verifier.name_of(package), "digest": verifier.digest(package)},
            "has_record": game.sandbox_of_id is None,
            "roll_backs": [(origin, replay.seed_of(game, origin.branch)) for origin in origins],
        }
    return render(request, "games/archive/verify.html", context, status=status)
