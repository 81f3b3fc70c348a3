"""Celery tasks. They only make sooner what `ticks` does anyway."""

from celery import shared_task

from games import ticks
from notifications.delivery.ticks import deliver_side_by_side


@shared_task(name="games.play")
def play() -> None:
    """Phases, bots and absent seats."""
    ticks.play_due()


@shared_task(name="games.sweep")
def sweep() -> None:
    """One whole tick."""
    ticks.tick(deliver_side_by_side)
