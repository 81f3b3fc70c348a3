"""Refusals of the services: each has a sentence for the player, a code for programs and an HTTP status."""

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import QuerySet


class ServiceError(Exception):
    """The request is refused and nothing has changed.

    Arguments:
        message: a translated sentence that says what to do instead.
        code: a word for programs; without one that of the class.
        field: the member of the request that is refused, if it is one.
    """

    code = "refused"
    status = 422

    def __init__(self, message: str, *, code: str = "", field: str = "") -> None:
        super().__init__(message)
        self.message, self.code, self.field = message, code or self.code, field


class NotFound(ServiceError):
    """It does not exist, or this person may not see it: the two are not distinguished."""

    code = "not-found"
    status = 404


class Conflict(ServiceError):
    """The state has changed since: answered already, table full, game over."""

    code = "conflict"
    status = 409


class SameOwner(Conflict):
    """A player and that player's bot, or two bots of one player, may not share this table."""

    code = "same-owner"


class BotDeclines(Conflict):
    """A bot account does not take such a game, or decides about each itself."""

    code = "bot-declines"


class Illegal(ServiceError):
    """The rules forbid this action."""

    code = "illegal-action"


class KeyReused(ServiceError):
    """The idempotency key belongs to another answer."""

    code = "key-reused"


class TooMany(ServiceError):
    """Too often in this time: later it will do.

    Arguments:
        wait: until then.
    """

    code = "too-many"
    status = 429

    def __init__(self, message: str, wait: timedelta) -> None:
        super().__init__(message)
        self.wait = max(1, math.ceil(wait.total_seconds()))  # seconds


class LimitReached(ServiceError):
    """One has as many of something as one may have: waiting does not help, giving one up does."""

    code = "limit-reached"
    status = 409


def check_rate(
    rows: "QuerySet[Any]", *, most: int, within: timedelta, now: datetime, message: str, time: str = "created_at"
) -> None:
    """Raises TooMany if there are as many rows of this time already as there may be.

    Arguments:
        most: 0 for none at all.
        time: the field that says when a row was made.
    """
    if most < 1:
        raise TooMany(message, within)
    lately = rows.filter(**{f"{time}__gt": now - within}).order_by(f"-{time}").values_list(time, flat=True)
    for oldest in lately[most - 1 : most]:
        raise TooMany(message, oldest + within - now)


class Quarantined(ServiceError):
    """The rules failed on this answer. The game is quarantined; the answer is kept."""

    code = "quarantined"
    status = 503


class Newer(ServiceError):
    """A process of the previous version got a game that a process of the next version has created."""

    code = "newer"
    status = 503


class AccountClosed(ServiceError):
    """A moderator has closed this account, for a time or until it is opened again."""

    code = "account-closed"
    status = 403


class Forbidden(ServiceError):
    """This person may see it, but may not do that."""

    code = "forbidden"
    status = 403
