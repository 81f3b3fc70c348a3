"""Trusted browsers, in which a link from an email acts with one tap.

A mail scanner that opens links and presses buttons has no such cookie, so it cannot act for anybody.
"""

import re
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from games.people import known_browsers
from games.people.models import TrustedDevice, User

COOKIE = "__Host-device" if settings.IS_PRODUCTION else "device"
SECRET = re.compile(r"[\w-]{43}", re.ASCII)  # what `secrets.token_urlsafe` makes of 32 bytes
UNUSED = timedelta(days=settings.KEEP_DAYS["trusted_devices"])  # after which a device is forgotten


def is_trusted(request: HttpRequest, user: User) -> bool:
    """Returns whether this player trusts the browser, or is signed in there."""
    if request.user == user:
        return True
    secret = _secret(request)
    return bool(secret) and _rows(user, secret).exists()


def trust(request: HttpRequest, response: HttpResponse, user: User, now: datetime) -> None:
    """Stores the browser as trusted by this player, and sets its cookie on the response."""
    secret = _secret(request) or secrets.token_urlsafe(32)
    browser, system = known_browsers.device_of(request)
    TrustedDevice.objects.update_or_create(
        user=user,
        digest=_digest(secret),
        defaults={"used_on": now.date()},
        create_defaults={"browser": browser, "system": system, "trusted_at": now, "used_on": now.date()},
    )
    _set_cookie(response, secret)


def record_use(request: HttpRequest, response: HttpResponse, user: User, now: datetime) -> None:
    """Records that a trusted browser was used, at most once a day: it is kept for another year."""
    secret = _secret(request)
    if secret and _rows(user, secret).filter(used_on__lt=now.date()).update(used_on=now.date()):
        _set_cookie(response, secret)


def devices_of(user: User) -> list[TrustedDevice]:
    """Returns the browsers that this person trusts, the newest first."""
    return list(user.trusted_devices.order_by("-trusted_at"))


def revoke(user: User, ref: str) -> bool:
    """Deletes the device with that reference; returns whether there was one."""
    return bool(user.trusted_devices.filter(ref=ref).delete()[0])


def _rows(user: User, secret: str) -> QuerySet[TrustedDevice]:
    return TrustedDevice.objects.filter(user=user, digest=_digest(secret))


def _digest(secret: str) -> str:
    return salted_hmac("games.accounts.trusted_devices", secret, algorithm="sha256").hexdigest()


def _secret(request: HttpRequest) -> str:
    """Returns the secret in the browser's cookie; "" if there is none of a valid form."""
    secret = request.COOKIES.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else ""


def _set_cookie(response: HttpResponse, secret: str) -> None:
    response.set_cookie(COOKIE, secret, max_age=UNUSED, secure=settings.IS_PRODUCTION, httponly=True, samesite="Lax")
