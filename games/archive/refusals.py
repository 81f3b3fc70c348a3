"""Why a record was refused: a code with its facts in the row, made into a sentence for whoever reads it."""

import msgspec
from django.utils.translation import get_language, gettext, gettext_noop

from engine.core import Text
from engine.records import checking

LIMIT = Text("import.limit")
UNCHECKED = Text("import.unchecked")
NO_TITLE = Text("import.title")
OWN = {  # beside those of the verifier
    LIMIT.code: gettext_noop("You've reached the limit of imported games."),
    UNCHECKED.code: gettext_noop("This record couldn't be checked here."),
    NO_TITLE.code: gettext_noop("The table in this record has no name."),
}


def stored(why: Text) -> str:
    """Returns a refusal as a row holds it."""
    return msgspec.json.encode(why).decode()


def in_words(row: str) -> str:
    """Returns a stored refusal as a sentence in the active language; one of an older row as it was written then."""
    why = _read(row)
    return say(why) if why else row


def code_of(row: str) -> str:
    """Returns the code of a stored refusal; "" for none, and for a sentence of an older row."""
    why = _read(row)
    return why.code if why else ""


def say(why: Text) -> str:
    """Returns a refusal as a sentence in the active language."""
    if why.code in OWN:
        return gettext(OWN[why.code])
    return checking.say(why, (get_language() or "en").split("-", 1)[0])


def _read(row: str) -> Text | None:
    try:
        why = msgspec.json.decode(row, type=Text)
    except msgspec.DecodeError:
        return None
    return why if why.code in OWN or why.code in checking.SENTENCES else None
