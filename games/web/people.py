"""The reader of a page: who is signed in, where he was on his way to, and addresses that only he may know."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework.request import Request

from games.people.models import User
from games.tables.names import isolated


def signed_in(request: HttpRequest) -> User | None:
    """The person who is signed in, or None."""
    return request.user if isinstance(request.user, User) else None


def require_user(request: HttpRequest | Request) -> User:
    """The person who is signed in, on pages that are closed to others by `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def signed_in_as_another(request: HttpRequest, address: str) -> dict[str, object]:
    """What the page of an invitation says to somebody who is signed in with another address than it went to."""
    user = signed_in(request)
    if user is None or user.is_guest or user.email == address:
        return {}
    return {"other": user, "other_name": isolated(user.name), "invited": address}


def posted(request: HttpRequest, name: str) -> str:
    """A value of a form, "" if there is none. Without NUL, which PostgreSQL does not take."""
    return request.POST.get(name, "").replace("\0", "")


def next_path(request: HttpRequest, otherwise: str) -> str:
    """The path (field `next`) somebody was on his way to; if it is none of ours, that of the page named `otherwise`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else reverse(otherwise)


def with_private_address(response: HttpResponse) -> HttpResponse:
    """Adds the headers of a page with a token in its address: no other site and no search engine learns it.

    Not "no-referrer": under that browsers hide the origin of a form as well, and Django then refuses the form.
    """
    response.headers["Referrer-Policy"] = "strict-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
