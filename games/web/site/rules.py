"""The rules of the games, and how to play them from the mail, for everybody to read."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from engine.registry import AnyRules, newest
from games.people import speech
from games.tables import boards, rulebooks
from games.web.site.languages import page_language
from games.web.tables.game_form import in_words

LONGEST_SEARCH = 60
MOST_FOUND = 30  # in the rules of each game


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All games whose rules are written, and a search in them."""
    words = request.GET.get("q", "")[:LONGEST_SEARCH]
    games = []
    for known in newest():
        language = rulebooks.best_language(known.name, speech.current_language())
        if language:
            found = rulebooks.rulebook(known.name, language).find(words)[:MOST_FOUND]
            games.append({"name": known.name, "title": in_words(known, known.title), "found": found})
    context = {"games": games, "words": words, "count": sum(len(game["found"]) for game in games)}
    return render(request, "games/site/rules_index.html", context)


@require_safe
def rules(request: HttpRequest, name: str, language: str = "") -> HttpResponse:
    """The rules of one game.

    Arguments:
        language: of the rules and the page around them; without it, or where they are not written in it, the reader's.
    """
    written = rulebooks.languages_of(name)
    if not written:
        raise Http404
    shown = page_language(language, written)
    with translation.override(shown.code):
        book = rulebooks.rulebook(name, rulebooks.best_language(name, shown.code))
        labels = dict(settings.LANGUAGES)
        others = [(code, labels[code]) for code in written if code != book.language]
        known = next(known for known in newest() if known.name == name)
        context = {
            "book": book,
            "others": others,
            "pieces": known.pieces(book.language),
            "setups": _setups(known, book.language),
            "missing": shown.missing,
        }
        return render(request, "games/site/rules.html", context, status=shown.status)


def _setups(known: AnyRules, language: str) -> list[tuple[int, tuple[str, str]]]:
    """The numbers of players, each with the size of its picture."""
    return [(seats, boards.size(rulebooks.setup(known.name, seats, language))) for seats in known.seat_counts]


@require_safe
def setup(request: HttpRequest, name: str, seats: int, language: str) -> HttpResponse:
    """The board before the first move as a picture; 404 for a game, a number of players or a language there is not."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    try:
        svg = rulebooks.setup(name, seats, language)
    except KeyError as error:
        raise Http404 from error
    return HttpResponse(svg, content_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


@require_safe
def by_mail(request: HttpRequest, language: str = "") -> HttpResponse:
    """How to play from the mail. `language` as of `rules`."""
    shown = page_language(language)
    with translation.override(shown.code):
        context = {"book": rulebooks.guide("by-mail", speech.current_language()), "missing": shown.missing}
        return render(request, "games/site/by_mail.html", context, status=shown.status)
