"""What the API tells everybody without a token: its own description, and what the public pages show.

Nobody is known here: `games.web.middleware.PublicApi` takes cookies and tokens away before anything reads them.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.views import SpectacularAPIView
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from engine.core.lessons import Lesson
from engine.records import model
from engine.registry import AnyRules, newest
from engine.schemas import schema_of
from games.api import archive, bots, game_shapes
from games.api.access import PublicThrottle, Scope
from games.api.parsing import Body, DataSerializer
from games.api.resource import Cursor, Operations, PageQuery, Resource
from games.api.tables import RulesShape, TableShape, TablesQuery
from games.api.tournaments import TournamentShape, TournamentsQuery, WholeTournamentShape, whole_tournament
from games.archive import records
from games.errors import NotFound
from games.people import speech
from games.play import lists, queries
from games.play.lists import TableFilter
from games.tournaments import matches, tournaments
from games.tournaments.models import Tournament


@require_safe
def show_docs(request: HttpRequest) -> HttpResponse:
    """Shows the documentation, without sign-in; it loads nothing from other sites."""
    response = render(request, "games/site/api_docs.html")
    response.has_icons = True  # type: ignore[attr-defined]  # read by the content security policy
    return response


@require_safe
def show_rules_schema(request: HttpRequest, name: str, version: int) -> HttpResponse:
    """The JSON Schema of a rule set's views, events and actions, without sign-in; it never changes for a version."""
    try:
        schema = schema_of(name, version)
    except KeyError as unknown:
        raise Http404 from unknown
    here = {"$id": f"{settings.SITE_URL}{request.path}", **schema}
    return JsonResponse(here, content_type="application/schema+json")


class CompactJsonRenderer(OpenApiJsonRenderer):
    """The description as JSON without line breaks, a third of what drf-spectacular writes."""

    def get_indent(self, accepted_media_type: str, renderer_context: object) -> None:
        """Returns None: it is not indented."""


class ServedDescription(SpectacularAPIView):
    """The OpenAPI description, as JSON, which every generator reads; as YAML it would be a quarter longer."""

    renderer_classes = [CompactJsonRenderer, JSONRenderer]


# Public addresses

KEPT = 60  # seconds


class PublicResource(Resource):
    """Base class of the views that anybody may read, from any site; answers may be kept for a minute."""

    authentication_classes = []
    permission_classes = [AllowAny]
    shared_headers = {"Access-Control-Allow-Origin": "*", "Cache-Control": f"public, max-age={KEPT}"}

    def get_throttles(self) -> list[BaseThrottle]:
        """Counts what a network reads."""
        self.counted = PublicThrottle()
        return [self.counted]


operation = Operations(Scope.READ, PublicResource)


@operation("GET public/rules/", answer=[RulesShape])
def list_public_rules(request: Request) -> object:
    """Lists the games that can be played, by how many, with which options and bots."""
    return map(game_shapes.rules_data, newest())


@operation("GET public/rules/<slug:name>/book/", query=archive.BookQuery, answer=archive.BookShape)
def read_public_rulebook(request: Request, name: str, language: str) -> object:
    """The rules of a game as its page shows them."""
    return archive.read_rulebook(request, name, language)


@operation("GET public/tables/", query=TablesQuery, answer=[TableShape])
def list_public_tables(request: Request, limit: int, cursor: str, **wanted: Any) -> object:
    """Listed tables with a free seat that anybody may take, newest first."""
    listed = lists.listed_tables(TableFilter(**wanted))
    return Cursor.of_rows(listed, "ref", {"limit": limit, "cursor": cursor})


@operation("GET public/archive/", query=archive.ArchiveQuery, answer=[archive.ArchivedShape])
def list_public_archive(request: Request, **query: Any) -> object:
    """Finished games of listed tables, the latest first."""
    return archive.list_archive(request, **query)


@operation("GET public/games/<slug:ref>/record/", errors=[409], also={(200, "application/json"): OpenApiTypes.OBJECT})
def read_public_record(request: Request, ref: str) -> HttpResponse:
    """A finished game of a listed table as one JSON object, everything hidden included."""
    game = queries.access_game(None, ref).game
    if not game.is_listed:
        raise NotFound(_("There's no such game, or you don't have access to it."))
    return HttpResponse(model.dump(records.record_of(game)), content_type="application/json")


