"""Authentication by API token: `Authorization: Bearer <token>` (RFC 6750)."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.accounts import tokens
from games.models import ApiToken, User
from notifications.clock import present

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """Authenticates by API token; requests without the header are left to the next authentication class."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's user. Raises AuthenticationFailed for a token that is unknown, revoked or malformed."""
        scheme, _space, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        row = tokens.find(token.strip(), present.now())
        if row is None:
            raise AuthenticationFailed(_("This API token is not valid. Make a new one in your settings."))
        return (row.user, row)

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a 401."""
        return f'{SCHEME} realm="api"'
