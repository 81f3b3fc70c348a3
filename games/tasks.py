"""Celery tasks: they start at once what the next tick would do anyway."""

from celery import shared_task

from games import ticks
from notifications.delivery.sending import deliver_side_by_side


@shared_task(name="games.play")
def play() -> None:
    """Advances phases, and answers for bots and absent seats."""
    ticks.play_due()


@shared_task(name="games.sweep")
def sweep() -> None:
    """Runs one whole tick, with deliveries in parallel."""
    ticks.tick(deliver_side_by_side)