@operation("GET public/ratings/<slug:rules>/", query=PageQuery, answer=archive.RankingShape)
def read_public_ranking(request: Request, rules: str, **page: Any) -> object:
    """Lists the players who want to be seen there, the best first; and the public games by number of players."""
    return archive.read_ranking(request, rules, **page)


@operation("GET public/bots/", query=bots.BotsQuery, answer=[bots.ListedBotShape])
def list_public_bots(request: Request, rules: str, **page: Any) -> object:
    """The bots that every host may seat, with their owners, the games they take and their ratings among bots."""
    return bots.page_of_bots(rules, page)


@operation("GET public/matches/", answer=[bots.MatchShape])
def list_public_matches(request: Request) -> object:
    """Matches of bots, the newest first; at most 50."""
    return matches.latest()


@operation("GET public/matches/<slug:ref>/", answer=bots.WholeMatchShape)
def read_public_match(request: Request, ref: str) -> object:
    """Reads a whole match."""
    return matches.find(ref)


@operation("GET public/tournaments/", query=TournamentsQuery, answer=[TournamentShape])
def list_public_tournaments(request: Request, status: str) -> object:
    """Tournaments that can be entered, that are running, or the last that are finished; at most 100."""
    of = {Tournament.Status.OPEN: tournaments.open_for_entries, Tournament.Status.RUNNING: tournaments.running}
    return [{"row": row, "is_mine": False} for row in of.get(Tournament.Status(status), tournaments.over)()]


@operation("GET public/tournaments/<slug:ref>/", answer=WholeTournamentShape)
def read_public_tournament(request: Request, ref: str) -> object:
    """Reads a whole tournament."""
    return whole_tournament(tournaments.find_tournament(ref), None)


# Puzzles, from the ends of lessons

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")  # at the table of a puzzle


class PuzzleChoiceShape(DataSerializer):
    """A choice of a puzzle."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word


class PuzzleInBriefShape(DataSerializer):
    """A puzzle."""

    rules = serializers.CharField()
    ask = serializers.CharField(help_text="The question.")


class PuzzleShape(PuzzleInBriefShape):
    """A puzzle with its position, as seat 0 sees it."""

    view = serializers.DictField(help_text="Everything that seat may see, as the rules describe it.")
    board = serializers.CharField()
    choices = PuzzleChoiceShape(many=True, help_text="One of them is sent as `answer`.")
    told = serializers.ListField(
        child=serializers.CharField(), help_text="What comes of the answer, in words; empty without one."
    )


class PuzzleQuery(Body):
    """An answer to try."""

    answer = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="The value of a choice, to read what comes of it."
    )


def _lessons() -> Iterator[tuple[AnyRules, Lesson[Any, Any]]]:
    return ((rules, rules.lesson) for rules in newest() if rules.lesson is not None)


@operation("GET public/puzzles/", answer=[PuzzleInBriefShape])
def list_public_puzzles(request: Request) -> object:
    """The puzzles there are: at most one for each game."""
    language = speech.current_language()
    return [{"rules": rules.name, "ask": rules.say(lesson.ask, language, list(NAMES))} for rules, lesson in _lessons()]


@operation("GET public/puzzles/<slug:name>/", query=PuzzleQuery, answer=PuzzleShape)
def read_public_puzzle(request: Request, name: str, answer: str) -> object:
    """A puzzle: a position and choices; with an answer, what comes of it."""
    rules, lesson = next((pair for pair in _lessons() if pair[0].name == name), (None, None))
    if rules is None or lesson is None:
        raise NotFound(_("There's no game with that name."))
    (view, choices), language, names = lesson.puzzle(), speech.current_language(), list(NAMES)
    if answer and answer not in dict(choices):
        raise NotFound(_("There's no such choice."))
    texts = lesson.solve(answer).told if answer else []
    return {
        "rules": rules.name,
        "ask": rules.say(lesson.ask, language, names),
        "view": to_builtins(view),
        "board": rules.describe(view, language, names),
        "choices": [{"value": value, "label": rules.say(label, language, names)} for value, label in choices],
        "told": [rules.say(text, language, names) for text in texts],
    }
