"""The rules of the games, and how to play them from the mail, for everybody to read."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from engine.registry import newest
from games.play import queries
from games.tables import rulebooks
from games.web.tables.forms import in_words


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All games whose rules are written."""
    games = [(known.name, in_words(known, known.title)) for known in newest() if rulebooks.languages_of(known.name)]
    return render(request, "games/site/rules_index.html", {"games": games})


@require_safe
def rules(request: HttpRequest, name: str, language: str = "") -> HttpResponse:
    """The rules of one game.

    Arguments:
        language: of the rules and the page around them; without it the reader's own.
    """
    written = rulebooks.languages_of(name)
    if not written or (language and language not in written):
        raise Http404
    with translation.override(language or translation.get_language()):
        book = rulebooks.rulebook(name, rulebooks.best_language(name, translation.get_language()))
        labels = dict(settings.LANGUAGES)
        others = [(code, labels[code]) for code in written if code != book.language]
        return render(request, "games/site/rules.html", {"book": book, "others": others})


@require_safe
def by_mail(request: HttpRequest, language: str = "") -> HttpResponse:
    """How to play from the mail. `language` as of `rules`; 404 for one that nothing is written in."""
    if language and language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language or translation.get_language()):
        book = rulebooks.guide("by-mail", queries.current_language())
        return render(request, "games/site/by_mail.html", {"book": book})
