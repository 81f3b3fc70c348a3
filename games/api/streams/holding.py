"""How a request becomes a stream that is held open elsewhere than in the thread that answers it.

`games.api.streams.server` sets `holder` before it asks Django. A web process of threads has none: there a stream holds
its thread, and is short.
"""

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from games.api.streams.changes import Changes


@dataclass(frozen=True)
class Wanted:
    """A stream that is to be held.

    Attributes:
        changes: what it tells; the first look has been taken.
        token: the key of its token's row; None for a browser's session.
        language: in which it tells.
    """

    changes: Changes
    token: int | None
    language: str


class Holder(Protocol):
    """Holds the stream of one request."""

    def hold(self, wanted: Wanted) -> bool:
        """Takes it; returns whether there was room for it."""


holder: ContextVar[Holder | None] = ContextVar("holder", default=None)
