"""The public archive of finished games, and who plays which game best."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.registry import newest
from games.archive import ratings
from games.archive.finished_games import archived, page_after, sums
from games.archive.models import Rating
from games.cursors import NotACursor
from games.play import queries
from games.tables.models import Game
from games.web.archive.forms import ArchiveForm
from games.web.people import signed_in
from games.web.tables.game_form import in_words

PER_PAGE = 30
PEOPLE_PER_PAGE = 100


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Finished games of listed tables, for everybody: to step through, and to take their records away."""
    form = ArchiveForm(request.GET)
    found, after = archived(form.to_filter()), request.GET.get("after", "")
    try:
        games, behind = page_after(found, after, PER_PAGE)
    except NotACursor:  # an address that somebody has cut off, or an old one
        after = ""
        games, behind = page_after(found, after, PER_PAGE)
    query = request.GET.copy()
    query.pop("after", None)  # what else its address asks for
    context = {"form": form, "rows": [_row(game) for game in games], "query": query.urlencode()}
    context |= {"after": after, "behind": behind}
    return render(request, "games/archive/archive.html", context)


def _row(game: Game) -> dict[str, object]:
    result = queries.result(game)
    places = result.places if result else []
    return {
        "game": game,
        "rules": in_words(game.rules, game.rules.title),
        "places": [(place, seat.display_name) for place, seat, _score in sorted(places, key=lambda one: one[0])],
    }


@require_safe
def rankings(request: HttpRequest) -> HttpResponse:
    """To the ranking of the first game."""
    return redirect("ranking", name=newest()[0].name)


@require_safe
def ranking(request: HttpRequest, name: str) -> HttpResponse:
    """Who plays a game best, of those who want others to see it; and how often it was played, and for how long."""
    rules = next((known for known in newest() if known.name == name), None)
    if rules is None:
        raise Http404(_("There's no game with that name."))
    page = Paginator(ratings.ranking(name), PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    viewer = signed_in(request)
    own = Rating.objects.filter(user=viewer, rules_name=name).first() if viewer else None
    context = {
        "name": name,
        "rules": in_words(rules, rules.title),
        "games": [(known.name, in_words(known, known.title)) for known in newest()],
        "page": page,
        "rows": list(enumerate(page, start=page.start_index())),
        "own": own,
        "is_ranked": viewer is not None and viewer.is_ranked,
        "sums": [(one, max(1, round(one.lasted.total_seconds() / 86400))) for one in sums(name)],
    }
    return render(request, "games/archive/ranking.html", context)
