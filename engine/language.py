"""Where the sentences of a game come from in the reader's language: gettext catalogues, one folder per game."""

import gettext
from functools import cache
from pathlib import Path


@cache
def catalogue(folder: Path, domain: str, language: str) -> gettext.NullTranslations:
    """The catalogue `folder`/<language>/LC_MESSAGES/`domain`.mo; English as it stands in the code if there is none.

    Arguments:
        folder: the locale folder of the game.
        domain: the name of its catalogues.
        language: a code such as "es" or "es-mx"; a region falls back to its language.
    """
    main, _, region = language.replace("_", "-").partition("-")
    candidates = [f"{main}_{region.upper()}", main] if region else [main]
    return gettext.translation(domain, folder, candidates, fallback=True)
