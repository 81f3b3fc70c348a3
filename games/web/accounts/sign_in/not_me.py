"""The page behind "It was not me" in a mail about an account: no session, for a thief may hold it."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.errors import Conflict
from games.people import alerts
from games.web.reader import link_not_found, private
from notifications.clock import present


@csrf_exempt  # as the act links: who knows the address may act, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def not_me(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """GET shows what can be done and changes nothing; POST does it, if the reader has marked that he wants it."""
    notice = alerts.find_disownable(ref, token)
    if notice is None:
        return link_not_found(request)
    now, is_sure, is_done, trouble = present.now(), request.POST.get("sure") == "yes", False, ""
    was_open = alerts.is_open(notice, now)
    if request.method == "POST" and is_sure and was_open:
        try:
            is_done = alerts.disown(notice, now)
        except Conflict as error:
            trouble = error.message
    is_missing = request.method == "POST" and not is_sure and was_open
    context = {
        "is_open": was_open,
        "is_done": is_done or "disowned_at" in notice.data,
        "is_missing": is_missing,
        "has_moved": notice.kind == alerts.MOVED,
        "address": notice.recipient.address,
        "trouble": trouble,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_missing else Conflict.status if trouble else 200
    with translation.override(notice.recipient.language), timezone.override(notice.recipient.zone_info):
        return render(request, "games/accounts/not_me.html", context, status=status)
