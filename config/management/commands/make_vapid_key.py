"""Makes a key that signs what is sent to people's devices (web push)."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand

from config.secret_key import p256_key


class Command(BaseCommand):
    """manage.py make_vapid_key"""

    help = (
        "Prints a new VAPID_PRIVATE_KEY. With another key than before everybody has to switch notifications on again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it as a line of the environment."""
        self.stdout.write(f"VAPID_PRIVATE_KEY={p256_key(secrets.token_hex(48))}")
