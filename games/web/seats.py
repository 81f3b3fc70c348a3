"""Buttons for a seat at a running table: take the last answer back, leave it, end the game from it, come back to it,
take it over."""

import re
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import NotFound, ServiceError
from games.play import absences, game_moves, queries, roll_backs
from games.play.models import Move
from games.play.queries import Access
from games.web.play.answering import Refusal
from games.web.play.table_page import access_seat, table_page
from games.web.reader import signed_in
from notifications.clock import present


@login_required
@require_POST
def take_back(request: HttpRequest, ref: str) -> HttpResponse:
    """Takes the last answer back, where one plays alone against bots; what was posted names it."""
    access = access_seat(request, ref)
    assert access.seat is not None
    event = request.POST.get("event", "")
    try:
        roll_backs.take_back(
            game_id=access.game.pk,
            seat=access.seat.number,
            event=int(event) if re.fullmatch(r"[0-9]{1,9}", event) else 0,
            actor=signed_in(request),
            source=Move.Source.WEB,
            now=present.now(),
        )
    except ServiceError as error:
        return table_page(request, access_seat(request, ref), refusal=Refusal([str(error)], error.status, "", {}))
    return redirect("table", ref=ref)


@login_required
@require_POST
def resign(request: HttpRequest, ref: str) -> HttpResponse:
    """Gives up the own seat, for good; its button is folded away, so that one slip does not do it."""
    access = access_seat(request, ref)
    return _done(request, ref, _("You've resigned."), lambda: _given_up(game_moves.resign, access, request))


@login_required
@require_POST
def end(request: HttpRequest, ref: str) -> HttpResponse:
    """The last person at the table ends the game and wins (A99)."""
    access = access_seat(request, ref)
    return _done(request, ref, _("You've ended the game."), lambda: _given_up(game_moves.end_by_wish, access, request))


def _given_up(change: Callable[..., object], access: Access, request: HttpRequest) -> object:
    """By resigning, or by ending the game from the seat."""
    assert access.seat is not None
    return change(
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
    access = access_seat(request, ref)
    assert access.seat is not None
    seat_id = access.seat.pk
    return _done(request, ref, _("Welcome back!"), lambda: absences.come_back(seat_id=seat_id, now=present.now()))


@login_required
@require_POST
def seek_successor(request: HttpRequest, ref: str) -> HttpResponse:
    """Looks for somebody who plays on in the reader's place, or no more."""
    access, is_wanted = access_seat(request, ref), request.POST.get("wish") == "seek"
    assert access.seat is not None
    seat_id = access.seat.pk
    said = _("Your seat is open to others. You play on until somebody takes it.") if is_wanted else _("You stay.")
    return _done(
        request,
        ref,
        said,
        lambda: absences.seek_successor(seat_id=seat_id, is_wanted=is_wanted, now=present.now()),
    )


@login_required
@require_POST
def wish_for_absent(request: HttpRequest, ref: str) -> HttpResponse:
    """Takes the reader's vote on what becomes of absent seats."""
    access, wish = access_seat(request, ref), request.POST.get("wish", "").replace("\0", "")[:20]
    assert access.seat is not None
    seat_id = access.seat.pk
    return _done(
        request,
        ref,
        _("Your vote counts. Everyone at the table can see it."),
        lambda: absences.wish_for_absent(seat_id=seat_id, wish=wish, now=present.now()),
    )


@login_required
@require_POST
def take_seat(request: HttpRequest, ref: str, number: int) -> HttpResponse:
    """Sits down on the seat of somebody who has left."""
    user = signed_in(request)
    assert user is not None
    try:
        access = queries.access_to_sit(user, ref)
    except NotFound as error:
        raise Http404(str(error)) from error
    seat = next((seat for seat in access.game.seated() if seat.number == number), None)
    if seat is None:
        raise Http404(_("There's no such seat."))
    seat_id = seat.pk
    return _done(
        request,
        ref,
        _("You've joined this table."),
        lambda: absences.take_over(seat_id=seat_id, user=user, now=present.now()),
    )


def _done(request: HttpRequest, ref: str, message: str, run: Callable[[], object]) -> HttpResponse:
    """Runs one service; its refusal becomes a message on the table."""
    try:
        run()
    except ServiceError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, message)
    return redirect("table", ref=ref)
