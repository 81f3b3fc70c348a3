"""Addresses that are not written to, as keyed hashes, and the link by which a stranger refuses mail."""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_noop
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from notifications import confirming
from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.models import Suppression
from notifications.reasons import declare

# Why an address is not written to.
ASKED = declare("unsubscribed", gettext_noop("its owner has asked for no more email"))
BOUNCED = declare("bounced", gettext_noop("email to it bounced"))
COMPLAINED = declare("marked_as_spam", gettext_noop("our email was marked as spam there"))
ERASED = declare("account_deleted", gettext_noop("the account was deleted"))
REASONS = (ASKED, BOUNCED, COMPLAINED, ERASED)


def suppress(address: str, reason: str) -> None:
    """Remember that an address wants no mail; a second time changes nothing."""
    suppress_hash(hash_address(address), reason)


def is_suppressed(address: str) -> bool:
    """Whether an address is not written to."""
    return is_hash_suppressed(hash_address(address))


def why_suppressed(address: str) -> str:
    """Why an address is not written to, or ""."""
    reason = Suppression.objects.filter(address_hash=hash_address(address)).values_list("reason", flat=True).first()
    return reason or ""


def find_reasons(addresses: Iterable[str]) -> dict[str, str]:
    """Why addresses are not written to, for those of them that are not; one statement for all."""
    hashes = {address: hash_address(address) for address in addresses if address}
    wanted = pad_to_power_of_two(set(hashes.values()))
    reasons = {row.address_hash: row.reason for row in _known(*wanted)} if hashes else {}
    return {address: reasons[its] for address, its in hashes.items() if its in reasons}


@compiled()
def _known(*hashes: str) -> QuerySet[Suppression]:
    return Suppression.objects.filter(address_hash__in=hashes)


def lift_erased(address: str) -> None:
    """Somebody with this address is here again of his own will: that he once went does not count any more."""
    lift_hash(hash_address(address), ERASED)


def suppress_hash(address_hash: str, reason: str) -> None:
    """The same for an address known by its hash alone. What an address cannot take outweighs what was asked."""
    row, is_new = Suppression.objects.get_or_create(address_hash=address_hash, defaults={"reason": reason[:200]})
    if not is_new and row.reason == ASKED and reason != ASKED:
        Suppression.objects.filter(pk=row.pk).update(reason=reason[:200])


def lift_hash(address_hash: str, reason: str) -> None:
    """Forget a wish, if it was made for this reason: what a moderator or a complaint brought stays."""
    Suppression.objects.filter(address_hash=address_hash, reason=reason).delete()


def is_hash_suppressed(address_hash: str) -> bool:
    """Whether the address with this hash is not written to."""
    return Suppression.objects.filter(address_hash=address_hash).exists()


def hash_address(address: str) -> str:
    """Return the HMAC-SHA256 of the normalised address under SUPPRESSION_KEY, in hex."""
    return hmac.new(settings.SUPPRESSION_KEY.encode(), normalised(address).encode(), hashlib.sha256).hexdigest()


def normalised(address: str) -> str:
    """Return the form under which two spellings of one mailbox are the same: no spaces around, NFC, small letters."""
    return unicodedata.normalize("NFC", address.strip()).casefold()


#  "Never write to me again": the link under a mail to a stranger, and what it does.

SIGNER = signing.Signer(sep=".", salt="notifications.never_write")


def is_one_click(request: HttpRequest) -> bool:
    """Whether a mail program's one click sent this (RFC 8058); some end the line that they send."""
    return str(request.POST.get("List-Unsubscribe", "")).strip() == "One-Click"


def never_write_url(address: str) -> str:
    """Return the absolute link by which the reader of a mail to `address` forbids further ones."""
    path = reverse("never_write", args=[SIGNER.sign(hash_address(address))])
    return f"{settings.SITE_URL}{path}"


# One-click requests come from mail providers, without cookies: the token alone says who asks.
@method_decorator(csrf_exempt, name="dispatch")
class NeverWrite(View):
    """GET shows a page and changes nothing; POST remembers the wish, or takes it back."""

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
        answer = request.POST.get("answer", "")
        if answer in ("never", "again") and not is_one_click(request) and not confirming.is_confirmed(request):
            return confirming.choice_page(request)
        if answer == "never" or is_one_click(request):
            suppress_hash(address_hash, ASKED)
        elif answer == "again":
            lift_hash(address_hash, ASKED)
        else:
            return _page(request, address_hash, is_missing=True)
        return _page(request, address_hash)


def _address_hash(token: str) -> str:
    try:
        return SIGNER.unsign(token)
    except signing.BadSignature:
        raise Http404 from None


def _page(request: HttpRequest, address_hash: str, *, is_missing: bool = False) -> HttpResponse:
    context = {"is_suppressed": is_hash_suppressed(address_hash), "is_missing": is_missing}
    return render(request, "notifications/never_write.html", context, status=422 if is_missing else 200)
