"""Who is at the other end of a request."""

from django.http import HttpRequest

from games.models import User


def signed_in(request: HttpRequest) -> User | None:
    """The person who is signed in, or None."""
    return request.user if isinstance(request.user, User) else None


def require_user(request: HttpRequest) -> User:
    """The person who is signed in, on pages that are closed to others by `login_required`."""
    assert isinstance(request.user, User)
    return request.user
