"""Token scopes: what a token permits, and which scope each view needs."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.people import staff
from games.people.models import ApiToken
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
    return bool(getattr(view, "is_for_bots", False)) or scope_of(view, method) == Scope.READ


class HasScope(BasePermission):
    """Permits what the token's scopes include; a session may do everything, moderate only with a second factor.

    A bot account may also do only what `may_bots` permits.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """True if this token or session suffices. Raises PermissionDenied, which names the missing scope."""
        wanted = scope_of(view, request.method or "")
        if isinstance(request.auth, ApiToken):
            given = {*request.auth.scopes, *([Scope.READ] if Scope.PLAY in request.auth.scopes else [])}
            is_enough = wanted in given
        else:
            is_enough = wanted != Scope.MODERATE or staff.has_shown_second_factor(request, present.now())
        if getattr(request.user, "is_bot", False) and not may_bots(view, request.method or ""):
            raise PermissionDenied(_("Bot accounts can't do this."))
        if not is_enough:
            raise PermissionDenied(_("This needs the scope “%(scope)s”.") % {"scope": wanted.value})
        return True
