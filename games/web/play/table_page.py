"""The page of a table, put together for one reader: whole, or only the parts that follow the game."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext

from games.clubs import clubs
from games.errors import NotFound
from games.play import absences, game_moves, lists, queries, roll_backs, table_talk
from games.play.models import Move
from games.play.queries import Access
from games.play.standing_orders import can_give
from games.tables import pace, table_links
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from games.web.lessons import lesson_item
from games.web.play import answering, reading
from games.web.play.page_etag import compute_page_etag
from games.web.play.timing import timing_context
from games.web.reader import signed_in
from games.web.waiting_room import waiting_context
from notifications import conversations
from notifications.clock import present

EVERY = {True: timedelta(seconds=5), False: timedelta(seconds=20)}  # an open page asks, at a live table or another


@dataclass(frozen=True)
class Unsaid:
    """A text that was refused: shown again in the field it was typed in."""

    text: str
    message: str
    status: int


def access_game(request: HttpRequest, ref: str) -> Access:
    """The table as the reader may see it; 404 if he may not."""
    try:
        return queries.access_game(signed_in(request), ref)
    except NotFound as error:
        raise Http404(str(error)) from error


def access_seat(request: HttpRequest, ref: str) -> Access:
    """The table from the reader's own seat; 404 if he has none there."""
    user = signed_in(request)
    assert user is not None
    try:
        return queries.access_seat(user, ref)
    except NotFound as error:
        raise Http404(str(error)) from error


def access_to_answer(request: HttpRequest, ref: str) -> Access:
    """The reader's own seat for taking an answer: nothing is read of the other seats. 404 if he has none there."""
    user = signed_in(request)
    assert user is not None
    try:
        return queries.access_to_answer(user, ref, queries.own_seat_with_state)
    except NotFound as error:
        raise Http404(str(error)) from error


def table_page(
    request: HttpRequest,
    access: Access,
    *,
    done: Move | None = None,
    refusal: answering.Refusal | None = None,
    said: Unsaid | None = None,
    noted: Unsaid | None = None,
) -> HttpResponse:
    """The page, or for an open page that asks by itself its live parts.

    Arguments:
        done: the answer that led here, if one did.
        refusal, said, noted: what the reader has just sent and what is wrong with it.
    """
    status = wrong.status if (wrong := refusal or said or noted) else 200
    game, user = access.game, signed_in(request)
    is_live = bool(getattr(request, "htmx", False))
    now = present.now()
    if user is not None and access.seat is not None and not (is_live or game.is_practice):
        # What he sees here need not come by email now. Automatic refreshes are no visits, and practice games send none.
        conversations.record_view(user.recipient, game.thread, now)
    if not game.started_at or (is_live and "room" in request.GET):
        return _room(request, access, said, status)
    view = queries.view_of(access)
    context = {
        "access": access,
        "game": game,
        "is_live": is_live,
        "refusal": refusal,
        "page_url": reverse("table", args=[game.ref]),
        "query": request.GET.urlencode(),
        "etag": getattr(request, "face", None) or compute_page_etag(user, game.ref),
        "every": int(EVERY[game.is_live_hour or pace.is_live(game.pace)].total_seconds() * 1000),
        "finale": reading.finale(access),
        "word": reading.bots_word(access, user),
        **reading.reading_context(request, access, now, is_live=is_live, done=done),
        "done": answering.result_lines(access, done) if done else None,
        **answering.board_context(access, view),
    }
    if game.status == Game.Status.RUNNING:
        context |= _running(request, access, view, refusal)
    elif game.status == Game.Status.CLOSED:
        context["cancelled"] = queries.cancelled(game)
    if access.seat is not None and not context.get("is_asked"):
        context["following"] = next(iter(lists.waiting_elsewhere(access.seat.user, game)), None)
    if not is_live:
        context |= {"said": said, "noted": noted, **reading.writing_context(access, user), **_tournament(game)}
    template = "games/play/live.html" if is_live else "games/play/table.html"
    return render(request, template, context, status=status, using="pages")


def _tournament(game: Game) -> dict[str, object]:
    return {"tournament_table": tournaments.table_of(game)} if game.is_listed else {}


def _room(request: HttpRequest, access: Access, said: Unsaid | None, status: int) -> HttpResponse:
    """The waiting room, whole or live; to one that is still open somewhere when the game begins it says so."""
    user, is_live = signed_in(request), bool(getattr(request, "htmx", False))
    context = {
        **waiting_context(request, access),
        "is_live": is_live,
        "etag": getattr(request, "face", None) or compute_page_etag(user, access.game.ref),
        "every": int(EVERY[False].total_seconds() * 1000),
        "talk": reading.latest_comments(access, user),
        "said": said,
        **reading.writing_context(access, user),
    }
    if user is not None and access.seat is not None and context["unread"] and not is_live:  # it is there to be read
        table_talk.mark_read(game=access.game, user=user, now=present.now())
    return render(
        request, "games/tables/live_room.html" if is_live else "games/tables/waiting_room.html", context, status=status
    )


def _running(
    request: HttpRequest, access: Access, view: object, refusal: answering.Refusal | None
) -> dict[str, object]:
    game, seat = access.game, access.seat
    seats = game.seated()
    waited, due_at = queries.waiting(game, seat)
    items = answering.asked_items(access, view, refusal=refusal, hints=request.GET.dict())
    lesson = lesson_item(access, view, request.GET.get("step", ""), is_refused=refusal is not None)
    if lesson is not None and lesson.has_more:  # first what has happened
        items = []
    times = timing_context(access, present.now())
    can_take = seat is None and _may_take(request, game)
    is_asked = any(entry.item.is_prompted for entry in items)
    others = [chair for chair in waited if chair != seat]
    shown = [*others, *([seat] if seat is not None and is_asked else [])]
    return {
        **times,
        "asked": items,
        "lesson": lesson,
        "suggested": answering.suggested(items) | set(lesson.lit if lesson else []),
        "is_said_at_form": _is_said_at_form(refusal, items),
        "is_asked": is_asked,
        "retractable": roll_backs.find_retractable(game, seat),
        "join_url": table_links.join_url(game) if seat is not None and any(map(absences.is_offered, seats)) else "",
        "players": [_player(chair, shown, times["away"], can_take=can_take) for chair in seats],
        "waited": get_text_list([chair.spoken_name for chair in others], gettext("and")),
        "due_at": due_at,
        "extensions": queries.extensions(game),
        "is_absent": seat is not None and seat.status == Seat.Status.ABSENT,
        "can_resign": seat is not None and seat.status != Seat.Status.RESIGNED,
        "can_order": can_give(access),
        "can_end": seat is not None and game_moves.is_last_person(seats, seat.number),
    }


def _may_take(request: HttpRequest, game: Game) -> bool:
    """Whether the reader could take an offered seat here."""
    user = signed_in(request)
    return user is not None and (game.is_listed or clubs.is_member(game.club_id, user))


def _is_said_at_form(refusal: answering.Refusal | None, items: list[answering.Asked]) -> bool:
    """True if the form in question is still there, and says itself what is wrong with it."""
    return refusal is not None and not refusal.lines and any(entry.item.code == refusal.decision for entry in items)


def _player(seat: Seat, waited: list[Seat], away: Mapping[int, datetime], *, can_take: bool) -> dict[str, object]:
    return {
        "away_until": away.get(seat.number),
        "seat": seat,
        "is_waited_for": seat in waited,
        "is_offered": can_take and absences.is_offered(seat),
    }
