"""A table: waiting room, running game, result. Who signed in acts here."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import links, queries
from games.errors import NotFound, ServiceError
from games.models import Game, Move, Seat
from games.order_book import can_give
from games.pages import answering
from games.pages.people import signed_in
from games.pages.timing import timing_context
from games.pages.waiting import waiting_context
from games.queries import Access
from games.services import absences, mailing, play
from notifications.clock import present

UNCHANGED = 204  # tells htmx to leave the page as it is


@never_cache
@require_safe
def table(request: HttpRequest, ref: str) -> HttpResponse:
    """The table as this person may see it; signed-out people are asked to sign in, whether or not there is one."""
    user = signed_in(request)
    try:
        access = queries.access_game(user, ref)
    except NotFound as error:
        if user is None:
            return redirect_to_login(request.get_full_path())
        raise Http404(str(error)) from error
    if request.GET.get("seen") == _seen(access.game):
        return HttpResponse(status=UNCHANGED)
    if (
        user is not None and access.seat is not None and "seen" not in request.GET
    ):  # a page that asks by itself is nobody
        mailing.saw(user=user, game=access.game, now=present.now())
    return _page(request, access)


@never_cache
@login_required
@require_POST
def act(request: HttpRequest, ref: str) -> HttpResponse:
    """Takes an answer; what is refused is shown again at the form, with what was typed."""
    access = _access_seat(request, ref)
    try:
        move = answering.take_answer(
            access,
            request.POST.dict(),
            source=Move.Source.WEB,
            actor=signed_in(request),
            received_at=present.now(),
        )
    except answering.Refused as error:
        return _page(request, _access_seat(request, ref), error.refusal)
    for line in _own_lines(access, move):
        messages.success(request, line)
    return redirect("table", ref=ref)


def _own_lines(access: Access, move: Move) -> list[str]:
    lines = [line.text for line in queries.log_lines(access, since=move.seq, until=move.seq)]
    return lines[:1] or [_("Your answer is kept.")]


@login_required
@require_POST
def resign(request: HttpRequest, ref: str) -> HttpResponse:
    """Gives up the own seat, for good; the form asks for a tick so that one slip does not do it."""
    access = _access_seat(request, ref)
    if request.POST.get("sure") != "yes":
        messages.error(request, _("To resign, tick that you are sure. Nothing was changed."))
        return redirect("table", ref=ref)
    return _done(request, ref, _("You have resigned."), lambda: _resign(access, request))


def _resign(access: Access, request: HttpRequest) -> object:
    assert access.seat is not None
    return play.resign(
        game_id=access.game.pk,
        seat=access.seat.number,
        actor=signed_in(request),
        source=Move.Source.WEB,
        now=present.now(),
    )


@login_required
@require_POST
def end(request: HttpRequest, ref: str) -> HttpResponse:
    """The last person at the table ends the game and wins (A99)."""
    access = _access_seat(request, ref)
    return _done(request, ref, _("You have ended the game."), lambda: _end(access, request))


def _end(access: Access, request: HttpRequest) -> object:
    assert access.seat is not None
    return play.end(
        game_id=access.game.pk,
        seat=access.seat.number,
        actor=signed_in(request),
        source=Move.Source.WEB,
        now=present.now(),
    )


@login_required
@require_POST
def come_back(request: HttpRequest, ref: str) -> HttpResponse:
    """An absent player is back."""
    access = _access_seat(request, ref)
    assert access.seat is not None
    seat_id = access.seat.pk
    return _done(request, ref, _("Welcome back!"), lambda: absences.come_back(seat_id=seat_id, now=present.now()))


@login_required
@require_POST
def take_seat(request: HttpRequest, ref: str, number: int) -> HttpResponse:
    """Sits down on the seat of somebody who has left."""
    user = signed_in(request)
    assert user is not None
    access = _access_game(request, ref)
    seat = next((seat for seat in access.game.seats.all() if seat.number == number), None)
    if seat is None:
        raise Http404(_("There is no such seat."))
    seat_id = seat.pk
    return _done(
        request,
        ref,
        _("You are sitting at this table now."),
        lambda: absences.take_over(seat_id=seat_id, user=user, now=present.now()),
    )


def _done(request: HttpRequest, ref: str, message: str, run: Any) -> HttpResponse:
    """Runs one service; its refusal becomes a message on the table."""
    try:
        run()
    except ServiceError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, message)
    return redirect("table", ref=ref)


def _access_game(request: HttpRequest, ref: str) -> Access:
    try:
        return queries.access_game(signed_in(request), ref)
    except NotFound as error:
        raise Http404(str(error)) from error


def _access_seat(request: HttpRequest, ref: str) -> Access:
    user = signed_in(request)
    assert user is not None
    try:
        return queries.access_seat(user, ref)
    except NotFound as error:
        raise Http404(str(error)) from error


def _seen(game: Game) -> str:
    """How far the game is as everybody may know it: sealed answers do not count."""
    wishes = sum(seat.wants_pause for seat in game.seats.all())
    return f"{game.public_events}-{game.status}-{wishes}{game.paused_by}"


def _page(request: HttpRequest, access: Access, refusal: answering.Refusal | None = None) -> HttpResponse:
    status = refusal.status if refusal else 200
    game = access.game
    if not game.started_at:
        return render(request, "games/waiting_room.html", waiting_context(request, access), status=status)
    view = queries.view_of(access)
    context = {
        "access": access,
        "game": game,
        "seen": _seen(game),
        "refusal": refusal,
        "log": answering.recent_log(access, is_whole=request.GET.get("log") == "all"),
        "is_whole_log": request.GET.get("log") == "all",
        **answering.board_context(access, view),
    }
    if game.status == Game.Status.FINISHED:
        context["result"] = queries.result(game)
        return render(request, "games/game_over.html", context, status=status)
    context |= _running(request, access, view, refusal)
    return render(request, "games/table.html", context, status=status)


def _running(request: HttpRequest, access: Access, view: Any, refusal: answering.Refusal | None) -> dict[str, object]:
    game, seat = access.game, access.seat
    seats = sorted(game.seats.all(), key=lambda chair: chair.number)
    waited = queries.waited_for(game)
    asked = answering.asked_items(access, view, refusal=refusal, hints=request.GET.dict())
    times = timing_context(access, present.now())
    can_take = seat is None and request.user.is_authenticated
    return {
        **times,
        "asked": asked,
        "suggested": answering.suggested(asked),
        "is_said_at_form": _is_said_at_form(refusal, asked),
        # a page with a form one is filling in is not exchanged under it
        "is_waiting": not any(one.item.is_prompted or (one.item.is_extra and one.is_open) for one in asked),
        "join_url": links.join_url(game) if seat is not None and any(map(absences.is_offered, seats)) else "",
        "players": [_player(chair, waited, times["away"], can_take=can_take) for chair in seats],
        "waited": waited,
        "due_at": queries.due_at(game),
        "extensions": queries.extensions(game),
        "is_absent": seat is not None and seat.status == Seat.Status.ABSENT,
        "can_resign": seat is not None and seat.status != Seat.Status.RESIGNED,
        "can_order": can_give(access),
        "can_end": seat is not None and play.is_last_person(seats, seat.number),
    }


def _is_said_at_form(refusal: answering.Refusal | None, asked: list[answering.Asked]) -> bool:
    """True if the form in question is still there, and says itself what is wrong with it."""
    return refusal is not None and not refusal.lines and any(one.item.code == refusal.decision for one in asked)


def _player(seat: Seat, waited: list[Seat], away: Mapping[int, datetime], *, can_take: bool) -> dict[str, object]:
    return {
        "away_until": away.get(seat.number),
        "seat": seat,
        "is_waited_for": seat in waited,
        "is_offered": can_take and absences.is_offered(seat),
    }
