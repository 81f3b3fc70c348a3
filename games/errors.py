"""Refusals of the services: each has a sentence for the player, a code for programs and an HTTP status."""


class ServiceError(Exception):
    """The request is refused and nothing has changed.

    Arguments:
        message: a translated sentence that says what to do instead.
    """

    code = "refused"
    status = 422

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


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


class Illegal(ServiceError):
    """The rules forbid this action."""

    code = "illegal-action"


class KeyReused(ServiceError):
    """The idempotency key belongs to another answer."""

    code = "key-reused"


class TooMany(ServiceError):
    """A limit has been reached."""

    code = "too-many"
    status = 429


class Quarantined(ServiceError):
    """The rules failed on this answer. The game is quarantined; the answer is kept."""

    code = "quarantined"
    status = 503


class Newer(ServiceError):
    """A process of the previous version got a game that a process of the next version has created."""

    code = "newer"
    status = 503


class Forbidden(ServiceError):
    """This person may see it, but may not do that."""

    code = "forbidden"
    status = 403
