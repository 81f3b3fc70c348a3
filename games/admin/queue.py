"""The queue: everything that needs a moderator now, in the order in which it should be looked at."""

from datetime import timedelta

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from games.errors import ServiceError
from games.forms.moderation import ReasonForm
from games.models import Game, Report, Seat
from games.pages.people import require_user
from games.services.moderation import mails, reports
from games.services.moderation.entries import MODERATE_GAME
from notifications import confidential, suppressions
from notifications.clock import present
from notifications.models import ChannelHealth, Delivery, DeliveryState, Suppression

LATE = timedelta(minutes=5)  # nobody is later than that while the workers are well
MOST = 50  # rows of a kind


def queue(request: HttpRequest) -> HttpResponse:
    """The page; a POST settles a report, or has a message tried again that was given up."""
    if not request.user.has_perm(MODERATE_GAME):
        raise PermissionDenied
    if request.method == "POST":
        return _try_again(request) if "delivery" in request.POST else _settle(request)
    now = present.now()
    running = Game.objects.filter(status=Game.Status.RUNNING).select_related("host").defer("state", "server_seed")
    context = {
        **admin.site.each_context(request),
        "title": _("What needs somebody"),
        "reports": Report.objects.filter(settled_at=None).select_related("game", "reporter").order_by("pk")[:MOST],
        "quarantined": running.filter(quarantined_at__isnull=False).order_by("quarantined_at")[:MOST],
        "overdue": _overdue(running.filter(quarantined_at=None), now - LATE),
        "unreachable": _unreachable(),
        "given_up": confidential.without(_given_up(), "notice__subject")[:MOST],
        "resting": ChannelHealth.objects.filter(paused_until__gt=now),
        "form": ReasonForm(),
    }
    return TemplateResponse(request, "games/admin/queue.html", context)


def _overdue(games: QuerySet[Game], since: object) -> list[Game]:
    """Games that should have gone on by themselves."""
    late = games.filter(decisions__status="open", decisions__is_automatic=False, decisions__due_at__lt=since)
    return list((late | games.filter(advance_at__lt=since)).distinct().order_by("pk")[:MOST])


def _unreachable() -> list[Seat]:
    """Players who are waited for and to whom no mail goes."""
    hashes = set(Suppression.objects.exclude(reason=suppressions.ASKED).values_list("address_hash", flat=True))
    if not hashes:
        return []
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, status=Seat.Status.ACTIVE, user__isnull=False)
    rows = seats.select_related("user", "game").order_by("pk").iterator(500)
    return [seat for seat in rows if seat.user and suppressions.hashed(seat.user.email) in hashes][:MOST]


def _given_up() -> QuerySet[Delivery]:
    rows = Delivery.objects.filter(state=DeliveryState.QUARANTINED)
    return rows.select_related("notice__recipient").order_by("-pk")


def _try_again(request: HttpRequest) -> HttpResponse:
    given_up = confidential.without(_given_up(), "notice__subject")
    delivery = next((row for row in given_up[:MOST] if str(row.pk) == request.POST["delivery"]), None)
    if delivery is None:
        raise Http404
    try:
        by, reason = require_user(request), request.POST.get("reason", "")
        mails.try_again(delivery=delivery, by=by, reason=reason, now=present.now())
        messages.success(request, _("It is tried again."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")


def _settle(request: HttpRequest) -> HttpResponse:
    report = get_object_or_404(Report.objects.select_related("game"), ref=request.POST.get("report", ""))
    try:
        by, reason = require_user(request), request.POST.get("reason", "")
        reports.settle(report=report, by=by, reason=reason, now=present.now())
        messages.success(request, _("The report is settled."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")
