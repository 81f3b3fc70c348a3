"""How long somebody stays signed in: for a fixed time from his signing in, however busy he was meanwhile."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from notifications.clock import present

SINCE = "since"  # in the session: when he signed in, in seconds since 1970


def begin(sender: Any, request: HttpRequest, **_: Any) -> None:
    """Somebody has signed in."""
    request.session[SINCE] = present.now().timestamp()


def is_over(request: HttpRequest, now: datetime) -> bool:
    """Whether this session has lasted its time. One that was begun before times were noted counts from now."""
    since = float(request.session.setdefault(SINCE, now.timestamp()))
    return now.timestamp() - since >= settings.SESSION_COOKIE_AGE
