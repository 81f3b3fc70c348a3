"""Where somebody is signed in, and the end of a session that he has left open somewhere."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.errors import NotFound
from games.people import sessions
from games.people.sessions import hash_session_key
from games.web.reader import posted, require_user
from notifications.clock import present


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def signed_in_page(request: HttpRequest) -> HttpResponse:
    """All sessions and trusted devices of a person; a POST ends the one that it names. Raises NotFound."""
    user = require_user(request)
    if request.method == "POST" and "forget" in request.POST:
        if not sessions.revoke_device(user, request.POST["forget"].replace("\0", "")):
            raise NotFound(_("This device is no longer on your list."))
        messages.success(request, _("Links on that device will ask for confirmation again."))
        return redirect("signed_in")
    if request.method == "POST":
        if not sessions.end_session(user, posted(request, "end"), present.now()):
            raise NotFound(_("This session has already ended."))
        messages.success(request, _("You've been signed out there."))
        return redirect("signed_in")
    context = {
        "sessions": sessions.sessions_of(user, present.now()),
        "here": hash_session_key(request.session.session_key or ""),
        "devices": sessions.trusted_devices_of(user),
    }
    return render(request, "games/accounts/signed_in.html", context)
