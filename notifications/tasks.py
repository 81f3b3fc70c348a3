"""Celery's way in. The work is in ticks.py."""

from celery import shared_task

from notifications.delivery import ticks


@shared_task(name="notifications.deliver")
def deliver() -> None:
    """Handle what people have answered, and deliver what is due."""
    ticks.handle_waiting_replies()
    ticks.deliver_side_by_side()
