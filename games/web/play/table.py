"""A table: waiting room, running game, result. Who signed in acts here."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import quote_etag
from django.views.decorators.http import etag, require_POST, require_safe

from games.errors import NotFound
from games.lobby import practice
from games.play import queries
from games.play.models import Move
from games.web.play import answering
from games.web.play.page_etag import compute_page_etag
from games.web.play.table_page import access_seat, access_to_answer, table_page
from games.web.reader import signed_in
from notifications.clock import present


def _etag(request: HttpRequest, ref: str) -> str | None:
    """The page etag; computed before the game is read, so that nothing that happens in between is missed."""
    request.face = compute_page_etag(signed_in(request), ref)  # type: ignore[attr-defined]
    return quote_etag(request.face) if request.face else None  # type: ignore[attr-defined]


@require_safe
@etag(_etag)
def table(request: HttpRequest, ref: str) -> HttpResponse:
    """The table as this person may see it; signed-out people are asked to sign in, whether or not there is one."""
    user = signed_in(request)
    try:
        access = queries.access_game(user, ref)
    except NotFound as error:
        if user is None:
            return redirect_to_login(request.get_full_path())
        raise Http404(str(error)) from error
    move = answering.own_move(access, request.GET.get(answering.DONE, ""), present.now())
    return table_page(request, access, done=move)


@login_required
@require_POST
def act(request: HttpRequest, ref: str) -> HttpResponse:
    """Takes an answer; what is refused is shown again at the form, with what was typed."""
    access = access_to_answer(request, ref)
    try:
        move = answering.take_answer(
            access,
            request.POST.dict(),
            source=Move.Source.WEB,
            actor=signed_in(request),
            received_at=present.now(),
            due_at=access.game.next_due_at,
        )
    except answering.AnswerRefused as error:
        return table_page(request, access_seat(request, ref), refusal=error.refusal)
    if access.game.is_lesson:
        practice.settle(access.game.pk, present.now())
    return answering.redirect_to_result(reverse("table", args=[ref]), move)
