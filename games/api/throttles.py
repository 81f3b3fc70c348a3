"""How often a program may ask. Politeness between programs, no security measure: each process counts for itself."""

from django.core.cache.backends.locmem import LocMemCache
from rest_framework.throttling import UserRateThrottle


class ReadThrottle(UserRateThrottle):
    """For reading. Counted in memory: a read must not become a write of the database."""

    scope = "read"
    rate = "600/min"
    cache = LocMemCache("api-throttle", {})

    def headers(self) -> dict[str, str]:
        """How many may be asked, how many are left, and in how many seconds there is one more."""
        history = getattr(self, "history", None)  # none before the caller is known
        if history is None:
            return {}
        oldest = history[-1] if history else self.now
        left = max(0, self.num_requests - len(history))
        wait = max(0, int(oldest + self.duration - self.now) + 1)
        return {
            "RateLimit-Limit": str(self.num_requests),
            "RateLimit-Remaining": str(left),
            "RateLimit-Reset": str(wait),
        }


class ChangeThrottle(ReadThrottle):
    """For changing something."""

    scope = "change"
    rate = "240/min"
