"""The letters by which people call what a zone's clocks show, in their own language."""

from django.utils.translation import pgettext_lazy

# Those of zones in which people speak a language of ours and have letters of their own for it.
LETTERS = {
    "WET": pgettext_lazy("time zone", "WET"),
    "WEST": pgettext_lazy("time zone", "WEST"),
    "CET": pgettext_lazy("time zone", "CET"),
    "CEST": pgettext_lazy("time zone", "CEST"),
    "EET": pgettext_lazy("time zone", "EET"),
    "EEST": pgettext_lazy("time zone", "EEST"),
}


def letters_of(abbreviation: str) -> str:
    """Returns what the abbreviation of a zone is in the active language: "MEZ" in German for "CET"."""
    return str(LETTERS.get(abbreviation, abbreviation))
