"""Storage of static files, which browsers cache for good: a file's URL changes with its content."""

from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise ships no types
    """WhiteNoise's storage; until `collectstatic` has run, as in tests and commands, files have plain URLs."""

    def url(self, name: str | None, force: bool = False) -> str:
        """The URL of a file, such as "/static/games/site.5d41402abc4b.css"."""
        address: str = super().url(name, force) if self.hashed_files else StaticFilesStorage.url(self, name)
        return address
