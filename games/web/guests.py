"""The guest of a browser: who he is, what he may open, and what becomes of his tables when somebody signs in there."""

from datetime import timedelta

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.lobby import guests
from games.people.models import User
from games.play.queries import current_language
from games.web.people import signed_in
from notifications.clock import present

GUEST = "guest"  # in the session: the primary key of the browser's guest
# By the name of the address: what a guest does and sees as himself. Elsewhere, and in the API, he is nobody.
PAGES = frozenset(
    (
        "home", "learn", "begin_lesson", "puzzle", "play_now", "table", "table_act", "orders", "add_order",
        "change_order", "history", "table_cards", "last_tally", "statistics", "review", "verify", "record", "note",
        "agree_end", "resign", "end", "come_back",
    )
)  # fmt: skip


def recognise(request: HttpRequest, page: str) -> None:
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
    known = signed_in(request)
    if known is not None:
        return known
    closed_until = guests.closed_until(request.session.get(GUEST) or 0, now := present.now())
    if closed_until is not None:
        raise TooMany(
            _("A moderator has closed your guest games. In this browser you can begin again a day after that."),
            closed_until - now,
        )
    if not ratelimit.consume(request, action="guest"):
        raise TooMany(
            _("Many guests have come from your network. Make an account: it takes a minute. Or try again in an hour."),
            timedelta(hours=1),
        )
    guest = guests.create(language=current_language(), now=now)
    request.session[GUEST] = guest.pk
    request.user = guest
    return guest


def on_sign_in(sender: object, request: HttpRequest, user: User, **_kwargs: object) -> None:
    """Gives the tables of the browser's guest to whoever has signed in."""
    key = request.session.pop(GUEST, None)
    if key is not None and guests.adopt(key=key, user=user):
        messages.success(request, _("What you began as a guest is yours now."), fail_silently=True)
