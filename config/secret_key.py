"""A secret key for a machine that was given none: created once, in a file that only its owner can read."""

import os
import secrets
import tempfile
from pathlib import Path


def load_or_create(path: Path) -> str:
    """Returns the key in the file at `path`, which is created on first use.

    Several processes may start at once: the file appears with its whole content or not at all, and all of them read
    the key that was created first.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _create(path)
    return path.read_text().strip()


def _create(path: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # readable by its owner only
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.fsync(descriptor)
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first
    finally:
        draft.unlink()
