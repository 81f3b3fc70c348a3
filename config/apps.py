"""Makes the project itself an app, so that its system checks are registered and its clock is set."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the system checks of the settings at start-up, and sets the clock."""

    name = "config"

    def ready(self) -> None:
        from config import (
            checks,  # noqa: F401  # importing registers them
            database_clock,
        )

        database_clock.install()
