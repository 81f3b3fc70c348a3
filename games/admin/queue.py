"""The queue: everything that needs a moderator now, in the order in which it should be looked at."""

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from games.errors import ServiceError
from games.moderation import canned, deliveries, reports
from games.moderation import queue as rows
from games.moderation.entries import MODERATE_GAME
from games.moderation.forms import ReasonForm
from games.moderation.models import Report
from games.web.people import posted, require_user
from notifications import ledger
from notifications.clock import present


def queue(request: HttpRequest) -> HttpResponse:
    """The page; a POST settles a report, or has a message tried again that was given up."""
    if not request.user.has_perm(MODERATE_GAME):
        raise PermissionDenied
    if request.method == "POST":
        return _try_again(request) if "delivery" in request.POST else _settle(request)
    now, by = present.now(), require_user(request)
    context = {
        **admin.site.each_context(request),
        "title": _("Needs attention"),
        "reports": reports.open_reports_with_bar(by),
        "answers": [(text, canned.in_words(text)) for text in canned.REPORTS],
        "quarantined": rows.quarantined(),
        "overdue": rows.overdue(now),
        "unreachable": rows.unreachable(),
        "given_up": [(row, ledger.name_of(row.notice.kind)) for row in rows.given_up()],
        "resting": rows.resting(),
        "form": ReasonForm(),
    }
    return TemplateResponse(request, "games/admin/queue.html", context)


def _try_again(request: HttpRequest) -> HttpResponse:
    delivery = next((row for row in rows.given_up() if row.name == request.POST["delivery"]), None)
    if delivery is None:
        raise Http404
    try:
        by, reason = require_user(request), posted(request, "reason")
        deliveries.retry_delivery(delivery=delivery, by=by, reason=reason, now=present.now())
        messages.success(request, _("Trying again."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")


def _settle(request: HttpRequest) -> HttpResponse:
    rows_of_reports = Report.objects.select_related("game", "club", "tournament", "against", "reporter__recipient")
    report = get_object_or_404(rows_of_reports, ref=posted(request, "report"))
    try:
        ready, own = request.POST.get("ready", ""), posted(request, "reason")
        reason = canned.combined(ready if ready in canned.REPORTS else "", own)
        outcome = request.POST.get("outcome", "")
        reports.settle_report(
            report=report, by=require_user(request), outcome=outcome, reason=reason, now=present.now()
        )
        messages.success(request, _("The report is resolved."))
    except ServiceError as error:
        messages.error(request, error.message)
    return redirect("moderation_queue")
