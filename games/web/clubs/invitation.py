"""Joining a club by its link, and the pages behind the links in emails about clubs and friends."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.clubs import clubs, invitations
from games.clubs.models import ClubInvitation
from games.errors import ServiceError
from games.people import friends
from games.people.models import Friendship, User
from games.web.clubs import blocking
from games.web.clubs.forms import ConsentForm
from games.web.forms import refusals_in, status_of
from games.web.reader import require_user, signed_in, signed_in_as_another, with_private_address
from notifications.channels.mail.suppressions import never_write_url
from notifications.clock import present


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """A club as whoever holds its link may see it, and a button to join for those who are signed in."""
    club = invitations.find_club(ref, token)
    if club is None:
        raise Http404(_("This link no longer works. Ask a member of the club for a new one."))
    user, status, error = signed_in(request), 200, ""
    if request.method == "POST" and user is not None:
        try:
            clubs.join(club=club, user=user, now=present.now())
        except ServiceError as refused:
            status, error = refused.status, refused.message
        else:
            messages.success(request, _("Welcome to the club!"))
            return redirect("club", ref=club.ref)
    elif request.method == "POST":
        status = HTTPStatus.FORBIDDEN
    context = {"club": club, "error": error, "is_member": clubs.is_member(club.pk, user)}
    context["count"] = club.memberships.count()
    return with_private_address(render(request, "games/clubs/join.html", context, status=status))


# The link in the mail is the credential, and mail programs open it without cookies: there is no session to protect.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Shows who invites to which club. GET changes nothing; POST joins or declines. No session is begun."""
    row = invitations.find_invitation(ref, token)
    if row is None:
        raise Http404(_("This invitation is no longer open."))
    has_account = User.objects.filter(email=row.address).exists()
    data = blocking.answered(request, row.recipient, row.inviter)
    form = ConsentForm(data, asker=row.inviter.name, needs_name=not has_account)
    if form.is_valid():
        with refusals_in(form):
            _answer_invitation(row, form)
    row.refresh_from_db(fields=["status"])
    context = {
        "row": row,
        "is_in": row.status == ClubInvitation.Status.JOINED
        or row.club.memberships.filter(user__email=row.address).exists(),
        **signed_in_as_another(request, row.address),
        "form": form,
        "is_open": invitations.is_open(row),
        "count": row.club.memberships.count(),
        "own_block": blocking.find(row.recipient, row.inviter),
        "never_write_url": never_write_url(row.address),
    }
    return with_private_address(render(request, "games/clubs/invitation.html", context, status=status_of(form)))


@login_required
@require_POST
def invitation_as_me(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Makes whoever is signed in a member, by an invitation that went to another address, which is used up by it."""
    row = invitations.find_invitation(ref, token)
    if row is None:
        raise Http404(_("This invitation is no longer open."))
    try:
        invitations.accept_as(invitation=row, user=require_user(request), now=present.now())
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("club_invitation", ref=ref, token=token)
    messages.success(request, _("Welcome to the club!"))
    return redirect("club", ref=row.club.ref)


def _answer_invitation(row: ClubInvitation, form: ConsentForm) -> None:
    data = form.cleaned_data
    if data["answer"] == "yes":
        invitations.accept(invitation=row, name=data.get("name", ""), zone=data.get("zone", ""), now=present.now())
    else:
        invitations.decline(invitation=row)
    if data["answer"] == "block":
        blocking.take(row.recipient, row.inviter, row.inviter.name, do_block=True)


@csrf_exempt  # as above
@require_http_methods(["GET", "HEAD", "POST"])
def friend_request(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Shows who wants to be friends. GET changes nothing; POST says yes or no, and nobody is told of a no."""
    match = friends.find_friend_request(ref, token)
    if match is None:
        raise Http404(_("This request was taken back."))
    row: Friendship = match
    with translation.override(row.asked.recipient.language):
        data = blocking.answered(request, row.asked.recipient, row.asker)
        form = ConsentForm(data, asker=row.asker.name)
        if form.is_valid():
            with refusals_in(form):
                _answer_request(row, form)
        row.refresh_from_db(fields=["status"])
        context = {"row": row, "form": form, "own_block": blocking.find(row.asked.recipient, row.asker)}
        page = render(request, "games/clubs/friend_request.html", context, status=status_of(form))
        return with_private_address(page)


def _answer_request(row: Friendship, form: ConsentForm) -> None:
    if form.cleaned_data["answer"] == "yes":
        friends.accept(user=row.asked, ref=row.ref, now=present.now())
    else:
        friends.decline(user=row.asked, ref=row.ref, now=present.now())
    if form.cleaned_data["answer"] == "block":
        blocking.take(row.asked.recipient, row.asker, row.asker.name, do_block=True)
