"""Personal data: the privacy page, a person's copy of his data, and deleting his account."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.lobby.practice import LESSON_KEPT
from games.people.sessions import is_fresh
from games.privacy import erasure, personal_data
from games.privacy.retention import EXPIRIES
from games.web.accounts.forms import LeaveForm
from games.web.forms import refusals_in, status_of
from games.web.reader import require_user
from games.web.site.languages import page_language
from notifications.clock import present


@require_safe
def privacy(request: HttpRequest, language: str = "") -> HttpResponse:
    """The privacy page: what is stored, why, how long, and who sees it.

    Arguments:
        language: of the page; without it, or where we do not speak it, the reader's.
    """
    shown = page_language(language)
    with translation.override(shown.code):
        facts = {"rules": EXPIRIES, "grace": settings.ERASURE_GRACE_DAYS, "lessons": LESSON_KEPT.days}
        context = {**facts, "missing": shown.missing}
        return render(request, "games/accounts/privacy.html", context, status=shown.status)


@login_required
@require_safe
def own_data(request: HttpRequest) -> HttpResponse:
    """The page of a person's own data."""
    return _page(request, LeaveForm())


@login_required
@require_POST
def take_copy(request: HttpRequest) -> HttpResponse:
    """Sends all personal data of the person as a file."""
    now = present.now()
    text = personal_data.give(user=require_user(request), now=now)
    response = HttpResponse(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{personal_data.file_name(now)}"'
    return response


@login_required
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Asks for the account to be deleted: only from a sign-in of this moment, and with the address typed once more."""
    form = LeaveForm(request.POST)
    if not is_fresh(request):
        return _page(request, form, status=403)
    if form.is_valid():
        with refusals_in(form, "address"):
            erasure.ask(user=require_user(request), **form.cleaned_data, now=present.now())
            messages.success(request, _("Done. We've sent you an email. Until then you can change your mind here."))
            return redirect("own_data")
    return _page(request, form, status=status_of(form))


@login_required
@require_POST
def stay(request: HttpRequest) -> HttpResponse:
    """The account is not deleted after all."""
    if erasure.take_back(user=require_user(request)):
        messages.success(request, _("Your account stays. Nothing was deleted."))
    return redirect("own_data")


def _page(request: HttpRequest, form: LeaveForm, status: int = 200) -> HttpResponse:
    user = require_user(request)
    context = {
        "form": form,
        "wish": erasure.pending_erasure(user),
        "is_fresh": is_fresh(request),
        "grace": settings.ERASURE_GRACE_DAYS,
    }
    return render(request, "games/accounts/own_data.html", context, status=status)
