"""Virtual time: a heap of what people will do, and between two of them whatever the service has to do."""

import heapq
import itertools
from collections.abc import Callable
from datetime import datetime

Deed = Callable[[], None]


class SimulatedWorld:
    """The present instant, and what is going to happen.

    Arguments:
        begins: the first instant, aware.
    """

    def __init__(self, begins: datetime) -> None:
        self.now = begins
        self.steps = 0
        self._plans: list[tuple[datetime, int, Deed]] = []
        self._numbers = itertools.count()

    def at(self, when: datetime, deed: Deed) -> None:
        """Somebody is going to do something; what is past happens now."""
        heapq.heappush(self._plans, (max(when, self.now), next(self._numbers), deed))

    def next_plan(self) -> datetime | None:
        """When the next person acts."""
        return self._plans[0][0] if self._plans else None

    def go_to(self, when: datetime) -> None:
        """Lets time pass; never backwards."""
        self.now = max(self.now, when)

    def act(self) -> None:
        """Does everything people do at this instant."""
        while self._plans and self._plans[0][0] <= self.now:
            self.steps += 1
            heapq.heappop(self._plans)[2]()
