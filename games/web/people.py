"""Who is at the other end of a request, and pages whose address is a secret."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework.request import Request

from games.models import User


def signed_in(request: HttpRequest) -> User | None:
    """The person who is signed in, or None."""
    return request.user if isinstance(request.user, User) else None


def require_user(request: HttpRequest | Request) -> User:
    """The person who is signed in, on pages that are closed to others by `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def onward(request: HttpRequest, otherwise: str) -> str:
    """The path (field `next`) somebody was on his way to; if it is none of ours, that of the page named `otherwise`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else reverse(otherwise)


def quiet(response: HttpResponse) -> HttpResponse:
    """A page with a token in its address: the address is told to nobody, and to no search engine.

    Not "no-referrer": under that browsers hide the origin of a form as well, and Django then refuses the form.
    """
    response.headers["Referrer-Policy"] = "strict-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
