"""The page behind the link that holds an answer by mail until its writer says that it is his."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games import links, page_urls
from games.web.reader import as_reader, is_usable, link_not_found, private
from notifications.clock import present
from notifications.inbound import dispatch
from notifications.models import Inbound


@csrf_exempt  # as the act links: who knows the address may act, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def confirm(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """GET shows the answer and changes nothing; POST acts, if its writer has marked that it is his."""
    found = links.find_held(ref, token)
    if found is None or not is_usable(found[1].seat):
        return link_not_found(request)
    inbound, row = found
    is_sure = request.POST.get("mine") == "yes"
    with as_reader(row.seat):
        was_held = inbound.state == Inbound.State.HELD
        if request.method == "POST" and is_sure and was_held:
            inbound = dispatch.confirm(inbound, present.now())
        is_missing = request.method == "POST" and not is_sure and was_held
        context = {
            "game": row.game,
            "inbound": inbound,
            "is_held": inbound.state == Inbound.State.HELD,
            "is_done": inbound.state == Inbound.State.DONE,
            "said": inbound.answer.splitlines(),
            "is_missing": is_missing,
            "game_url": page_urls.game_url(row.game),
        }
        return render(
            request,
            "games/mail/confirm_reply.html",
            context,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_missing else 200,
        )
