"""The REST API beside a game: statistics, story, latest tally, proof of fairness, rulebook, lessons."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core import Figures
from engine.core.games import plain_table
from engine.registry import newest
from games.api.base.parsing import Body, DataSerializer, checked, checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, LISTING, READING, problems
from games.api.play import reading
from games.api.play.serializers import GameShape, NoBody
from games.errors import Conflict, NotFound
from games.lobby import practice
from games.play import history, queries, replay
from games.play.queries import Access
from games.tables import rulebooks
from games.tables.models import Game
from notifications.clock import present


class RowShape(DataSerializer):
    """One row of numbers."""

    code = serializers.CharField(help_text="What was counted, such as round or bribes; the same in every language.")
    params = serializers.DictField(help_text="What belongs to the code, such as the round.")
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word
    numbers = serializers.ListField(child=serializers.IntegerField(), help_text="One for each seat.")
    ranks = serializers.ListField(
        child=serializers.IntegerField(), help_text="The seats that were ranked here, the first one first; often none."
    )


class FiguresShape(DataSerializer):
    """Numbers in words."""

    code = serializers.CharField(help_text="What the table is about, such as hoards; the same in every language.")
    params = serializers.DictField(help_text="What belongs to the code, such as the round of a tally.")
    title = serializers.CharField()
    is_course = serializers.BooleanField(help_text="Whether the rows follow each other in time.")
    rows = RowShape(many=True)


class TallyShape(DataSerializer):
    """The latest tally."""

    tally = FiguresShape(allow_null=True, help_text="null before the first one, and in games without tallies.")


class VerdictShape(DataSerializer):
    """What playing the game again has shown."""

    moves = serializers.IntegerField()
    fault = serializers.CharField(allow_blank=True, help_text="Empty if all fits.")


class BookQuery(Body):
    """In which language."""

    language = serializers.CharField(
        max_length=8, allow_blank=True, default="", help_text="Yours without it; English if there is none."
    )


class BookShape(DataSerializer):
    """The rules of a game in words."""

    name = serializers.CharField()
    language = serializers.CharField()
    title = serializers.CharField()
    html = serializers.CharField()


class LessonShape(DataSerializer):
    """First steps in a game."""

    rules = serializers.CharField()
    about = serializers.CharField()
    game = serializers.CharField(allow_null=True, help_text="The one you are in.")


class Statistics(Resource):
    """Statistics of a game."""

    @extend_schema(operation_id="read_statistics", responses={200: FiguresShape(many=True), **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """A finished game in numbers, as your seat may know it."""
        access = queries.access_game(person(request), ref)
        if not access.game.outcome:
            raise Conflict(_("This game isn't over yet."))
        found = access.game.rules.figures(_events(access), access.game.seat_count)
        return Response(FiguresShape([_figures(access, one) for one in found], many=True).data)


class StoryShape(DataSerializer):
    """The turning points of a game."""

    lines = serializers.ListField(child=serializers.CharField(), help_text="Empty before its end.")


class Story(Resource):
    """The turning points of a game."""

    @extend_schema(operation_id="read_story", responses={200: StoryShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """The turning points of a game that is over, made of what everybody was shown."""
        return Response(StoryShape({"lines": history.story(queries.access_game(person(request), ref).game)}).data)


class LastTally(Resource):
    """The latest tally."""

    @extend_schema(operation_id="read_tally", responses={200: TallyShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """What the latest tally has shown of everybody."""
        access = queries.access_game(person(request), ref)
        if not access.game.started_at:
            raise Conflict(_("This game hasn't started yet."))
        rules = access.game.rules
        found = rules.last_tally(_events(access), access.game.seat_count) if rules.has_tally else None
        return Response(TallyShape({"tally": _figures(access, found) if found else None}).data)


class Verify(Resource):
    """The verification of a game's shuffles."""

    is_for_bots = True

    @extend_schema(operation_id="verify_game", request=NoBody, responses={200: VerdictShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Plays a finished game again from its seed and compares every move."""
        game = queries.access_game(person(request), ref).game
        checked(NoBody, request)
        return Response(VerdictShape(replay.check_fairness(game)).data)


class Book(Resource):
    """The rulebook."""

    @extend_schema(
        operation_id="read_rulebook", parameters=[BookQuery], responses={200: BookShape, **problems(*READING, 422)}
    )
    def get(self, request: Request, name: str) -> Response:
        """The rules of a game as its page shows them."""
        wanted = checked_query(BookQuery, request)["language"] or queries.current_language()
        language = rulebooks.best_language(name, wanted)
        if not language:
            raise NotFound(_("There's no game with that name."))
        return Response(BookShape(rulebooks.rulebook(name, language)).data)


class LessonsResource(Resource):
    """Lessons."""

    @extend_schema(operation_id="list_lessons", responses={200: LessonShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """The lessons there are: one for each game."""
        begun = practice.running_lessons(person(request))
        rows = [
            {
                "rules": rules.name,
                "about": rules.say(rules.lesson.about, queries.current_language(), []),
                "game": begun[rules.name].ref if rules.name in begun else None,
            }
            for rules in newest()
        ]
        return Response(LessonShape(rows, many=True).data)


class BeginLesson(Resource):
    """Starting a lesson."""

    @extend_schema(operation_id="begin_lesson", request=NoBody, responses={200: GameShape, **problems(*CHANGING)})
    def post(self, request: Request, name: str) -> Response:
        """Opens and starts a table against bots, without clock and mail; in a lesson you are in, goes on where it waits
        for you to have read what happened."""
        checked(NoBody, request)
        game: Game = practice.begin_lesson(user=person(request), rules_name=name, now=present.now())
        return Response(GameShape(reading.game_data(queries.access_game(person(request), game.ref))).data)


def _events(access: Access) -> list[object]:
    return [line.event for line in history.events_of(access, replay.standing_moves(access.game))]


def _figures(access: Access, figures: Figures) -> reading.Data:
    table: reading.Data = to_builtins(plain_table(figures, lambda text: queries.say(access.game, text)))
    return table
