"""Time at a running table: pause, vacations, sleep, time bank; and the votes for a pause or the end."""

from collections import Counter
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.errors import NotFound, ServiceError
from games.play import absences, game_moves, pauses, queries, stewards
from games.play.queries import Access
from games.tables import pace
from games.tables.models import Game
from games.tables.seats import Seat
from games.web.reader import require_user
from notifications.clock import present


def timing_context(access: Access, now: datetime) -> dict[str, Any]:
    """The context of "games/play/parts/timing.html" and of the list of players."""
    game, seat = access.game, access.seat
    wanted, people = pauses.count_wishes(game)
    ending, _people = game_moves.count_end_wishes(game)
    return {
        "is_asleep": queries.is_asleep(game),
        "bank": seat.bank if seat is not None and seat.is_person else None,
        "pause_wanted": wanted,
        "pause_words": _pause_words(wanted, people),
        "can_pause": seat is not None
        and seat.is_person
        and not game.is_practice
        and game.paused_by != Game.PausedBy.MODERATOR,
        "wants_pause": seat is not None and seat.wants_pause,
        **hour_context(access),
        "end_wanted": ending,
        "end_words": _end_words(ending, people),
        **steward_context(access),
        "can_agree": seat is not None and seat.is_person,
        "can_seek": seat is not None and (seat.seeks_successor or absences.can_seek(seat)),
        "absent_choices": Game.AbsentSeats.choices,
        "absent_words": _absent_words(game),
        "wants_end": seat is not None and seat.wants_end and ending < people,
        "away": queries.on_vacation(game, now) if is_among(access) else {},
    }


def hour_context(access: Access) -> dict[str, object]:
    """The context of "games/play/parts/hour.html" and of the form that proposes an hour together."""
    game, seat = access.game, access.seat
    is_known = game.has_hour_ahead or game.is_live_hour
    can_agree = seat is not None and seat.has_a_say and not (game.paused_at or game.is_over)
    is_asked = can_agree and is_known and seat is not None and not seat.agrees_to_hour
    in_hour = [player.spoken_name for player in game.seated() if player.agrees_to_hour]
    proposer = next((player for player in game.seated() if player.number == game.hour_seat), None)
    return {
        "hour_ends_at": game.hour_step_at if game.is_live_hour else None,
        "hour_people": ", ".join(in_hour),
        "hour_by": proposer.spoken_name if proposer else "",
        "can_decline_hour": can_agree and is_known,
        "can_agree_to_hour": is_asked,
        "is_hour_above": is_asked or game.is_live_hour or game.hour_state == Game.Hour.MISSED,  # the question
        "can_propose_hour": can_agree and not (is_known or game.is_practice or pace.is_live(game.pace)),
    }


@login_required
@require_POST
def hour(request: HttpRequest, ref: str) -> HttpResponse:
    """Proposes an hour together, agrees to the one that is proposed, declines it or leaves it."""
    seat, wish = _own_seat(request, ref), request.POST.get("wish", "")
    try:
        game = answer_hour(seat, wish, request.POST.get("at", ""), present.now())
        is_agreed = game.hour_state != Game.Hour.PROPOSED
        agreed = _("It's agreed.") if is_agreed else _("The others are asked whether they agree.")
        messages.success(request, _("The others can see that.") if wish == "decline" else agreed)
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("table", ref=ref)


def answer_hour(seat: Seat, wish: str, at: str, now: datetime) -> Game:
    """Declines an hour together, or agrees to the one at this instant, which is proposed by that. Raises ServiceError.

    Arguments:
        at: as the form has it, or as somebody typed it.
    """
    if wish == "decline":
        return pauses.decline_hour(game_id=seat.game_id, seat=seat.number, now=now)
    return pauses.agree_on_hour(game_id=seat.game_id, seat=seat.number, starts_at=_typed_instant(at), now=now)


def _typed_instant(text: str) -> datetime:
    """Reads a date and time, in the reader's zone unless it names one. Raises ServiceError."""
    try:
        typed = datetime.fromisoformat(text)
        return typed if timezone.is_aware(typed) else timezone.make_aware(typed)
    except (ValueError, OverflowError) as error:
        raise ServiceError(_("Enter a date and a time."), code="invalid", field="starts_at") from error


