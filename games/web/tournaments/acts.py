"""The buttons of a tournament's page. Each calls one service, says what came of it, and returns to the page."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import ServiceError
from games.people.models import User
from games.tournaments import entering, hosting
from games.tournaments.models import MOST_ROUNDS, Tournament
from games.web.people import posted, require_user
from games.web.tournaments.pages import find
from notifications.clock import present

Button = Callable[..., str]


def button(act: Button) -> Callable[..., HttpResponse]:
    """Makes a page of `act(user, tournament, request)`, which returns what to say; refusals are said there, too."""

    @wraps(act)
    def page(request: HttpRequest, ref: str) -> HttpResponse:
        row = find(ref)
        try:
            messages.success(request, act(require_user(request), row, request))
        except ServiceError as error:
            messages.error(request, error.message)
        return redirect("tournament", ref=row.ref)

    return login_required(require_POST(page))


@button
def enter(user: User, row: Tournament, request: HttpRequest) -> str:
    """Enters the reader."""
    entering.enter(tournament_id=row.pk, user=user, now=present.now())
    return _("You've entered. We'll email you when your first game starts.")


@button
def leave(user: User, row: Tournament, request: HttpRequest) -> str:
    """Takes the reader out."""
    entering.leave(tournament_id=row.pk, user=user, now=present.now())
    return _("You've left the tournament.")


@button
def enter_bot(user: User, row: Tournament, request: HttpRequest) -> str:
    """Enters a bot account."""
    name = posted(request, "name")
    entrant = entering.enter_bot(tournament_id=row.pk, host=user, name=name, now=present.now())
    return _("%(name)s has entered.") % {"name": entrant.spoken_name}


@button
def start(user: User, row: Tournament, request: HttpRequest) -> str:
    """Closes the entries now."""
    hosting.start_now(tournament_id=row.pk, by=user, now=present.now())
    return _("Entries are closed and the first round is drawn. The games start in a moment.")


@button
def end_round(user: User, row: Tournament, request: HttpRequest) -> str:
    """Ends the round of the form, if it is still the one that is played."""
    _be_sure(request)
    hosting.end_round(tournament_id=row.pk, by=user, number=_round(posted(request, "round")), now=present.now())
    return _("The round is over.")


@button
def call_off(user: User, row: Tournament, request: HttpRequest) -> str:
    """Calls it off."""
    _be_sure(request)
    reason = posted(request, "off-reason")
    hosting.call_off(tournament_id=row.pk, by=user, reason=reason, now=present.now())
    return _("The tournament is called off. Everyone who had entered will be told.")


@button
def remove(user: User, row: Tournament, request: HttpRequest) -> str:
    """Removes a player."""
    entrant, reason = posted(request, "entrant"), posted(request, "reason")
    hosting.remove(tournament_id=row.pk, by=user, entrant=entrant, reason=reason, now=present.now())
    return _("The player was removed, and will be told why.")


@button
def report(user: User, row: Tournament, request: HttpRequest) -> str:
    """Reports it to the moderators."""
    hosting.file_report(tournament=row, by=user, text=posted(request, "text"), now=present.now())
    return _("Thank you. A moderator will look at it.")


def _round(text: str) -> int:
    """The number of a round; 0, which is none, for what cannot be one."""
    return int(text) if text.isdecimal() and len(text) <= len(str(MOST_ROUNDS)) else 0


def _be_sure(request: HttpRequest) -> None:
    """Raises ServiceError without the tick, so that one slip does not do it."""
    if request.POST.get("sure") != "yes":
        raise ServiceError(_("Tick the box to confirm. Nothing was changed."))
