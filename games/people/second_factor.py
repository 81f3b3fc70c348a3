"""The second factor of staff: a code from an authenticator app, or a recovery code.

django-otp implements both (RFC 6238): a code works once, and each wrong one makes the next wait longer.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from rest_framework.request import Request

from games.errors import Conflict, Illegal, TooMany
from games.people import alerts
from games.people.models import ApiToken, SealedTOTPDevice, User
from notifications.clock import present

GOOD_FOR = timedelta(hours=12)
CODES = 10  # written down; each is good once
SHOWN = "second_factor"  # in the session: whose it was, and when
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is read as something else


def is_shown(request: HttpRequest | Request, now: datetime) -> bool:
    """Returns whether this session has passed the second factor lately, or need not."""
    if not settings.STAFF_SECOND_FACTOR:
        return True
    whose, at = request.session.get(SHOWN, (0, ""))
    return bool(whose == request.user.pk and datetime.fromisoformat(at) > now - GOOD_FOR)


def has_one(user: User) -> bool:
    """Returns whether the person has set up a second factor."""
    return bool(SealedTOTPDevice.objects.filter(user=user, confirmed=True).exists())


def begin(user: User) -> SealedTOTPDevice:
    """Returns the key for the app, the same until it is confirmed. Raises Conflict if there is a second factor."""
    if has_one(user):
        raise Conflict(_("You already have a second factor."))
    device: SealedTOTPDevice
    device, _made = SealedTOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": "app"})
    return device


def confirm(*, user: User, code: str, request: HttpRequest, now: datetime) -> list[str]:
    """Confirms the app by its first code. Returns the recovery codes, of which only keyed hashes are stored.

    Raises Conflict for a person with a second factor, Illegal for a wrong code, TooMany after too many.
    """
    with transaction.atomic():
        device = SealedTOTPDevice.objects.select_for_update().get(pk=begin(user).pk)
        error = _fault(device, _cleaned(code))
        codes = [] if error else _keep(user, device)
        if not error:
            alerts.second_factor_changed(user=user, what="set", now=now)
    if error:
        raise error
    _show(request, user, now)
    return codes


def _keep(user: User, device: SealedTOTPDevice) -> list[str]:
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    StaticDevice.objects.filter(user=user).delete()
    written = StaticDevice.objects.create(user=user, name="written")
    codes = ["".join(secrets.choice(ALPHABET) for _place in range(10)) for _code in range(CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=written, token=_hashed(one)) for one in codes)
    return codes


def show(*, user: User, code: str, request: HttpRequest, now: datetime) -> None:
    """Checks a code of the app or a recovery code. Raises Illegal for a wrong one, TooMany after too many."""
    cleaned = _cleaned(code)
    kind = SealedTOTPDevice if cleaned.isdigit() else StaticDevice
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        error = _fault(device, cleaned if kind is SealedTOTPDevice else _hashed(cleaned))
    if error:
        raise error
    _show(request, user, now)


@transaction.atomic
def reset(*, user: User, now: datetime) -> None:
    """Removes the second factor of a user who has lost his device and codes; he sets up a new one at his next visit.

    He is notified, and his API tokens for moderation are revoked.
    """
    if has_one(user):
        alerts.second_factor_changed(user=user, what="removed", now=now)
    for token in user.api_tokens.filter(revoked_at=None):
        if ApiToken.Scope.MODERATE in token.scopes:
            token.revoked_at = now
            token.save(update_fields=["revoked_at"])
    SealedTOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _cleaned(code: str) -> str:
    return code.replace(" ", "").lower()[:64]


def _fault(device: Device | None, token: str) -> Illegal | TooMany | None:
    """Returns the error for a wrong code, to be raised after it was counted."""
    is_allowed, why_not = (True, None) if device is None else device.verify_is_allowed()
    if not is_allowed:
        until = (why_not or {}).get("locked_until")
        wait = until - present.now() if until else timedelta(minutes=1)
        return TooMany(_("Too many wrong codes. Please wait a bit and try again."), wait)
    if device is None or not device.verify_token(token):
        return Illegal(
            _(
                "This code is wrong or was already used. Wait for the next one, and check that your phone's clock is "
                "right."
            )
        )
    return None


def _hashed(code: str) -> str:
    return salted_hmac("games.second_factor", code, algorithm="sha256").hexdigest()[:16]


def _show(request: HttpRequest, user: User, now: datetime) -> None:
    request.session.cycle_key()
    request.session[SHOWN] = (user.pk, now.isoformat())
