"""Pages of a club: founding one, its own page, and the buttons there."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from games.archive import ratings
from games.clubs import clubs, invitations
from games.clubs.models import Club
from games.errors import Conflict, Forbidden, ServiceError, TooMany
from games.moderation import reports
from games.moderation.entries import may_moderate_club
from games.people import friends, staff
from games.people.models import User
from games.play import lists, queries
from games.tables.models import Game
from games.web.clubs.forms import ClubForm, ClubInviteForm, ClubReportForm
from games.web.clubs.friends import people_page
from games.web.forms import refusals_in
from games.web.reader import posted, require_user
from games.web.site import names, table_card
from notifications.clock import present

MOST_GAMES = 20


@login_required
@require_POST
def found(request: HttpRequest) -> HttpResponse:
    """Founds a club."""
    form = ClubForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            club = clubs.found(user=require_user(request), now=present.now(), **form.cleaned_data)
            messages.success(request, _("Your club is ready. Now invite people."))
            return redirect("club", ref=club.ref)
    return people_page(request, form)


@login_required
@require_safe
def club(request: HttpRequest, ref: str) -> HttpResponse:
    """A club as its members see it; moderators see its name, description and members. 404 for everybody else."""
    user = require_user(request)
    return _page(request, user, _find(request, user, ref))


def _find(request: HttpRequest, user: User, ref: str) -> Club:
    try:
        return clubs.find_club(user, ref)
    except ServiceError as error:
        club = Club.objects.filter(ref=ref).select_related("owner").first()
        if club is None or not _moderates(request, user, club):
            raise Http404(error.message) from error
        return club


def _moderates(request: HttpRequest, user: User, club: Club) -> bool:
    """Whether the reader may moderate the club here: as on the admin site, with a second factor."""
    return may_moderate_club(user, club) and staff.has_shown_second_factor(request, present.now())


def _page(request: HttpRequest, user: User, club: Club, *, status: int = 200, **changes: object) -> HttpResponse:
    is_member = clubs.is_member(club.pk, user)
    context: dict[str, object] = {
        "club": club,
        "is_member": is_member,
        "is_owner": club.owner_id == user.pk,
        "is_moderator": _moderates(request, user, club),
        "members": [row.user for row in clubs.memberships_of(club)],
        "club_form": ClubForm(initial={"name": club.name, "about": club.about}),
        "invite_form": ClubInviteForm(_to_invite(user, club)),
        "report_form": ClubReportForm(),
    }
    if is_member:
        games = lists.games_of_club(club, MOST_GAMES, user)
        context |= {
            "open": [table_card(game) for game in games if game.status == game.Status.OPEN],
            "running": _running([game for game in games if game.status == game.Status.RUNNING], user),
            "over": [(game, "") for game in games if game.status == game.Status.FINISHED],
            "standings": ratings.club_standings(club),
            "invitations": invitations.open_in(club),
            "join_url": invitations.join_url(club),
            "new_table_url": f"{reverse('new_table')}?club={club.ref}",
        }
    return render(request, "games/clubs/club.html", context | changes, status=status)


def _running(games: list[Game], user: User) -> list[tuple[Game, str]]:
    """Running games with the names of whom each waits for, as this member may know it."""
    asked = queries.asked_in(games)
    own = {game.pk: next((seat for seat in game.seated() if seat.user_id == user.pk), None) for game in games}
    return [(game, names(queries.waiting(game, own[game.pk], asked[game.pk])[0])) for game in games]


def _to_invite(user: User, club: Club) -> list[User]:
    there = {row.user_id for row in clubs.memberships_of(club)}
    return [friend for friend in friends.friends_of(user) if friend.pk not in there]


@login_required
@require_POST
def act(request: HttpRequest, ref: str) -> HttpResponse:
    """Takes the button that was pressed on a club's page: `do` names it."""
    user = require_user(request)
    club = _find(request, user, ref)
    run = ACTS.get(request.POST.get("do", ""))
    if run is None:
        messages.error(request, _("Choose one of the buttons. Nothing was changed."))
        return redirect("club", ref=ref)
    try:
        return run(request, user, club)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("club", ref=ref)


