"""Pages whose address names a language: a page that is not there in it is shown in the reader's own, and says so."""

from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus

from django.conf import settings
from django.http import Http404
from django.utils import translation


@dataclass(frozen=True)
class PageLanguage:
    """The language to show a page in; `missing` is what its reader calls the one he asked for, if it is not there."""

    code: str
    missing: str = ""

    @property
    def status(self) -> HTTPStatus:
        """The HTTP status of the page."""
        return HTTPStatus.NOT_FOUND if self.missing else HTTPStatus.OK


def page_language(asked: str, written: Collection[str] = ()) -> PageLanguage:
    """The language of a page.

    Arguments:
        asked: as the address has it; a region falls back to its language, "" asks for the reader's own.
        written: the languages the page is there in; all of ours if none are given.

    Raises Http404 if no language is called so.
    """
    own = translation.get_language() or settings.LANGUAGE_CODE
    if not asked:
        return PageLanguage(own)
    try:
        spoken = translation.get_supported_language_variant(asked)
    except LookupError:
        spoken = asked
    if spoken in (written or dict(settings.LANGUAGES)):
        return PageLanguage(spoken)
    try:
        return PageLanguage(own, missing=str(translation.get_language_info(spoken)["name_translated"]))
    except KeyError as error:
        raise Http404 from error
