"""A host's presets: the list, renaming, deleting."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.errors import ServiceError
from games.lobby import hosting
from games.lobby.models import TablePreset
from games.tables import pace
from games.tables.settings import rules_named
from games.web.reader import require_user
from games.web.tables.game_form import in_words


@login_required
@require_safe
def presets(request: HttpRequest) -> HttpResponse:
    """The list."""
    shown = [{"preset": one, "words": _in_words(one)} for one in hosting.presets_of(require_user(request))]
    return render(request, "games/tables/presets.html", {"presets": shown})


@login_required
@require_POST
def rename_preset(request: HttpRequest, ref: str) -> HttpResponse:
    """Another name."""
    owner, name = require_user(request), request.POST.get("name", "")
    return _done(request, _("The preset is renamed."), lambda: hosting.rename_preset(owner=owner, ref=ref, name=name))


@login_required
@require_POST
def delete_preset(request: HttpRequest, ref: str) -> HttpResponse:
    """Away with it."""
    owner = require_user(request)
    return _done(request, _("The preset is deleted."), lambda: hosting.delete_preset(owner=owner, ref=ref))


def _done(request: HttpRequest, message: str, run: Callable[[], object]) -> HttpResponse:
    try:
        run()
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, message)
    return redirect("presets")


def _in_words(preset: TablePreset) -> str:
    rules, values = rules_named(preset.rules_name), hosting.preset_values(preset)
    speed = dict(pace.paces()).get(values["pace"], values["pace"])
    facts = {"game": in_words(rules, rules.title), "seats": values["seat_count"], "pace": speed}
    return _("%(game)s, %(seats)s seats, %(pace)s") % facts
