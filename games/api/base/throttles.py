"""How often a program may ask: exactly so often of each web process, however many requests come at once.

Counted in memory, for a read must not become a write of the database: several processes grant several times as much.
"""

import threading

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView


class ReadThrottle(UserRateThrottle):
    """For reading."""

    scope = "read"
    rate = "600/min"
    num_requests: int  # what that is in numbers
    duration: int
    cache = caches["requests"]
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
