"""Puts the parts together: settings, URLs, Celery, the worker's ticker, the web process and the launcher."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
