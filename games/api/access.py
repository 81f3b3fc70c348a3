"""Access to the REST API: tokens, their scopes, and how often they may call."""

import threading
from typing import TYPE_CHECKING

from django.core.cache import caches
from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from games.errors import AccountClosed
from games.people import staff, tokens
from games.people.limits import network_of
from games.people.models import ApiToken, User
from notifications.clock import present

if TYPE_CHECKING:
    from rest_framework.views import APIView


Scope = ApiToken.Scope


def scope_of(view: object, method: str) -> Scope:
    """Returns the scope that a token needs for this method of a view; PLAY includes READ."""
    scope: Scope = getattr(view, "scopes", {}).get(method, getattr(view, "scope", Scope.PLAY))
    return Scope.READ if scope == Scope.PLAY and method in SAFE_METHODS else scope


def may_bots(view: object, method: str) -> bool:
    """Returns whether a bot account may call this: it may read, and change what the view permits.

    Bots play and talk where they were seated. They open no tables, take no seats, do not vote, host or own bots.
    """
    return method in getattr(view, "for_bots", ()) or scope_of(view, method) == Scope.READ


class HasScope(BasePermission):
    """Permits what the token's scopes include; a session may do everything, moderate only with a second factor.

    A bot account may also do only what `may_bots` permits.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """True if this token or session suffices. Raises PermissionDenied, which names the missing scope."""
        wanted = scope_of(view, request.method or "")
        if isinstance(request.auth, ApiToken):
            scopes = {*request.auth.scopes, *([Scope.READ] if Scope.PLAY in request.auth.scopes else [])}
            is_enough = wanted in scopes
        else:
            is_enough = wanted != Scope.MODERATE or staff.has_shown_second_factor(request, present.now())
        if getattr(request.user, "is_bot", False) and not may_bots(view, request.method or ""):
            raise PermissionDenied(_("Bot accounts can't do this."))
        if not is_enough:
            raise PermissionDenied(_("This needs the scope “%(scope)s”.") % {"scope": wanted.value})
        return True


# Authentication: `Authorization: Bearer <token>` (RFC 6750)

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """Authenticates by API token; requests without the header are left to the next authentication class."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's user, whose language is spoken unless the request asks for one.

        Raises AuthenticationFailed for a token that is unknown, revoked or malformed, AccountClosed.
        """
        scheme, _space, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        row = tokens.find(token.strip(), present.now())
        if row is None and tokens.is_of_closed_account(token.strip()):
            raise AccountClosed(_("A moderator has closed this account. The email about it says why, and until when."))
        if row is None:
            raise AuthenticationFailed(_("This API token isn't valid. Create a new one in your settings."))
        if "Accept-Language" not in request.headers:
            translation.activate(row.user.recipient.language)
        return (row.user, row)

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a 401."""
        return f'{SCHEME} realm="api"'


# Rate limits, counted in the memory of each web process: reading writes nothing, and several processes allow several
# times as much


class ReadThrottle(UserRateThrottle):
    """The limit for reading."""

    scope = "read"
    rate = "600/min"
    num_requests: int  # what that is in numbers
    duration: int
    cache = caches["requests"]
    lock = threading.Lock()

    def get_ident(self, request: Request) -> str:
        """Returns whom a request without an account counts for: a network, an IPv6 address as its /56."""
        address = str(super().get_ident(request))
        return network_of(address) or address

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Counts the request, atomically, and returns whether it is within the limit."""
        with self.lock:
            return super().allow_request(request, view)

    def headers(self) -> dict[str, str]:
        """RateLimit headers: the limit, what remains of it, and the seconds until there is one more."""
        history = getattr(self, "history", None)  # none before the caller is known
        if history is None:
            return {}
        oldest = history[-1] if history else self.now
        wait = max(0, int(oldest + self.duration - self.now) + 1)
        limits = {"Limit": self.num_requests, "Remaining": max(0, self.num_requests - len(history)), "Reset": wait}
        return {f"RateLimit-{name}": str(number) for name, number in limits.items()}


class PublicThrottle(ReadThrottle):
    """The limit of a network for what is read without a token."""

    scope = "public"
    rate = "120/min"


class ChangeThrottle(ReadThrottle):
    """The limit for changes."""

    scope = "change"
    rate = "240/min"
