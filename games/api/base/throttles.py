"""Rate limits, counted in the memory of each web process.

Reading does not write to the database; several processes allow several times as much.
"""

import threading

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from games.people.limits import network_of


class ReadThrottle(UserRateThrottle):
    """The limit for reading."""

    scope = "read"
    rate = "600/min"
    num_requests: int  # what that is in numbers
    duration: int
    cache = caches["requests"]
    lock = threading.Lock()

    def get_ident(self, request: Request) -> str:
        """Returns whom a request without an account counts for: a network, an IPv6 address as its /56."""
        address = str(super().get_ident(request))
        return network_of(address) or address

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Counts the request, atomically, and returns whether it is within the limit."""
        with self.lock:
            return super().allow_request(request, view)

    def headers(self) -> dict[str, str]:
        """RateLimit headers: the limit, what remains of it, and the seconds until there is one more."""
        history = getattr(self, "history", None)  # none before the caller is known
        if history is None:
            return {}
        oldest = history[-1] if history else self.now
        wait = max(0, int(oldest + self.duration - self.now) + 1)
        told = {"Limit": self.num_requests, "Remaining": max(0, self.num_requests - len(history)), "Reset": wait}
        return {f"RateLimit-{name}": str(number) for name, number in told.items()}


class ChangeThrottle(ReadThrottle):
    """The limit for changes."""

    scope = "change"
    rate = "240/min"
