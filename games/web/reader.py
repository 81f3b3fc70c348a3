"""The reader of a page: signed in, a guest, or the holder of a link; and what each may open."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import wraps

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.errors import TooMany
from games.lobby import guests, puzzles
from games.people.models import User
from games.people.names import isolated
from games.people.speech import current_language
from games.tables.seats import Seat
from notifications.clock import present


def signed_in(request: HttpRequest) -> User | None:
    """The person who is signed in, or None."""
    return request.user if isinstance(request.user, User) else None


def require_user(request: HttpRequest | Request) -> User:
    """The person who is signed in, on pages that are closed to others by `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def signed_in_as_another(request: HttpRequest, address: str) -> dict[str, object]:
    """Returns the words for somebody who is signed in with another address than the invitation went to."""
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


# Guests: accounts of a browser without a sign-in.

GUEST = "guest"  # in the session: the primary key of the browser's guest
# By the name of the address: what a guest does and sees as himself. Elsewhere, and in the API, he is nobody.
PAGES = frozenset(
    (
        "home", "learn", "begin_lesson", "puzzle", "choose_game", "play_now", "hear_bots", "table", "table_act",
        "orders", "add_order", "change_order", "history", "scenes", "film", "table_cards", "last_tally", "statistics",
        "puzzles", "daily_puzzle", "one_puzzle", "review", "verify", "record", "play_on", "note", "agree_end",
        "resign", "end", "come_back",
    )
)  # fmt: skip


def recognise_guest(request: HttpRequest, page: str) -> None:
    """Sets `request.guest` to the browser's guest, and on the guest's pages `request.user` too."""
    key = request.session.get(GUEST)
    if key is None or request.user.is_authenticated:
        return
    guest = guests.find(key)
    if guest is None and guests.closed_until(key, present.now()) is not None:
        return  # the key stays: no other guest begins in this browser meanwhile
    if guest is None:
        del request.session[GUEST]
        messages.info(
            request, _("Your guest games were removed: you weren't here for a while. You can start again any time.")
        )
        return
    request.guest = guest  # type: ignore[attr-defined]  # read by the pages' header
    if page in PAGES:
        request.user = guest
    if guests.record_visit(guest, present.now()):
        request.session.modified = True  # the session lasts from the last visit


def person_or_guest(request: HttpRequest) -> User:
    """Returns who is signed in, or else the browser's guest, who is made if there is none.

    Raises TooMany when many guests came from the same network address, when there are too many altogether, and for a
    day after a moderator has closed the account of the browser's guest.
    """
    user = signed_in(request)
    if user is not None:
        return user
    closed_until = guests.closed_until(request.session.get(GUEST) or 0, now := present.now())
    if closed_until is not None:
        raise TooMany(
            _("A moderator has closed your guest games. You can start again in this browser after a day."),
            closed_until - now,
        )
    if not ratelimit.consume(request, action="guest"):
        raise TooMany(
            _("Many guests have come from your network. Create an account, or try again in an hour."),
            timedelta(hours=1),
        )
    guest = guests.create(language=current_language(), now=now)
    request.session[GUEST] = guest.pk
    request.user = guest
    return guest


def on_sign_in(sender: object, request: HttpRequest, user: User, **_kwargs: object) -> None:
    """Gives the tables of the browser's guest to whoever has signed in."""
    key = request.session.pop(GUEST, None)
    if key is not None and (guest := guests.find(key)) is not None:
        puzzles.adopt(guest=guest, user=user)
    if key is not None and guests.adopt(key=key, user=user):
        messages.success(request, _("Your guest games are yours now."), fail_silently=True)


# Pages behind links in emails: no account, no session; the token in the address is the credential.

HEADERS = {
    "Referrer-Policy": "no-referrer",  # the address is a credential: it goes to nobody
    "X-Robots-Tag": "noindex",
}
Page = Callable[..., HttpResponse]


def private(page: Page) -> Page:
    """Sends the headers of a page whose address is a credential."""

    @wraps(page)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = page(request, *args, **kwargs)
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response

    return wrapped


def is_usable(seat: Seat) -> bool:
    """False for a seat without a person, or with one whose account is closed."""
    return seat.user is not None and seat.user.is_active


def link_not_found(request: HttpRequest) -> HttpResponse:
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
