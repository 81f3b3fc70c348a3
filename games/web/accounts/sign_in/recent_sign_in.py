"""Pages that ask for a fresh sign-in: a browser that was left open is not its owner."""

from collections.abc import Callable
from datetime import timedelta
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
from rest_framework.request import Request

from games.accounts.sign_in import sessions
from games.web.people import require_user
from notifications.clock import present

FRESH = timedelta(minutes=10)
FRESH_AFTER_SIGN_UP = timedelta(hours=1)  # a new account is set up at leisure, and has nothing yet that could be taken
BACK_TO = {"own_data": "own_data", "settings": "settings", "bots": "bots"}
View = Callable[[HttpRequest], HttpResponse]


def is_fresh(request: HttpRequest | Request) -> bool:
    """Whether the person has signed in within the last minutes, or made the account within the last hour."""
    signed_in_at, joined_at = sessions.since(request), require_user(request).date_joined
    return signed_in_at > present.now() - FRESH or min(signed_in_at, joined_at) > present.now() - FRESH_AFTER_SIGN_UP


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
