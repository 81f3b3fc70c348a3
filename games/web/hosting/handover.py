"""The page behind a link by which somebody accepts or declines the host's role."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.errors import ServiceError
from games.lobby import hosting
from games.lobby.models import HostOffer
from games.people import sessions
from games.tables import table_links
from games.web.answers.confirmation import MINE
from games.web.reader import link_not_found, private
from notifications.clock import present


# The link in the mail is the credential: mail programs open it without cookies.
@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def host_offer(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Who asks, and the buttons: one tap where the person is known, and a tick elsewhere."""
    offer = hosting.find_host_offer(ref, token)
    if offer is None or not offer.user.is_active:
        return link_not_found(request)
    recipient, error, status, answer = offer.user.recipient, "", HTTPStatus.OK, ""
    with translation.override(recipient.language), timezone.override(recipient.zone_info):
        if request.method == "POST":
            try:
                answer = _answer(offer, request)
            except ServiceError as refused:
                error, status = refused.message, HTTPStatus(refused.status)
        context = {
            "game": offer.game,
            "answer": answer,
            "error": error,
            "is_trusted": sessions.is_trusted(request, offer.user),
            "game_url": table_links.game_url(offer.game),
        }
        response = render(request, "games/tables/host_offer.html", context, status=status)
        if answer and request.POST.get(MINE) == "yes":
            sessions.trust_device(request, response, offer.user, present.now())
        return response


def _answer(offer: HostOffer, request: HttpRequest) -> str:
    """Does what the button says, and returns it."""
    answer = request.POST.get("answer", "")
    if request.POST.get(MINE) != "yes" and not sessions.is_trusted(request, offer.user):
        raise ServiceError(_("Nothing was changed. Tick “This device is mine”, then press the button again."))
    if answer == "accept":
        hosting.accept_offer(offer=offer, now=present.now())
    elif answer == "decline":
        hosting.decline_offer(offer=offer)
    else:
        raise ServiceError(_("Please choose whether you accept. Nothing was changed."))
    return answer
