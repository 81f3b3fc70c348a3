"""What a token is good for, and what each address needs."""

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from games.accounts.sign_in import second_factor
from games.models import ApiToken
from notifications.clock import present

if TYPE_CHECKING:
    from rest_framework.views import APIView

Scope = ApiToken.Scope


def scope_of(view: Any, method: str) -> Scope:
    """What a token must be good for to call this method of a view; whoever may play may read."""
    scope: Scope = getattr(view, "scopes", {}).get(method, getattr(view, "scope", Scope.PLAY))
    return Scope.READ if scope == Scope.PLAY and method in SAFE_METHODS else scope


def may_bots(view: Any, method: str) -> bool:
    """Whether a bot account may call this: it reads what players read, and changes what a view says it may.

    It plays where it was seated, and talks there. It opens no table, takes no seat by itself, votes on nothing, looks
    after nobody and owns no bots.
    """
    return bool(getattr(view, "is_for_bots", False)) or scope_of(view, method) == Scope.READ


class HasScope(BasePermission):
    """A token is good for what its owner has said; a signed-in page for all but moderating without a second factor.

    A bot's token is good for what bots may do, besides.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """True if this token, or this session, may be used here. Raises PermissionDenied that says what is missing."""
        wanted = scope_of(view, request.method or "")
        if isinstance(request.auth, ApiToken):
            given = {*request.auth.scopes, *([Scope.READ] if Scope.PLAY in request.auth.scopes else [])}
            is_enough = wanted in given
        else:
            is_enough = wanted != Scope.MODERATE or second_factor.is_shown(request, present.now())
        if getattr(request.user, "is_bot", False) and not may_bots(view, request.method or ""):
            raise PermissionDenied(_("A bot account cannot do this."))
        if not is_enough:
            raise PermissionDenied(_("This needs the scope “%(scope)s”.") % {"scope": wanted.value})
        return True
