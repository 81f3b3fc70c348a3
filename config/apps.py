"""Makes the project itself an app, so that its system checks are registered."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the system checks of the settings at start-up."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  # importing registers them
