"""The service's settings for a clock that is moved on: every process looks at it, and beats, several times a second.

Tables are made from the models, as in most tests.
"""

from config import web_server
from config.settings import *  # noqa: F403
from notifications.clock import present


class NoMigrations:
    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


MIGRATION_MODULES = NoMigrations()
present.LOOK_EVERY = 0.2
web_server.BEAT_SECONDS = 1.0
