"""Speaking at a table, hiding what was said, and keeping notes."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import NotFound, ServiceError
from games.people.models import User
from games.play import table_talk
from games.play.models import LONGEST_COMMENT, LONGEST_NOTE
from games.web.play.table_page import Unsaid, access_game, access_seat, table_page
from games.web.reader import require_user, signed_in
from notifications.clock import present


@login_required
@require_POST
def say(request: HttpRequest, ref: str) -> HttpResponse:
    """Adds a line; what is refused is shown again in the form."""
    user = signed_in(request)
    assert user is not None
    access = access_game(request, ref)
    text = request.POST.get("text", "")
    try:
        table_talk.say(game_id=access.game.pk, user=user, text=text, now=present.now())
    except NotFound as error:
        raise Http404(str(error)) from error
    except ServiceError as error:
        unsaid = Unsaid(text[: 2 * LONGEST_COMMENT], str(error), error.status)
        return table_page(request, access, said=unsaid)
    return redirect(_at_table(ref, "talk-said"))


@login_required
@require_POST
def mark_read(request: HttpRequest, ref: str) -> HttpResponse:
    """Records that the reader has seen the talk: his page says so when its panel is opened."""
    user = signed_in(request)
    assert user is not None
    table_talk.mark_read(game=access_seat(request, ref).game, user=user, now=present.now())
    return redirect(_at_table(ref, "talk-said"))


@login_required
@require_POST
def hide(request: HttpRequest, ref: str, comment: str) -> HttpResponse:
    """Takes a line out of sight: one's own, or as host or staff any."""
    user = signed_in(request)
    assert user is not None
    access = access_game(request, ref)
    row = access.game.comments.select_related("game").filter(ref=comment).first()
    if row is None or not table_talk.may_hide(row, user):
        raise Http404(_("There's no such message, or you can't hide it."))
    table_talk.hide(comment=row, user=user, now=present.now())
    messages.success(request, _("The message is hidden."))
    return redirect(_at_table(ref, "talk-said"))


@login_required
@require_POST
def note(request: HttpRequest, ref: str) -> HttpResponse:
    """Keeps the reader's notes about this game."""
    user = signed_in(request)
    assert user is not None
    access = access_seat(request, ref)
    text = request.POST.get("text", "")
    try:
        table_talk.keep_note(game=access.game, user=user, text=text, now=present.now())
    except ServiceError as error:
        unkept = Unsaid(text[: 2 * LONGEST_NOTE], str(error), error.status)
        return table_page(request, access, noted=unkept)
    messages.success(request, _("Your notes are saved."))
    return redirect(_at_table(ref, "note"))


def _at_table(ref: str, part: str) -> str:
    return f"{reverse('table', args=[ref])}#{part}"


@login_required
@require_POST
def hear_bots(request: HttpRequest, ref: str) -> HttpResponse:
    """Lets the bots' characters say something at tables, or not."""
    access_seat(request, ref)
    User.objects.filter(pk=require_user(request).pk).update(hears_bots=request.POST.get("hears") == "yes")
    return redirect("table", ref=ref)
