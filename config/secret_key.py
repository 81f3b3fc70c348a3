"""The key of a machine that was given none: made once, kept in a file only its owner can read."""

import os
import secrets
from pathlib import Path


def load_or_create(path: Path) -> str:
    """The key in the file at `path`; the file is made on first use. Two processes at once get the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text().strip()
