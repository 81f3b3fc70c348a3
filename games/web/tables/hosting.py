"""The buttons of a waiting room. Each calls one service, says what came of it, and returns to the table."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.errors import Conflict, Forbidden, Illegal, ServiceError, TooMany
from games.lobby import invitations, lifecycle
from games.people.models import User
from games.play import queries
from games.tables.models import Game
from games.tables.seats import Invitation
from games.web.reader import require_user
from games.web.tables.forms import InviteForm
from notifications.clock import present

Button = Callable[..., str]


def button(act: Button) -> Callable[..., HttpResponse]:
    """Makes a page of `act(user, game, request, ...)`, which returns what to say.

    A table that does not exist, or is not this person's to see, is a 404 page; other refusals are said at the table.
    """

    @wraps(act)
    def page(request: HttpRequest, ref: str, **arguments: object) -> HttpResponse:
        user = require_user(request)
        game = queries.access_game(user, ref).game
        try:
            done = act(user, game, request, **arguments)
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            if done:
                messages.success(request, done)
        return _back(user, game)

    return login_required(require_POST(page))


def _back(user: User, game: Game) -> HttpResponse:
    """To the table, or to the list of games for somebody who has just left it."""
    try:
        queries.access_game(user, game.ref)
    except ServiceError:
        return redirect("my_games")
    return redirect("table", ref=game.ref)


@button
def invite(user: User, game: Game, request: HttpRequest) -> str:
    """Invites several addresses; each has its own result, and one that fails does not hinder the others."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        raise ServiceError(" ".join(str(error) for errors in form.errors.values() for error in errors))
    words = form.cleaned_data["words"]
    sent = 0
    for address in form.cleaned_data["addresses"]:
        try:
            _invite_one(user, game, address, words)
            sent += 1
        except (TooMany, Forbidden, Illegal) as error:  # the next ones would be refused, too
            messages.error(request, f"{address}: {error.message}")
            break
        except ServiceError as error:
            messages.error(request, f"{address}: {error.message}")
    text = ngettext("%(count)s invitation is on its way.", "%(count)s invitations are on their way.", sent)
    return text % {"count": sent} if sent else ""


def _invite_one(user: User, game: Game, address: str, words: str) -> None:
    now = present.now()
    row = invitations.invite(game_id=game.pk, host=user, address=address, words=words, now=now)
    if row.created_at != now:
        raise Conflict(_("already invited"))


@button
def withdraw(user: User, game: Game, request: HttpRequest, invitation: str) -> str:
    """Takes an invitation back."""
    row = Invitation.objects.filter(game=game, ref=invitation).first()
    invitations.withdraw(ref=invitation, game_id=game.pk, host=user)
    return _("The invitation for %(address)s is withdrawn.") % {"address": row.label if row else ""}


@button
def add_bot(user: User, game: Game, request: HttpRequest) -> str:
    """Seats a bot."""
    bot = request.POST.get("name", "").strip() or request.POST.get("bot", "")
    seat = lifecycle.add_bot(game_id=game.pk, host=user, bot=bot, now=present.now())
    return _("%(name)s has joined.") % {"name": seat.spoken_name}


@button
def remove(user: User, game: Game, request: HttpRequest, number: int) -> str:
    """Sends a guest or a bot away. The form names whom it means: seats move up when somebody leaves."""
    seat = game.seats.filter(number=number).first()
    if seat is None or str(seat.pk) != request.POST.get("seat"):
        raise Conflict(_("The seats have changed in the meantime. Nothing was changed."))
    lifecycle.remove_seat(game_id=game.pk, host=user, number=number)
    return _("%(name)s has left the table.") % {"name": seat.spoken_name}


@button
def start(user: User, game: Game, request: HttpRequest) -> str:
    """Begins the game."""
    lifecycle.start(game_id=game.pk, host=user, now=present.now())
    return _("The game has begun. Players are asked by email and on this page.")


@button
def close(user: User, game: Game, request: HttpRequest) -> str:
    """Closes the table; the form asks for a tick, so that one slip does not do it."""
    if request.POST.get("sure") != "yes":
        raise ServiceError(_("Tick the box to confirm that you want to close the table. Nothing was changed."))
    lifecycle.close(game_id=game.pk, host=user, now=present.now())
    return _("The table is closed. Everyone who was invited will be notified.")


@button
def leave(user: User, game: Game, request: HttpRequest) -> str:
    """A guest gets up."""
    lifecycle.leave(game_id=game.pk, user=user)
    return _("You've left “%(title)s”.") % {"title": game.spoken_title}
