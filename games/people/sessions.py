"""Sessions last a fixed time from signing in, whether used or not; and the list of a person's sessions.

The time of signing in and the kind of device are stored in the session itself, and deleted with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpRequest
from rest_framework.request import Request

from games.ids import random_ref
from games.people import known_browsers
from games.people.models import Session, User
from notifications.channels.push import devices
from notifications.clock import present

SINCE = "since"  # in the session: when he signed in, in seconds since 1970
DEVICE = "device"  # the names of its browser and its system, "" if unknown
REF = "ref"  # what the session is called on its owner's page
FRESH = timedelta(minutes=10)
FRESH_AFTER_SIGN_UP = timedelta(hours=1)  # a new account is set up at leisure, and has nothing yet that could be taken


@dataclass(frozen=True)
class SignedIn:
    """A session in the list that its owner sees.

    Arguments:
        key: of its row, which is not the value of the cookie.
        browser, system: their names, "" if unknown.
        since: when its owner signed in; None if unknown.
    """

    key: str
    ref: str
    browser: str
    system: str
    since: datetime | None


def begin(sender: object, request: HttpRequest, **_: object) -> None:
    """Begins the fixed lifetime of a session at sign-in."""
    request.session[SINCE] = present.now().timestamp()
    request.session[DEVICE] = known_browsers.device_of(request)
    request.session[REF] = random_ref()


def since(request: HttpRequest | Request) -> datetime:
    """Returns when the owner of this session signed in; long ago if unknown."""
    return datetime.fromtimestamp(float(request.session.get(SINCE, 0)), UTC)


def is_fresh(request: HttpRequest | Request) -> bool:
    """Whether the person has signed in within the last minutes, or made the account within the last hour."""
    assert isinstance(request.user, User)
    signed_in_at, joined_at = since(request), request.user.date_joined
    return signed_in_at > present.now() - FRESH or min(signed_in_at, joined_at) > present.now() - FRESH_AFTER_SIGN_UP


def is_over(request: HttpRequest, now: datetime) -> bool:
    """Returns whether this session has expired.

    One without a time counts from an hour ago, so that it does not count as a recent sign-in."""
    began = float(request.session.setdefault(SINCE, (now - timedelta(hours=1)).timestamp()))
    return now.timestamp() - began >= settings.SESSION_COOKIE_AGE


def of(user: User, now: datetime) -> list[SignedIn]:
    """Returns the sessions of a user, the latest first."""
    return sorted(_of(user, now), key=lambda one: one.since or datetime.min.replace(tzinfo=UTC), reverse=True)


def _of(user: User, now: datetime) -> Iterator[SignedIn]:
    mine = {SESSION_KEY: str(user.pk), HASH_SESSION_KEY: user.get_session_auth_hash()}
    for row in user.sessions.filter(expire_date__gt=now):
        facts = row.get_decoded()
        since = facts.get(SINCE)
        if mine.items() <= facts.items() and (since is None or now.timestamp() - since < settings.SESSION_COOKIE_AGE):
            began = None if since is None else datetime.fromtimestamp(since, UTC)
            browser, system = facts.get(DEVICE, ("", ""))
            yield SignedIn(row.session_key, facts.get(REF, ""), browser, system, began)


def end(user: User, ref: str, now: datetime) -> bool:
    """Ends the user's session with this key, and notifications in its browser; returns whether there was one."""
    keys = [one.key for one in of(user, now) if ref and one.ref == ref]
    if keys:
        devices.forget([device for device in devices.of([user.recipient_id]) if device.group == ref], now)
    return bool(Session.objects.filter(session_key__in=keys).delete()[0])
