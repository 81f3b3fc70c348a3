"""Virtual time: a queue of people's future actions, between which the service does what is due."""

import heapq
import itertools
from collections.abc import Callable
from datetime import datetime

Action = Callable[[], None]


class InvariantBroken(AssertionError):
    """The service did what it must never do."""


def expect(holds: bool, fault: str) -> None:
    """Raises InvariantBroken with this text unless `holds`."""
    if not holds:
        raise InvariantBroken(fault)


class Timeline:
    """The current virtual time and a queue of planned actions.

    Arguments:
        begins: the first instant, aware.
    """

    def __init__(self, begins: datetime) -> None:
        self.now = begins
        self.steps = 0
        self._plans: list[tuple[datetime, int, Action]] = []
        self._numbers = itertools.count()

    def at(self, when: datetime, deed: Action) -> None:
        """Plans an action; one in the past runs now."""
        heapq.heappush(self._plans, (max(when, self.now), next(self._numbers), deed))

    def next_plan(self) -> datetime | None:
        """When the next action is planned."""
        return self._plans[0][0] if self._plans else None

    def go_to(self, when: datetime) -> None:
        """Moves time forward; never backwards."""
        self.now = max(self.now, when)

    def act(self) -> None:
        """Runs the actions planned until now."""
        while self._plans and self._plans[0][0] <= self.now:
            self.steps += 1
            heapq.heappop(self._plans)[2]()
