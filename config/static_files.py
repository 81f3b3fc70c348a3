"""Static files, which browsers keep for good: an address changes with what is in the file."""

from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise ships no types
    """WhiteNoise's. Until `collectstatic` has run, as in tests and commands, files have their plain addresses."""

    def url(self, name: str | None, force: bool = False) -> str:
        """The address of a file, such as "/static/games/site.5d41402abc4b.css"."""
        address: str = super().url(name, force) if self.hashed_files else StaticFilesStorage.url(self, name)
        return address
