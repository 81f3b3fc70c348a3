"""Pages about blocking: whom somebody has blocked, and blocking somebody from a profile or from table talk."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.errors import NotFound, ServiceError
from games.lobby import fellow_players
from games.people import blocks
from games.people.models import Block, User
from games.play import table_talk
from games.web.play.table_page import access_game
from games.web.reader import posted, require_user
from notifications.clock import present
from notifications.models import Recipient


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def blocked(request: HttpRequest) -> HttpResponse:
    """Shows a person's blocks; a POST takes the block back that it names."""
    user = require_user(request)
    if request.method == "POST":
        try:
            row = blocks.unblock(by=user.recipient, ref=posted(request, "ref"))
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("You've unblocked %(name)s.") % {"name": row.name})
        return redirect("blocked")
    return render(request, "games/clubs/blocked.html", {"blocks": blocks.blocks_of(user.recipient)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def of_player(request: HttpRequest, ref: str) -> HttpResponse:
    """Blocks the owner of a profile, or takes it back."""
    try:
        person, name = fellow_players.find_person(require_user(request), ref)
    except NotFound as error:
        raise Http404(error.message) from error
    return _block_page(request, person, name, reverse("player", args=[ref]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def of_author(request: HttpRequest, ref: str, comment: str) -> HttpResponse:
    """Blocks whoever wrote a line of table talk, or takes it back."""
    game = access_game(request, ref).game
    try:
        author, name = table_talk.find_author(game, comment, require_user(request))
    except NotFound as error:
        raise Http404(error.message) from error
    return _block_page(request, author, name, reverse("table", args=[ref]) + "#talk-said")


def _block_page(request: HttpRequest, person: User, name: str, back: str) -> HttpResponse:
    """Explains what blocking does, with a button; once it is done, a button that takes it back."""
    recipient, status, error = require_user(request).recipient, 200, ""
    if request.method == "POST":
        try:
            take(recipient, person, name, do_block=request.POST.get("do") != "unblock")
        except ServiceError as refused:
            status, error = refused.status, refused.message
        else:
            return redirect(request.path)
    row = find(recipient, person)
    context = {"row": row, "name": row.name if row else name, "back": back, "error": error}
    return render(request, "games/clubs/block.html", context, status=status)


def take(recipient: Recipient, person: User, name: str, *, do_block: bool) -> None:
    """Blocks, or takes the block back if there is one; both are harmless when repeated."""
    if do_block:
        blocks.block(by=recipient, other=person, name=name, now=present.now())
    elif row := find(recipient, person):
        blocks.unblock(by=recipient, ref=row.ref)


def find(recipient: Recipient, person: User) -> Block | None:
    """The block of a person by a recipient, or None."""
    return recipient.blocks.filter(blocked=person).first()


def answered(request: HttpRequest, recipient: Recipient, asker: User) -> QueryDict | None:
    """Returns the form that was sent, if it was; takes a block back where that was sent."""
    if request.method != "POST":
        return None
    if request.POST.get("answer") == "unblock":
        take(recipient, asker, asker.name, do_block=False)
        return None
    return request.POST
