"""The review of a game that is over: how the chances went, what turned it, and each player's decisions."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.reviews.model import Point
from games.archive import review_queries, review_queue
from games.archive.review_chart import curve_of
from games.archive.review_sentences import Grade, ReviewSentences
from games.errors import ServiceError
from games.play.queries import Access
from games.web.people import signed_in
from games.web.play.table_page import access_game
from notifications.clock import present


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, ref: str) -> HttpResponse:
    """For whoever may see the game. POST asks for a review where none was made, if its reader is signed in."""
    access = access_game(request, ref)
    if not access.game.is_over:
        return redirect("table", ref=ref)
    if request.method == "POST":
        return _ask(request, access)
    found = review_queries.review_of(access.game)
    is_part = bool(getattr(request, "htmx", False))
    if is_part and found.is_coming:
        return render(request, "games/archive/parts/review_state.html", {"game": access.game, "found": found})
    context = {"game": access.game, "found": found, "may_ask": signed_in(request) is not None}
    if found.review is not None:
        context |= _review_context(access, found, request.GET.get("seat", ""))
    response = render(request, "games/archive/review.html", context)
    if is_part:
        response["HX-Refresh"] = "true"  # it is there: the whole page looks different
    return response


def _ask(request: HttpRequest, access: Access) -> HttpResponse:
    try:
        user = signed_in(request)
        if user is None:
            raise ServiceError(_("Sign in to ask for a review."))
        review_queue.request_review(access.game, user, present.now())
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("review", ref=access.game.ref)


def _review_context(access: Access, found: review_queries.ReviewState, seat: str) -> dict[str, object]:
    review, game = found.review, access.game
    assert review is not None
    told = ReviewSentences(access, review).told()
    chosen = _chosen_seat(access, review.seats, seat)
    own = [one for one in told.decisions if one.seat == chosen]
    names = game.seat_names()
    return {
        "told": told,
        "review": review,
        "row": found.row,
        "curve": curve_of(review),
        "names": names,
        "chosen": chosen,
        "chosen_name": names[chosen],
        "is_own": access.seat is not None and access.seat.number == chosen,
        "better": [one for one in own if one.grade != Grade.GOOD],
        "decisions": own,
        "rows": [
            (point.seq, [(chance / 10, low / 10, high / 10) for chance, low, high in _columns(point)])
            for point in review.points
        ],
    }


def _columns(point: Point) -> list[tuple[int, int, int]]:
    return list(zip(point.chances, point.low, point.high, strict=True))


def _chosen_seat(access: Access, seats: int, wanted: str) -> int:
    """Whose decisions are shown: those of the seat in the address, else one's own, else the winner's."""
    if wanted.isascii() and wanted.isdigit() and len(wanted) == 1 and int(wanted) < seats:
        return int(wanted)
    if access.number is not None:
        return access.number
    winners = (access.game.outcome or {}).get("winners") or [0]
    return int(winners[0])
