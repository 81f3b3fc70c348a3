"""Pages that ask for a fresh sign-in: a browser that was left open is not its owner."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.people.sessions import is_fresh

BACK_TO = {"own_data": "own_data", "settings": "settings", "bots": "bots"}
View = Callable[[HttpRequest], HttpResponse]


def required(view: View) -> View:
    """A page of the sign-in program, for who has signed in just now; others are led back to the settings."""

    @login_required
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        if is_fresh(request):
            return view(request)
        messages.warning(request, _("Please sign in again before you do this."))
        return redirect("settings")

    return wrapped


@login_required
@require_POST
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Signs out, and back in to the page from which one came."""
    page = BACK_TO.get(request.POST.get("page", ""), "own_data")
    logout(request)
    return redirect(f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': reverse(page)})}")
