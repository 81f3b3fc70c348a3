"""The languages both games are said in: English, and those with catalogues."""

from engine.records.checking import LOCALE

LANGUAGES = ("en", *sorted(path.name for path in LOCALE.iterdir()))
