"""Staff: administrators and moderators, their second factor, and the admin site, which asks for it.

The second factor is a code from an authenticator app, or a recovery code. django-otp implements both (RFC 6238): a code
works once, and each wrong one makes the next wait longer."""

import secrets
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from rest_framework.request import Request

from games.errors import Conflict, Illegal, TooMany
from games.people import alerts, sign_in
from games.people.models import ApiToken, SealedTOTPDevice, User, normal_address
from notifications.clock import present

MODERATE_GAME, MODERATE_USER, LOOK = "games.moderate_game", "games.moderate_user", "games.look_at_hands"
SHOWN_FOR = timedelta(hours=12)
RECOVERY_CODES = 10  # written down; each is good once
SHOWN = "second_factor"  # in the session: whose it was, and when
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is read as something else


def is_moderator(user: User) -> bool:
    """True if this user may moderate games or users."""
    return user.is_active and (user.has_perm(MODERATE_GAME) or user.has_perm(MODERATE_USER))


def has_shown_second_factor(request: HttpRequest | Request, now: datetime) -> bool:
    """Returns whether this session has passed the second factor lately, or need not."""
    if not settings.STAFF_SECOND_FACTOR:
        return True
    whose, at = request.session.get(SHOWN, (0, ""))
    return bool(whose == request.user.pk and datetime.fromisoformat(at) > now - SHOWN_FOR)


def has_second_factor(user: User) -> bool:
    """Returns whether the person has set up a second factor."""
    return bool(SealedTOTPDevice.objects.filter(user=user, confirmed=True).exists())


def begin_second_factor(user: User) -> SealedTOTPDevice:
    """Returns the key for the app, the same until it is confirmed. Raises Conflict if there is a second factor."""
    if has_second_factor(user):
        raise Conflict(_("You already have a second factor."))
    device: SealedTOTPDevice
    device, _made = SealedTOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": "app"})
    return device


def confirm_second_factor(*, user: User, code: str, request: HttpRequest, now: datetime) -> list[str]:
    """Confirms the app by its first code. Returns the recovery codes, of which only keyed hashes are stored.

    Raises Conflict for a person with a second factor, Illegal for a wrong code, TooMany after too many.
    """
    with transaction.atomic():
        device = SealedTOTPDevice.objects.select_for_update().get(pk=begin_second_factor(user).pk)
        error = _fault(device, _cleaned(code))
        codes = [] if error else _store_recovery_codes(user, device)
        if not error:
            alerts.second_factor_changed(user=user, what="set", now=now)
    if error:
        raise error
    _record_shown(request, user, now)
    return codes


def _store_recovery_codes(user: User, device: SealedTOTPDevice) -> list[str]:
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    StaticDevice.objects.filter(user=user).delete()
    written = StaticDevice.objects.create(user=user, name="written")
    codes = ["".join(secrets.choice(ALPHABET) for _place in range(10)) for _code in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=written, token=_hashed(code)) for code in codes)
    return codes


def show_second_factor(*, user: User, code: str, request: HttpRequest, now: datetime) -> None:
    """Checks a code of the app or a recovery code. Raises Illegal for a wrong one, TooMany after too many."""
    cleaned = _cleaned(code)
    kind = SealedTOTPDevice if cleaned.isdigit() else StaticDevice
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        error = _fault(device, cleaned if kind is SealedTOTPDevice else _hashed(cleaned))
    if error:
        raise error
    _record_shown(request, user, now)


@transaction.atomic
def reset_second_factor(*, user: User, now: datetime) -> None:
    """Removes the second factor of a user who has lost his device and codes; he sets up a new one at his next visit.

    He is notified, and his API tokens for moderation are revoked.
    """
    if has_second_factor(user):
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
            ),
            code="wrong-code",
        )
    return None


def _hashed(code: str) -> str:
    return salted_hmac("games.second_factor", code, algorithm="sha256").hexdigest()[:16]


def _record_shown(request: HttpRequest, user: User, now: datetime) -> None:
    request.session.cycle_key()
    request.session[SHOWN] = (user.pk, now.isoformat())


MODERATORS = "moderators"
APPS = ("games", "notifications")
MODERATION = ("moderate_game", "moderate_user")


@transaction.atomic
def make_administrator(address: str) -> User:
    """Gives this address an account that may do everything on the admin site. The second time changes nothing."""
    user = _account(address)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    return user


@transaction.atomic
def make_moderator(address: str) -> User:
    """Gives this address an account that may look at everything on the admin site, and moderate games and people.

    Not at what players hide: that right an administrator gives by hand. An administrator stays one.
    """
    user = _account(address)
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    user.groups.add(_moderators())
    return user


def _account(address: str) -> User:
    user = User.objects.filter(email=normal_address(address)).first() or User.objects.create_user(address)
    sign_in.confirm_address(user)
    return user


def _moderators() -> Group:
    group, _is_new = Group.objects.get_or_create(name=MODERATORS)
    ours = Permission.objects.filter(content_type__app_label__in=APPS)
    group.permissions.set(ours.filter(Q(codename__startswith="view_") | Q(codename__in=MODERATION)))
    return group


class StaffSite(admin.AdminSite):
    """Django's admin site, closed to staff who have not shown their second factor lately; they are led to its page."""

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Returns what every page of it knows: Django's, and our version for the footer."""
        return super().each_context(request) | {"version": settings.VERSION}

    def has_permission(self, request: HttpRequest) -> bool:
        """Admits staff with an open account and the second factor."""
        return super().has_permission(request) and has_shown_second_factor(request, present.now())

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Redirects staff who is signed in to the page for the second factor."""
        if super().has_permission(request) and not self.has_permission(request):
            onward = urlencode({"next": request.GET.get("next") or reverse("admin:index")})
            return redirect(f"{reverse('second_factor')}?{onward}")
        return super().login(request, extra_context)
