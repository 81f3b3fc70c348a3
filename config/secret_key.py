"""Keys for a machine that was given none: a secret one, created once, and others that are derived from it."""

import base64
import os
import secrets
import tempfile
from pathlib import Path

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve, by FIPS 186


def p256_key(digest: str) -> str:
    """Returns a private key of the curve P-256 as base64url, made of a digest in hexadecimal: always the same one."""
    number = int(digest, 16) % (P256_ORDER - 1) + 1
    return base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")


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
