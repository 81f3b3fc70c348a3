"""Looking after a table: its host gives time and reminds, every player may call a moderator, all see what was done."""

from collections.abc import Callable
from datetime import datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.errors import ServiceError
from games.lobby import hosting, waiting
from games.moderation import reports, tables
from games.moderation.forms import AbsentForm, Facts, HostExtensionForm, HostReasonForm, ReportForm
from games.people.models import User
from games.play import queries
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from games.web.hosting.forms import HandOverForm, PresetForm
from games.web.reader import require_user
from notifications.clock import present


@login_required
@require_POST
def withdraw_host_offer(request: HttpRequest, ref: str) -> HttpResponse:
    """The host takes back the offer of his role."""
    user = require_user(request)
    game = queries.access_game(user, ref).game
    try:
        hosting.withdraw_offer(game_id=game.pk, host=user)
        messages.success(request, _("The offer is withdrawn. You are still the host."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("care", ref=ref)


@login_required
@require_POST
def take_host_role(request: HttpRequest, ref: str) -> HttpResponse:
    """A player takes the role of a host who has vanished."""
    user = require_user(request)
    game = queries.access_game(user, ref).game
    try:
        hosting.take_role(game_id=game.pk, user=user, now=present.now())
        messages.success(request, _("You are the host now. Everyone at the table is told."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("care", ref=ref)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def care(request: HttpRequest, ref: str) -> HttpResponse:
    """The page, and what its forms do."""
    user = require_user(request)
    access = queries.access_game(user, ref)
    sent = request.POST.get("act", "")
    made = _forms(access, user, request.POST if request.method == "POST" else None, sent)
    if sent in made and made[sent].is_valid():
        try:
            messages.success(request, _ACTS[sent](access.game, user, made[sent].cleaned_data, present.now()))
            return redirect("care", ref=ref)
        except ServiceError as error:
            messages.error(request, error.message)
    game = access.game
    context = {"access": access, "game": game, "forms": made, "done": queries.moderation(access)}
    if game.host_id == user.pk:
        context |= {"waiting": waiting.waiting(game, access.seat), "offer": hosting.offer_of(game)}
    elif hosting.can_take_role(game, access.seat, present.now()):
        context["can_take"] = True
    if "replace" in made:
        context["offers"] = access.game.invitations.filter(seat__isnull=False, status=Invitation.Status.SENT)
    return render(request, "games/tables/host_tools.html", context, status=400 if request.method == "POST" else 200)


def _forms(access: queries.Access, user: User, data: QueryDict | None, sent: str) -> dict[str, forms.Form]:
    game = access.game
    made: dict[str, forms.Form] = {}

    def given(name: str) -> QueryDict | None:
        return data if name == sent else None

    if game.host_id == user.pk:
        if candidates := hosting.host_candidates(game):
            made["hand_over"] = HandOverForm(given("hand_over"), prefix="hand_over", seats=candidates)
        made["preset"] = PresetForm(given("preset"), prefix="preset", title=game.title)
    if game.status != Game.Status.RUNNING:
        return made
    if game.host_id == user.pk:
        if tables.may_nudge(game):
            made["nudge"] = HostReasonForm(given("nudge"), prefix="nudge")
        made["extend"] = HostExtensionForm(given("extend"), prefix="extend")
        if game.seats.filter(user__isnull=False, status=Seat.Status.ABSENT).exists():
            made["replace"] = AbsentForm(given("replace"), prefix="replace", about=game)
    if access.seat is not None:
        made["report"] = ReportForm(given("report"), prefix="report", game=game, own=access.seat.number)
    return made


def _nudge(game: Game, user: User, facts: Facts, now: datetime) -> str:
    tables.nudge(game=game, by=user, reason=facts["reason"], now=now)
    return _("Everyone the game is waiting for has been reminded.")


def _extend(game: Game, user: User, facts: Facts, now: datetime) -> str:
    tables.extend(game=game, by=user, hours=facts["hours"], reason=facts["reason"], now=now)
    return _("Everyone who is being asked has more time.")


def _replace(game: Game, user: User, facts: Facts, now: datetime) -> str:
    seat = tables.seat_at(game, facts["seat"])
    tables.offer_seat(seat=seat, address=facts["address"], by=user, reason=facts["reason"], now=now)
    return _(
        "The invitation is on its way. The seat changes hands when it is accepted; until then its player may come back."
    )


def _hand_over(game: Game, user: User, facts: Facts, now: datetime) -> str:
    made = hosting.offer_role(game_id=game.pk, host=user, seat=facts["seat"], now=now)
    return _("%(name)s has been asked. You stay the host until they accept.") % {"name": made.user.get_short_name()}


def _preset(game: Game, user: User, facts: Facts, now: datetime) -> str:
    made = hosting.save_preset(owner=user, name=facts["name"], game=game, now=now)
    return _("The preset “%(name)s” is saved.") % {"name": made.name}


def _report(game: Game, user: User, facts: Facts, now: datetime) -> str:
    reports.file_report(game=game, by=user, seat=facts["seat"], text=facts["text"], now=now)
    return _("We've told the moderators, and nobody else.")


_ACTS: dict[str, Callable[[Game, User, Facts, datetime], str]] = {
    "nudge": _nudge,
    "extend": _extend,
    "replace": _replace,
    "report": _report,
    "hand_over": _hand_over,
    "preset": _preset,
}
