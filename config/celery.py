"""The Celery application. Tasks are three lines each and live in games/tasks.py and notifications/tasks.py."""

import os

from celery import Celery
from celery.signals import worker_process_init

from config.child import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("caravanserai")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("config.ticker:Ticker")


@worker_process_init.connect
def end_with_worker(**_: object) -> None:
    """A process of the pool outlives its worker no more than the worker its launcher."""
    end_with_parent()
