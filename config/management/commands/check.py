"""`manage.py check`: Django's, which says first which version it checks."""

from typing import Any

from django.conf import settings
from django.core.management.commands import check


class Command(check.Command):
    """Checks the settings."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the version, then what is wrong."""
        self.stdout.write(f"Caravanserai {settings.VERSION}")
        super().handle(*args, **options)
