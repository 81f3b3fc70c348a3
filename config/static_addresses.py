"""Static files under addresses that change with what is in them, so that a browser need not ask for them again."""

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage


class VersionedFiles(StaticFilesStorage):
    """Puts the digest of a file behind its address, and needs no step that copies files before the service starts."""

    def url(self, name: str | None) -> str:
        """The address of a file, such as "/static/games/site.css?v=5d41402abc"."""
        address = super().url(name)
        version = _version(name or "")
        return f"{address}?v={version}" if version else address


@cache
def _version(name: str) -> str:
    found = finders.find(name)
    return hashlib.blake2s(Path(found).read_bytes(), digest_size=5).hexdigest() if found else ""
