"""How often a program may ask. Politeness between programs, no security measure: each process counts for itself."""

from django.core.cache.backends.locmem import LocMemCache
from rest_framework.throttling import UserRateThrottle


class ReadThrottle(UserRateThrottle):
    """For reading. Counted in memory: a read must not become a write of the database."""

    scope = "read"
    rate = "600/min"
    cache = LocMemCache("api-throttle", {})


class ChangeThrottle(ReadThrottle):
    """For changing something."""

    scope = "change"
    rate = "240/min"
