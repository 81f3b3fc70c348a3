"""Looking back at a game: the board as its reader could see it after each step, and where each card was played."""

import re
from datetime import timedelta
from threading import Lock

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import etag, require_POST, require_safe

from games.archive import reviews
from games.archive.review_sentences import TurningPoint, turns_of
from games.errors import TooMany
from games.lobby import practice
from games.people import speech
from games.play import pictures, queries
from games.play.history import count_steps, find_scene, log_lines, moves_of_step, play_since, scene_of
from games.play.queries import Access
from games.tables.models import Game
from games.web.play import answering
from games.web.play.page_etag import compute_page_etag
from games.web.play.table_page import access_game
from games.web.reader import person_or_guest, signed_in
from notifications.clock import present

WHOLE = 10_000  # scenes: more than any game has
STEP_SCENES = 12
filming = Lock()
INDENTED = re.compile(rb"\s*\n\s*")  # a hundred boards are alike but for what has happened


@require_safe
def history(request: HttpRequest, ref: str) -> HttpResponse:
    """One scene of a step, with the ways to all others; a number that is none leads to the nearest one.

    In the query, "since" is the number of a public event: the scene in which it happened is shown; "seat" is the one to
    play on from; "turns" asks for the turning points of a reviewed game, which play themselves in a minute.
    """
    access = access_game(request, ref)
    if not access.game.started_at:
        return redirect("table", ref=ref)
    step, number = _number(request.GET.get("step", "")), _number(request.GET.get("scene", ""))
    since = _number(request.GET.get("since", ""))
    if since is not None:
        step, number = find_scene(access, since)
    turns = _turns(request, access)
    scene = scene_of(access, 1 if turns and step is None else step, number)
    seats, wanted = practice.seats_to_play_on(access), _number(request.GET.get("seat", ""))
    is_end = access.game.is_over and scene.step == scene.steps
    context = {
        "access": access,
        "game": access.game,
        "scene": scene,
        "turns": turns,
        "seats_to_play_on": [] if is_end else seats,
        "seat_to_play_on": access.number if wanted is None else wanted,
        **answering.board_context(access, scene.view),
    }
    return render(request, "games/play/history.html", context, using="pages")


AROUND = 1  # step before each turning point, and as many at the beginning and the end


def _turns(request: HttpRequest, access: Access) -> list[TurningPoint]:
    if "turns" not in request.GET:
        return []
    review = reviews.review_of(access.game).review
    return turns_of(access, review) if review is not None else []


@require_POST
def play_on(request: HttpRequest, ref: str) -> HttpResponse:
    """To a table against bots that goes on from a step of a game, as its reader may see it."""
    access = access_game(request, ref)
    user = person_or_guest(request) if access.game.status == Game.Status.FINISHED else signed_in(request)
    if user is None:
        raise Http404(ref)
    step, seat = (_number(request.POST.get(name, "")) for name in ("step", "seat"))
    game = practice.play_on(user=user, access=access, step=step or 0, seat=seat, now=present.now())
    return redirect("table", ref=game.ref)


def _scenes_etag(request: HttpRequest, ref: str) -> str | None:
    etag = compute_page_etag(signed_in(request), ref)
    return (
        quote_etag(
            f"{etag}-{_number(request.GET.get('since', '')) or 0}{'r' * ('replay' in request.GET)}"
            f"{'t' * ('turns' in request.GET)}"
        )
        if etag
        else None
    )


@require_safe
@etag(_scenes_etag)
def scenes(request: HttpRequest, ref: str) -> HttpResponse:
    """What has happened since a public event ("since" in the query), for an open page, which plays it on its board.

    Of many scenes the newest; with "replay" in the query the next ones, with "turns" those around turning points.
    """
    access = access_game(request, ref)
    if not access.game.started_at:
        raise Http404
    since = _number(request.GET.get("since", "")) or 0
    turns = _turns(request, access)
    wanted = {turn.step - before for turn in turns for before in range(AROUND + 1)}
    if wanted:
        wanted |= {1, count_steps(access.game)}
    played = play_since(access, since, is_replay="replay" in request.GET, wanted=wanted)
    boards = [queries.picture(access, view) for view in (played.before, *(frame.view for frame in played.frames))]
    context = {"access": access, "game": access.game, "played": played, "boards": boards}
    context["turns"] = {turn.step: turn.text for turn in turns}
    response = render(request, "games/play/scenes.html", context, using="pages")
    response.content = INDENTED.sub(b"\n", response.content)
    return response


@require_POST
@login_required
def film(request: HttpRequest, ref: str) -> HttpResponse:
    """A game that is over, as its reader may see it, as a moving picture to keep and share: all of it, or from a step.

    It takes two seconds, so that a process makes one at a time, and a reader has few an hour.
    """
    access = access_game(request, ref)
    game, step = access.game, _number(request.POST.get("step", ""))
    if not game.is_over or not game.started_at:
        raise Http404
    if not ratelimit.consume(request, action="film"):
        raise TooMany(_("These are many films. Try again in an hour."), timedelta(hours=1))
    if not filming.acquire(blocking=False):
        raise TooMany(_("Another film is being made. Try again in a few seconds."), timedelta(seconds=5))
    try:
        first = min(max(step - 1, 1), count_steps(game)) if step else 1
        since = moves_of_step(game, first)[-1].first_public - 1
        played = play_since(access, since, STEP_SCENES if step else WHOLE, is_replay=True)
        content = pictures.film(access, [played.before, *(frame.view for frame in played.frames)])
    finally:
        filming.release()
    response = HttpResponse(content, content_type="image/webp")
    response.headers["Content-Disposition"] = f'attachment; filename="{game.ref}{f"-{step}" if step else ""}.webp"'
    return response


@require_safe
def cards(request: HttpRequest, ref: str) -> HttpResponse:
    """Every card of the game and what it does, with the number of lines about it in the log as its reader sees it."""
    access = access_game(request, ref)
    game = access.game
    if not game.started_at:
        return redirect("table", ref=ref)
    lines = [line.text.casefold() for line in log_lines(access)]
    tables = [
        (table, [(row, _count_words(lines, row[0])) for row in table.rows])
        for table in game.rules.pieces(speech.current_language())
        if table.are_named
    ]
    return render(request, "games/play/cards.html", {"game": game, "tables": tables}, using="pages")


def _count_words(lines: list[str], name: str) -> str:
    """In how many lines the filter of the log finds these words, as a sentence; "" for none."""
    words = name.casefold().split()
    count = sum(all(word in line for word in words) for line in lines)
    said = ngettext("%(count)s line of the log", "%(count)s lines of the log", count)
    return said % {"count": count} if count else ""


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None
