"""The page of a person's friends and clubs, and the buttons about friends."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.clubs import clubs, invitations
from games.errors import ServiceError
from games.lobby import fellow_players
from games.people import friends
from games.people.models import Friendship, User
from games.web.clubs.forms import ClubForm
from games.web.forms import status_of
from games.web.reader import next_path, require_user
from notifications.clock import present

MOST_FELLOWS = 8


@login_required
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Requests that wait for an answer, friends, clubs, and the people somebody has played with lately."""
    return people_page(request, ClubForm())


def people_page(request: HttpRequest, form: ClubForm) -> HttpResponse:
    """The same with a form for a new club, which may say what is wrong with it."""
    user = require_user(request)
    pairs = friends.friendships_of(user)
    keys = {friend.pk for _row, friend in pairs} | {row.asked_id for row in friends.requests_sent(user)}
    context = {
        "requests": friends.requests_received(user),
        "invitations": [(row, invitations.invitation_url(row)) for row in invitations.received(user)],
        "friendships": pairs,
        "sent": friends.requests_sent(user),
        "clubs": clubs.clubs_of(user),
        "fellows": [fellow for fellow in fellow_players.lately(user, MOST_FELLOWS) if fellow.pk not in keys],
        "form": form,
    }
    return render(request, "games/clubs/people.html", context, status=status_of(form))


@login_required
@require_POST
def ask(request: HttpRequest, ref: str) -> HttpResponse:
    """Asks the owner of a profile to be friends."""
    other = User.objects.filter(ref=ref).select_related("recipient").first()
    if other is None:
        raise Http404(_("There's no such profile, or its owner has made it private."))
    try:
        row = friends.ask(user=require_user(request), other=other, now=present.now())
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        is_done = row.status == Friendship.Status.FRIENDS
        words = _("You and %(name)s are friends now.") if is_done else _("We've asked %(name)s.")
        messages.success(request, words % {"name": other.name})
    return redirect(next_path(request, "people"))


@login_required
@require_POST
def answer(request: HttpRequest, ref: str) -> HttpResponse:
    """Takes the button of a request or a friendship: `do` is accept, decline or take_back."""
    user = require_user(request)
    try:
        messages.success(request, _answered(user, ref, request.POST.get("do", "")))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect(next_path(request, "people"))


def _answered(user: User, ref: str, act: str) -> str:
    if act == "accept":
        row = friends.accept(user=user, ref=ref, now=present.now())
        return _("You and %(name)s are friends now.") % {"name": row.asker.name}
    if act == "decline":
        friends.decline(user=user, ref=ref, now=present.now())
        return _("You've declined. The other person isn't told.")
    if act == "take_back":
        friends.take_back(user=user, ref=ref)
        return _("Done. Nobody is told.")
    raise ServiceError(_("Choose one of the buttons. Nothing was changed."))
