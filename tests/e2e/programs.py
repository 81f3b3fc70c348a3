"""A service in processes of its own, and people whose programs play there."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.launcher.service import Service

ROOT = Path(__file__).resolve().parent.parent.parent
MAKE = """
import json, sys
from games.models import User
from games.people import tokens
from notifications.clock import present
people = [User.objects.create_user(f"{name.lower()}@example.org", name=name) for name in NAMES]
print(json.dumps([tokens.create_token(user=user, name="bot", now=present.now())[1] for user in people]))
"""


def surroundings(folder: Path) -> dict[str, str]:
    """Nothing of ours is set but the folder, the port and the pace."""
    ours = ("DATABASE_URL", "REDIS_URL", "SITE_URL", "EMAIL_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")
    plain = {name: value for name, value in os.environ.items() if name not in ours}
    return plain | {"VAR_DIR": str(folder), "PORT": "0", "TICK_SECONDS": "0.2", "REVIEW_SECONDS": "0"}


@contextmanager
def running_service(folder: Path) -> Iterator[Service]:
    """A service that keeps what it has in that folder, which was made ready for it."""
    made = Service(surroundings(folder), report=lambda _line: None)
    made.start()
    try:
        made.wait_ready()
        yield made
    finally:
        made.stop()


def tokens_of(service: Service, *names: str) -> list[str]:
    """A token of each of these new people."""
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", f"NAMES = {names!r}\n{MAKE}"]
    made = subprocess.run(command, cwd=ROOT, env=service.environment, capture_output=True, text=True, check=True)
    tokens: list[str] = json.loads(made.stdout.strip().splitlines()[-1])
    return tokens
