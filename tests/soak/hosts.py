"""Hosts who open tables, let people sit down, and close them again: many short notices beside those of the games."""

import threading
import time
from random import Random

from django.db import Error, connections

from games.models import User
from games.tables import lifecycle, plans
from notifications.clock import present
from notifications.models import Delivery
from tests.soak.people import hook_for

SEATS = 5
GUESTS = 300
MOST_WAITING = 100  # deliveries that wait while further tables are closed: the storm shall not become a backlog


class Hosts:
    """Works in a thread of its own while `is_busy`.

    Arguments:
        pause: seconds between two tables.
    """

    def __init__(self, hook_url: str, seed: int, pause: float = 0.0) -> None:
        self.is_busy = False
        self.closed = 0
        self._pause = pause
        self._dice = Random(seed)
        self._guests = [
            User.objects.create_user(f"g{number}@people.example.org", name=f"G{number}") for number in range(GUESTS)
        ]
        for number, user in enumerate(self._guests):
            hook_for(user, number, hook_url)
        self._over = threading.Event()

    def run(self) -> None:
        """Open and close, until `stop`."""
        try:
            while not self._over.is_set():
                try:
                    self._go_on()
                except Error:  # PostgreSQL is down; a table half done stays open
                    connections.close_all()
                    time.sleep(0.5)
        finally:
            connections.close_all()

    def _go_on(self) -> None:
        if self.is_busy and _waiting() < MOST_WAITING:
            self._one_table()
            self._over.wait(self._pause)
        else:
            time.sleep(0.1)

    def stop(self) -> None:
        """Let `run` return."""
        self._over.set()

    def _one_table(self) -> None:
        host, *others = self._dice.sample(self._guests, SEATS)
        plan = plans.TablePlan(
            title=f"Table {self.closed}",
            rules_name="aladdins-dragons",
            seat_count=SEATS,
        )
        game = lifecycle.open_table(host=host, plan=plan, now=present.now())
        for guest in others:
            lifecycle.join(game_id=game.pk, user=guest, now=present.now())
        lifecycle.close(game_id=game.pk, host=host, now=present.now())
        self.closed += 1


def _waiting() -> int:
    return Delivery.objects.filter(attempt_after__lte=present.now()).count()
