"""Absolute addresses of pages that need no token, for letters, feeds and the API."""

from django.conf import settings
from django.urls import reverse

from games.tables import rulebooks
from games.tables.models import Game
from games.tournaments.models import Tournament


def page_url(name: str, *args: object) -> str:
    """Returns the absolute address of a page, by its name in games/urls.py and what its path holds."""
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


def rules_schema_url(name: str, version: int) -> str:
    """Returns the address of the JSON Schema of a version of some rules."""
    return page_url("api_rules_schema", name, version)


def game_url(game: Game) -> str:
    """The table's page, for signed-in users."""
    return page_url("table", game.ref)


def tournament_url(tournament: Tournament) -> str:
    """The page of a tournament, for everybody."""
    return page_url("tournament", tournament.ref)


def by_mail_url(language: str) -> str:
    """The guide to playing by email."""
    return page_url("by_mail_in", language)


def history_url(game: Game) -> str:
    """The history page of a game."""
    return page_url("history", game.ref) + "?step=0"


def review_url(game: Game) -> str:
    """The page of its review."""
    return page_url("review", game.ref)


def rules_url(game: Game, language: str) -> str:
    """The rules of the game, in this language if there is a translation; "" if there are none."""
    name = game.rules_name
    written = rulebooks.languages_of(name)
    if not written:
        return ""
    return page_url("rules_in", name, language) if language in written else page_url("rules", name)
