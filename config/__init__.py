"""Settings, addresses, Celery: how the parts are put together on a machine."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
