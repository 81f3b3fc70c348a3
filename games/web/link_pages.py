"""What all pages behind links in emails share: no account, no session; the token in the address is the credential."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.tables.seats import Seat

HEADERS = {
    "Referrer-Policy": "no-referrer",  # the address is a credential: it goes to nobody
    "X-Robots-Tag": "noindex",
}
Page = Callable[..., HttpResponse]


def private(page: Page) -> Page:
    """Sends the headers of a page whose address is a credential."""

    @wraps(page)
    def sent(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = page(request, *args, **kwargs)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response

    return sent


def is_usable(seat: Seat) -> bool:
    """False for a seat without a person, or with one whose account is closed."""
    return seat.user is not None and seat.user.is_active


def not_found(request: HttpRequest) -> HttpResponse:
    """One and the same page for every link that is not good."""
    context = {"exception": _("This link is invalid or has expired. Please use your latest email, or sign in.")}
    return render(request, "404.html", context, status=404)


@contextmanager
def as_reader(seat: Seat) -> Iterator[None]:
    """Language and time zone of the seat's player, whoever's browser it is."""
    assert seat.user is not None
    recipient = seat.user.recipient
    with translation.override(recipient.language), timezone.override(recipient.zone_info):
        yield
