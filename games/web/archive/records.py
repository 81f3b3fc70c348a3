"""Records of games to take away, the program that checks them, and games played elsewhere to bring along."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.records import model
from engine.registry import INSTALLED
from games.archive import imports, records, verifier
from games.errors import ServiceError
from games.web.archive.record_form import ImportForm
from games.web.form_errors import refusals_in, sent, status_of
from games.web.people import require_user
from games.web.play.table_page import access_game
from notifications.clock import present


@require_safe
def record(request: HttpRequest, ref: str) -> HttpResponse:
    """The record of a finished game, for whoever may see it; of any other the way leads to its page about fairness."""
    game = access_game(request, ref).game
    try:
        data = model.dump(records.record_of(game))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("verify", ref=ref)
    return _file(data, "application/json", f"caravanserai-{game.ref}.json")


@require_safe
def download_verifier(request: HttpRequest, package: str = "") -> HttpResponse:
    """The program that checks records, for everybody; with the rules of an installed package if one is named."""
    if package and package not in INSTALLED:
        raise Http404
    response = _file(verifier.bundle(package), "application/octet-stream", verifier.name_of(package))
    response["ETag"] = f'"{verifier.digest(package)}"'
    return response


def _file(data: bytes, media_type: str, name: str) -> HttpResponse:
    return HttpResponse(data, media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_game(request: HttpRequest) -> HttpResponse:
    """A form for a record, which a worker checks, and the games that its reader has imported."""
    user = require_user(request)
    form = ImportForm(sent(request), request.FILES or None)
    if form.is_valid():
        with refusals_in(form, "record"):
            row = imports.request_import(data=form.cleaned_data["record"].read(), by=user, now=present.now())
            return redirect("importing", ref=row.ref)
    context = {
        "form": form,
        "imported": records.imported_by(user),
        "importing": imports.open_of(user),
        "largest": settings.LARGEST_RECORD // 2**20,
    }
    return render(request, "games/archive/import.html", context, status=status_of(form))


@login_required
@require_safe
def importing(request: HttpRequest, ref: str) -> HttpResponse:
    """How far a record is checked, and what has come of it; the page asks for that itself until it is known."""
    is_live = bool(getattr(request, "htmx", False))
    template = "games/archive/parts/importing.html" if is_live else "games/archive/importing.html"
    return render(request, template, {"importing": imports.find(require_user(request), ref)})


@login_required
@require_POST
def remove_import(request: HttpRequest, ref: str) -> HttpResponse:
    """Its importer takes an imported game away again."""
    game = access_game(request, ref).game
    try:
        records.remove(game=game, by=require_user(request))
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The game is removed. If you still have its record, you can import it again."))
    return redirect("import_game")
