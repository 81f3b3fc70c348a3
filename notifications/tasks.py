"""Celery's way in. The work is in ticks.py."""

from celery import shared_task

from notifications.delivery import sending


@shared_task(name="notifications.deliver")
def deliver() -> None:
    """Handle what people have answered, and deliver what is due."""
    sending.handle_waiting_replies()
    sending.deliver_side_by_side()