def _change(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    form = ClubForm(request.POST)
    if not form.is_valid():
        return _page(request, user, club, status=HTTPStatus.UNPROCESSABLE_ENTITY, club_form=form)
    clubs.change(club=club, by=user, now=present.now(), **form.cleaned_data)
    return _done(request, club, _("Saved."))


def _invite(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    """Invites several people; each has an own result, and one that fails does not hinder the others."""
    form = ClubInviteForm(_to_invite(user, club), request.POST)
    if not form.is_valid():
        return _page(request, user, club, status=HTTPStatus.UNPROCESSABLE_ENTITY, invite_form=form)
    count, now = 0, present.now()
    for address, name in form.people():
        try:
            row = invitations.invite(club=club, by=user, address=address, name=name, now=now)
            if row.created_at != now:
                raise Conflict(_("already invited"))
            count += 1
        except ServiceError as error:
            messages.error(request, f"{name or address}: {error.message}")
            if isinstance(error, TooMany):
                break
    text = ngettext("%(count)s invitation is on its way.", "%(count)s invitations are on their way.", count)
    return _done(request, club, text % {"count": count} if count else "")


def _withdraw(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    name = invitations.withdraw(club=club, by=user, ref=posted(request, "invitation"))
    words = _("The invitation for %(address)s is withdrawn.") % {"address": name}
    return _done(request, club, words if name else _("The invitation is withdrawn."))


def _remove(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    name = clubs.remove(club=club, by=user, member=posted(request, "member"))
    return _done(request, club, _("%(name)s is no longer a member. The invitation link is a new one.") % {"name": name})


def _hand_over(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    name = clubs.hand_over(club=club, by=user, member=posted(request, "member"))
    return _done(request, club, _("The club belongs to %(name)s now.") % {"name": name})


def _renew(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    clubs.renew_link(club=club, by=user)
    return _done(request, club, _("There is a new invitation link. The old one no longer works."))


def _leave(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    clubs.leave(club=club, user=user)
    messages.success(request, _("You've left “%(title)s”.") % {"title": club.display_name})
    return redirect("people")


def _close(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    clubs.close(club=club, by=user, now=present.now())
    messages.success(request, _("The club is closed. Its games stay with the people who play them."))
    return redirect("people")


def _report(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    form = ClubReportForm(request.POST)
    if not form.is_valid():
        return _page(request, user, club, status=HTTPStatus.UNPROCESSABLE_ENTITY, report_form=form)
    reports.report_club(club=club, by=user, text=form.cleaned_data["text"], now=present.now())
    return _done(request, club, _("Thank you. A moderator will look at it."))


def _hide(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    _check_moderates(request, user, club)
    reports.hide_club(club=club, by=user, reason=posted(request, "reason"), now=present.now())
    return _done(request, club, _("Name and description are hidden."))


def _show(request: HttpRequest, user: User, club: Club) -> HttpResponse:
    _check_moderates(request, user, club)
    reports.show_club(club=club, by=user, reason=posted(request, "reason"), now=present.now())
    return _done(request, club, _("Name and description are shown again."))


def _check_moderates(request: HttpRequest, user: User, club: Club) -> None:
    if not _moderates(request, user, club):
        raise Forbidden(_("Only a moderator can do that."))


def _done(request: HttpRequest, club: Club, words: str) -> HttpResponse:
    if words:
        messages.success(request, words)
    return redirect("club", ref=club.ref)


ACTS: dict[str, Callable[[HttpRequest, User, Club], HttpResponse]] = {
    "change": _change,
    "invite": _invite,
    "withdraw": _withdraw,
    "remove": _remove,
    "hand_over": _hand_over,
    "renew": _renew,
    "leave": _leave,
    "close": _close,
    "report": _report,
    "hide": _hide,
    "show": _show,
}
