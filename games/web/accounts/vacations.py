"""The forms of the settings page about vacations."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.play import absences
from games.web.accounts import settings
from games.web.reader import require_user
from notifications.clock import present


@login_required
@require_POST
def plan(request: HttpRequest) -> HttpResponse:
    """Plans a vacation; what is wrong with it is said at the form."""
    user = require_user(request)

    def save(data: dict[str, object]) -> str:
        absences.plan(user=user, **data, now=present.now())  # type: ignore[arg-type]  # the form's fields have its types
        return _("Enjoy! Deadlines that would have fallen into your vacation have been moved.")

    return settings.take(request, "vacation", save)


@login_required
@require_POST
def end(request: HttpRequest, ref: str) -> HttpResponse:
    """Ends a vacation, or calls it off."""
    absences.end(user=require_user(request), ref=ref, now=present.now())
    messages.success(request, _("Vacation ended. Your clock runs again for questions from now on."))
    return redirect("settings")
