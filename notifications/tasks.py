"""Celery's way in. The work is in delivery/sending.py."""

import threading

from celery import shared_task

from notifications.delivery import sending

MOST = 2  # rounds at a time in one worker: play has the other threads, however long the servers take to answer
_free = threading.BoundedSemaphore(MOST)


@shared_task(name="notifications.deliver")
def deliver() -> None:
    """Handle what people have answered, and deliver what is due. With MOST at it they look again, and the ticker."""
    if not _free.acquire(blocking=False):
        return
    try:
        sending.handle_waiting_replies()
        sending.deliver_side_by_side()
    finally:
        _free.release()
