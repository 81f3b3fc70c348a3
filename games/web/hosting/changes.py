"""Changing a table before its game, and agreeing to what was changed: in the waiting room, and behind a link."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.errors import ServiceError
from games.lobby import hosting, lifecycle
from games.people import sessions
from games.people.models import User
from games.tables import table_links
from games.tables.models import Game
from games.tables.seats import Seat
from games.tables.settings import agreed_of
from games.web.answers.confirmation import MINE
from games.web.forms import refusals_in, sent, status_of
from games.web.play.table_page import access_game
from games.web.reader import as_reader, is_usable, link_not_found, private, require_user
from games.web.tables.forms import TableForm
from games.web.tables.game_form import in_words
from games.web.tables.waiting_room import about
from notifications.clock import present

ANSWERS = ("agree", "leave")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_table(request: HttpRequest, ref: str) -> HttpResponse:
    """The form of a table's settings, for its host and before its game."""
    user, game = require_user(request), access_game(request, ref).game
    if game.host_id != user.pk or game.is_practice:
        raise Http404(_("Only the host of a table can do that."))
    if game.status != Game.Status.OPEN:
        messages.error(request, _("The settings can't be changed once the game has started."))
        return redirect("table", ref=ref)
    form = TableForm(game.rules, sent(request), values={**agreed_of(game), "title": game.title})
    if form.is_valid():
        with refusals_in(form):
            hosting.change_settings(game_id=game.pk, host=user, plan=form.plan(), now=present.now())
            messages.success(request, _("The settings are saved."))
            return redirect("table", ref=ref)
    context = {
        "form": form,
        "game": game,
        "chosen": game.rules_name,
        "rules_title": in_words(game.rules, game.rules.title),
        "others": [seat for seat in game.seated() if not seat.is_bot and seat.user_id != user.pk],
    }
    return render(request, "games/tables/change_table.html", context, status=status_of(form))


@login_required
@require_POST
def agree_settings(request: HttpRequest, ref: str) -> HttpResponse:
    """The buttons in the waiting room: agree to the changed settings, or leave."""
    user, game = require_user(request), access_game(request, ref).game
    try:
        has_left = _answer(game, user, request)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("table", ref=ref)
    if has_left:
        messages.success(request, _("You've left “%(title)s”.") % {"title": game.spoken_title})
        return redirect("my_games")
    messages.success(request, _("You've agreed to the new settings."))
    return redirect("table", ref=ref)


# The link in the mail is the credential: mail programs open it without cookies.
@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def agreement(request: HttpRequest, ref: str, person: str, token: str) -> HttpResponse:
    """What has changed, and the buttons: one tap where the player is known, and a tick elsewhere."""
    seat = table_links.find_agreement(ref, person, token)
    if seat is None or not is_usable(seat):
        return link_not_found(request)
    assert seat.user is not None
    user, error, status = seat.user, "", HTTPStatus.OK
    with as_reader(seat):
        has_left = False
        if request.method == "POST":
            try:
                has_left = _answer_by_link(seat, user, request)
            except ServiceError as refused:
                error, status = refused.message, HTTPStatus(refused.status)
        response = render(
            request, "games/tables/agreement.html", _context(request, seat, error, has_left), status=status
        )
        if request.method == "POST" and not error and request.POST.get(MINE) == "yes":
            sessions.trust_device(request, response, user, present.now())
        return response


def _context(request: HttpRequest, seat: Seat, error: str, has_left: bool) -> dict[str, object]:
    assert seat.user is not None
    has_left = has_left or not Seat.objects.filter(pk=seat.pk).exists()  # or was removed at this moment
    if not has_left:
        seat.refresh_from_db(fields=["agreed_version"])
    seat.game.refresh_from_db()
    return {
        "game": seat.game,
        "seat": seat,
        "differences": [] if has_left else hosting.settings_differences(seat),
        "error": error,
        "has_left": has_left,
        "is_trusted": sessions.is_trusted(request, seat.user),
        "action_url": request.path,
        "game_url": table_links.game_url(seat.game),
        **about(seat.game),
    }


def _answer_by_link(seat: Seat, user: User, request: HttpRequest) -> bool:
    if request.POST.get(MINE) != "yes" and not sessions.is_trusted(request, user):
        raise ServiceError(_("Nothing was changed. Tick “This device is mine”, then press the button again."))
    return _answer(seat.game, user, request)


def _answer(game: Game, user: User, request: HttpRequest) -> bool:
    """Does what the button says. Returns whether the player has left."""
    answer, seen = request.POST.get("answer", ""), request.POST.get("seen", "")
    if answer not in ANSWERS or not (seen.isdecimal() and len(seen) <= len(str(2**15))):
        raise ServiceError(_("Please choose whether you agree. Nothing was changed."))
    if answer == "leave":
        lifecycle.leave(game_id=game.pk, user=user)
        return True
    hosting.agree_to_settings(game_id=game.pk, user=user, seen=int(seen))
    return False
