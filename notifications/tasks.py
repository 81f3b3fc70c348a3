"""Celery's way in. The work is in ticks.py."""

from celery import shared_task

from notifications import ticks


@shared_task(name="notifications.deliver")
def deliver() -> None:
    """Deliver what is due."""
    ticks.deliver_due()
