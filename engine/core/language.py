"""Where the sentences of a game come from in the reader's language: gettext catalogues, one folder per game."""

import gettext
from collections.abc import Hashable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Protocol, cast


class Folder(Traversable, Hashable, Protocol):
    """A folder on a disk or in a zip archive: the verifier is one file."""


def locale_of(package: str | None) -> Folder:
    """The folder of a package's catalogues."""
    assert package is not None
    return cast(Folder, files(package) / "locale")


@cache
def catalogue(folder: Folder, domain: str, language: str) -> gettext.NullTranslations:
    """The catalogue `folder`/<language>/LC_MESSAGES/`domain`.mo; English as it stands in the code if there is none.

    Arguments:
        folder: the locale folder of the game.
        domain: the name of its catalogues.
        language: a code such as "es" or "es-mx"; a region falls back to its language.
    """
    main, _, region = language.replace("_", "-").partition("-")
    for name in [f"{main}_{region.upper()}", main] if region else [main]:
        compiled = folder / name / "LC_MESSAGES" / f"{domain}.mo"
        if name.isidentifier() and compiled.is_file():
            with compiled.open("rb") as file:
                return gettext.GNUTranslations(file)
    return gettext.NullTranslations()
