"""Notifications on devices: a script switches them on in its browser, forms choose and switch off."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import NotFound, ServiceError
from games.people import notification_preferences
from games.web.reader import require_user, signed_in
from notifications.channels.push.devices import BrowserKeys
from notifications.clock import present


@require_POST
def switch_on(request: HttpRequest) -> JsonResponse:
    """Takes what a browser says of itself; with `again` it only says that it is still there. Answers as JSON.

    401 if the sign-in has ended since the page was loaded: led on to the page to sign in, a script would take that for
    a yes.
    """
    user, browser, now = signed_in(request), notification_preferences.browser_of(request), present.now()
    if user is None:
        said = _("Please sign in again before you do this.")
        return JsonResponse({"message": said}, status=HTTPStatus.UNAUTHORIZED)
    posted = {name: request.POST.get(name, "").replace("\0", "") for name in ("endpoint", "p256dh", "auth")}
    try:
        if "again" in request.POST:
            row = notification_preferences.record_push_use(user=user, url=posted["endpoint"], browser=browser, now=now)
        else:
            keys = BrowserKeys(posted["endpoint"], posted["p256dh"], posted["auth"])
            row = notification_preferences.switch_on_push(user=user, keys=keys, browser=browser, now=now)
    except ServiceError as error:
        return JsonResponse({"message": error.message}, status=error.status)
    return JsonResponse({"device": row.ref}, status=HTTPStatus.OK)


@login_required
@require_POST
def device(request: HttpRequest, ref: str) -> HttpResponse:
    """Stores what a device shows, or removes it, by the button that was pressed."""
    user = require_user(request)
    try:
        match request.POST.get("do", ""):
            case "remove":
                notification_preferences.switch_off_push(user=user, ref=ref, now=present.now())
                messages.success(request, _("Notifications are off on that device."))
            case "choose":
                notification_preferences.choose_push_topics(user=user, ref=ref, wanted=request.POST.getlist("wanted"))
                messages.success(request, _("Saved."))
            case _other:
                raise NotFound(_("There's no such button."))
    except NotFound:
        raise
    except ServiceError as error:
        messages.error(request, error.message)
    return HttpResponseRedirect(reverse("settings") + "#push")
