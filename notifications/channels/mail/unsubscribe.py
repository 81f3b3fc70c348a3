""" "Never write to me again": the link under a mail to a stranger, and what it does.

The link carries the keyed hash of the address and our signature: no address stands in it, and it works for as long as
mails are kept, whatever became of the person's record here.
"""

from typing import Any

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from notifications.channels.mail import suppressions

SIGNER = signing.Signer(sep=".", salt="notifications.never_write")


def is_one_click(request: HttpRequest) -> bool:
    """Whether a mail program's one click sent this (RFC 8058); some end the line that they send."""
    return str(request.POST.get("List-Unsubscribe", "")).strip().lower() == "one-click"


def never_write_url(address: str) -> str:
    """Return the absolute link by which the reader of a mail to `address` forbids further ones."""
    path = reverse("never_write", args=[SIGNER.sign(suppressions.hash_address(address))])
    return f"{settings.SITE_URL}{path}"


# One-click requests come from mail providers, without cookies: the token alone says who asks.
@method_decorator(csrf_exempt, name="dispatch")
class NeverWrite(View):
    """GET shows a page and changes nothing; POST remembers the wish that was marked, or takes it back."""

    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer, and keep the link out of other people's logs and search engines."""
        response = super().dispatch(request, *args, **kwargs)
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Robots-Tag"] = "noindex"
        assert isinstance(response, HttpResponse)
        return response

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        """Show what may be done. Raises Http404 for a link that is not ours."""
        return _page(request, _address_hash(token))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        """Do what was marked, without a redirect (RFC 8058). Raises Http404 for a link that is not ours."""
        address_hash = _address_hash(token)
        # A form sent off untouched, as programs that examine mails do, has neither.
        if request.POST.get("answer") == "never" or is_one_click(request):
            suppressions.suppress_hash(address_hash, suppressions.ASKED)
        elif request.POST.get("answer") == "again":
            suppressions.lift_hash(address_hash, suppressions.ASKED)
        else:
            return _page(request, address_hash, is_missing=True)
        return _page(request, address_hash)


def _address_hash(token: str) -> str:
    try:
        return SIGNER.unsign(token)
    except signing.BadSignature:
        raise Http404 from None


def _page(request: HttpRequest, address_hash: str, *, is_missing: bool = False) -> HttpResponse:
    context = {"is_suppressed": suppressions.is_hash_suppressed(address_hash), "is_missing": is_missing}
    return render(request, "notifications/never_write.html", context, status=422 if is_missing else 200)
