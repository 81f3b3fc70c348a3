"""The service's settings for a clock that is moved on: every process looks at it, and beats, several times a second.

Tables are made from the models, as in most tests.
"""

from django.apps import AppConfig

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS
from notifications.clock import present


class NoMigrations:
    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


MIGRATION_MODULES = NoMigrations()
present.LOOK_EVERY = 0.2


class Soak(AppConfig):
    """Lets the web's heart beat faster, once its settings can be read."""

    name = "tests.soak"

    def ready(self) -> None:
        """Django calls this when everything is loaded."""
        from config import web_server

        web_server.BEAT_SECONDS = 1.0


INSTALLED_APPS = [*INSTALLED_APPS, "tests.soak.settings.Soak"]
