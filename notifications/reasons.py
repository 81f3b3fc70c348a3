"""Why something was not sent, is kept back, failed or was switched off: a code in the rows, words for who reads it.

Whoever gives a reason declares it beside what it is about; rows, logs and programs hold the code (the OpenAPI
description lists them all), and `in_words` makes the words of it in the language of whoever looks. What another server
said is no reason of ours: it is stored and shown as it came.
"""

from django.utils.translation import gettext

_msgids: dict[str, str] = {}


def declare(code: str, words: str) -> str:
    """Enter a reason and return its code. Raises ValueError for a code that stands for something else.

    Arguments:
        code: stored and read by programs: it never changes.
        words: a msgid, the end of a sentence that begins with what happened; free to change.
    """
    if _msgids.setdefault(code, words) != words:
        raise ValueError(f"The reason {code!r} is declared twice.")
    return code


def in_words(stored: str) -> str:
    """Return a stored reason in the active language; what is no code, such as another server's words, as it stands."""
    return gettext(_msgids[stored]) if stored in _msgids else stored


def in_english(stored: str) -> str:
    """Return a stored reason as logs say it."""
    return _msgids.get(stored, stored)


def code_of(stored: str) -> str:
    """Return what programs are told of a stored reason: its code, "" for what is none."""
    return stored if stored in _msgids else ""


def declared() -> dict[str, str]:
    """Return all reasons, each code with its English words."""
    return dict(_msgids)
