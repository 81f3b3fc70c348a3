"""Authentication by API token: `Authorization: Bearer <token>` (RFC 6750)."""

from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.errors import AccountClosed
from games.people import tokens
from games.people.models import ApiToken, User
from notifications.clock import present

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
