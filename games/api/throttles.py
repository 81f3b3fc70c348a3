"""How often a program may ask: exactly so often of each web process, however many requests come at once.

Counted in memory, for a read must not become a write of the database: several processes grant several times as much.
"""

import threading
from array import array
from collections import OrderedDict

from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

MOST_COUNTED = 10_000  # what people read and what they change, each by itself


class Histories:
    """When each of some people has asked lately. Django's cache in memory would pack and unpack that for each request.

    Arguments:
        most: people of whom it is kept; beyond that, who was last granted something longest ago begins anew.
    """

    def __init__(self, most: int) -> None:
        self._kept: OrderedDict[str, array[float]] = OrderedDict()
        self._most = most

    def get(self, key: str, default: list[float]) -> list[float]:
        """A list of the caller's own."""
        return list(self._kept.get(key, default))

    def set(self, key: str, history: list[float], seconds: float) -> None:
        """What lies back for more than these seconds is left out by who reads it."""
        self._kept[key] = array("d", history)
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def clear(self) -> None:
        """Nobody has asked."""
        self._kept.clear()


class ReadThrottle(UserRateThrottle):
    """For reading."""

    scope = "read"
    rate = "600/min"
    num_requests: int  # what that is in numbers
    duration: int
    cache = Histories(MOST_COUNTED)  # type: ignore[assignment]  # as much of a cache as a throttle asks for
    lock = threading.Lock()

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether this one is among those. Reading and writing the count is one step: no two requests share a place."""
        with self.lock:
            return super().allow_request(request, view)

    def headers(self) -> dict[str, str]:
        """How many may be asked, how many are left, and in how many seconds there is one more."""
        history = getattr(self, "history", None)  # none before the caller is known
        if history is None:
            return {}
        oldest = history[-1] if history else self.now
        wait = max(0, int(oldest + self.duration - self.now) + 1)
        told = {"Limit": self.num_requests, "Remaining": max(0, self.num_requests - len(history)), "Reset": wait}
        return {f"RateLimit-{name}": str(number) for name, number in told.items()}


class ChangeThrottle(ReadThrottle):
    """For changing something."""

    scope = "change"
    rate = "240/min"