def _pause_words(wanted: int, people: int) -> str:
    words = ngettext(
        "%(wanted)s of %(people)s player wants a pause. It starts once more than half do, "
        "and all pauses of a game last at most 30 days together.",
        "%(wanted)s of %(people)s players want a pause. It starts once more than half do, "
        "and all pauses of a game last at most 30 days together.",
        people,
    )
    return words % {"wanted": wanted, "people": people}


def _end_words(wanted: int, people: int) -> str:
    words = ngettext(
        "%(wanted)s of %(people)s player wants to end the game without a result. "
        "It ends once everyone who isn't absent agrees.",
        "%(wanted)s of %(people)s players want to end the game without a result. "
        "It ends once everyone who isn't absent agrees.",
        people,
    )
    return words % {"wanted": wanted, "people": people}


def _absent_words(game: Game) -> list[str]:
    """Says how many players want what for absent seats, without what nobody wants."""
    people = [seat for seat in game.seated() if seat.has_a_say]
    counts = Counter(seat.absent_wish for seat in people if seat.absent_wish)
    return [
        ngettext("%(n)d of %(people)d wants: %(rule)s", "%(n)d of %(people)d want: %(rule)s", counts[wish])
        % {"n": counts[wish], "people": len(people), "rule": label}
        for wish, label in Game.AbsentSeats.choices
        if counts[wish]
    ]


def steward_context(access: Access) -> dict[str, object]:
    """The context of "games/play/parts/steward.html": a steward is its player's own business."""
    game, seat = access.game, access.seat
    can_have = seat is not None and seat.has_a_say and not game.is_over
    return {
        "steward_most": stewards.most_hours(game) if can_have else 0,
        "steward_hours": seat.steward_hours if seat is not None else None,
        "has_steward_anyway": pace.steward_hours(game.pace) is not None if can_have else False,
    }


@login_required
@require_POST
def steward(request: HttpRequest, ref: str) -> HttpResponse:
    """Chooses after how many waking hours one's steward acts; an empty field for never."""
    seat = _own_seat(request, ref)
    typed = request.POST.get("hours", "").strip()
    try:
        hours = stewards.parse_hours(typed)
        stewards.change(game_id=seat.game_id, seat=seat.number, hours=hours, now=present.now())
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        done = _("Your steward acts after %(hours)d of your waking hours.") % {"hours": hours} if hours else ""
        messages.success(request, done or _("You don't have a steward."))
    return redirect("table", ref=ref)


def is_among(access: Access) -> bool:
    """Whether this viewer sits here: who is on vacation is for the table to know, not for spectators."""
    return access.seat is not None and access.seat.status != Seat.Status.RESIGNED


@login_required
@require_POST
def pause(request: HttpRequest, ref: str) -> HttpResponse:
    """Wishes a pause, or takes the wish back."""
    seat = _own_seat(request, ref)
    is_wanted = request.POST.get("wish") == "pause"
    try:
        game = pauses.set_wish(game_id=seat.game_id, seat=seat.number, is_wanted=is_wanted, now=present.now())
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _pause_message(game, is_wanted=is_wanted))
    return redirect("table", ref=ref)


def _own_seat(request: HttpRequest, ref: str) -> Seat:
    try:
        access = queries.access_seat(require_user(request), ref)
    except NotFound as error:
        raise Http404(str(error)) from error
    assert access.seat is not None
    return access.seat


def _pause_message(game: Game, *, is_wanted: bool) -> str:
    if game.paused_at:
        return _("The game is paused.") if is_wanted else _("You withdrew your vote. The others still want the pause.")
    return _("The others can see that you'd like a pause.") if is_wanted else _("The game isn't paused.")


@login_required
@require_POST
def agree(request: HttpRequest, ref: str) -> HttpResponse:
    """Wishes the end of the game without a result, or takes the wish back."""
    seat = _own_seat(request, ref)
    is_wanted = request.POST.get("wish") == "end"
    try:
        game = game_moves.set_end_wish(game_id=seat.game_id, seat=seat.number, is_wanted=is_wanted, now=present.now())
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _ended(game, is_wanted=is_wanted))
    return redirect("table", ref=ref)


def _ended(game: Game, *, is_wanted: bool) -> str:
    if game.is_over:
        return _("The game has ended without a result, as everyone agreed.")
    return _("The others can see that you'd like to end the game.") if is_wanted else _("You play on.")
