"""The REST API of finished games: archive, ratings, statistics, records and reviews; and of rulebooks and lessons."""

from collections.abc import Mapping
from typing import IO, Any

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from engine.core import Ending, Figures
from engine.core.games import plain_table
from engine.records import model
from engine.registry import newest
from games import cursors
from games.api.game_shapes import Data, GameShape, shown_game
from games.api.parsing import Body, ComputedField, DataSerializer
from games.api.problems import TooLarge
from games.api.resource import NEXT, ListPart, Operations, PageQuery, Resource, person, refusing_cursors
from games.api.schema import OPENING, WITH_LOCATION, problems
from games.archive import ratings, records, reviews
from games.archive.finished_games import ArchiveFilter, archived, page_after, sums
from games.archive.models import Import
from games.archive.review_sentences import Grade, ReviewSentences
from games.errors import Conflict, NotFound
from games.lobby import practice
from games.people import speech
from games.play import history, queries, replay
from games.play.queries import Access
from games.tables import rulebooks
from games.tables.models import Game
from notifications.clock import present

operation = Operations()

# Archive and ratings


class ArchiveQuery(PageQuery):
    """Which games, and which of them first."""

    rules = serializers.CharField(required=False, max_length=40, help_text="The name of a rule set.")
    version = serializers.CharField(required=False, max_length=40, help_text="What their option of that name was.")
    seat_count = serializers.IntegerField(required=False, min_value=1, max_value=10, help_text="How many played.")
    since = serializers.DateField(required=False, help_text="Over on that day or later (UTC).")
    until = serializers.DateField(required=False, help_text="Over on that day or earlier (UTC).")


class ArchivedPlaceShape(DataSerializer):
    """How a seat came out."""

    seat = serializers.IntegerField(source="seat.number")
    name = serializers.CharField(source="seat.display_name")
    bot = ComputedField(
        lambda row: row["seat"].bot or None,
        serializers.CharField(allow_null=True, help_text="Which bot of the rules it was; null for an account."),
    )
    owner = serializers.CharField(
        source="seat.owner_name", allow_null=True, help_text="Whose bot account it was; null for a person."
    )
    place = serializers.IntegerField(help_text="Who won together are first together.")
    score = serializers.IntegerField()


def _places(game: Game) -> list[dict[str, object]]:
    result = queries.result(game)
    assert result is not None
    ranked = sorted(result.places, key=lambda place: place[0])
    return [{"place": place, "seat": seat, "score": score} for place, seat, score in ranked]


class ArchivedShape(DataSerializer):
    """A game of the archive."""

    ref = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.CharField(source="rules_name")
    rules_version = serializers.IntegerField()
    options = serializers.DictField(child=serializers.CharField())
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField()
    ending = serializers.ChoiceField(
        [(ending.value, ending.name) for ending in Ending],
        source="outcome.ending",
        help_text="abandoned: all but one had resigned.",
    )
    commitment = serializers.CharField()
    places = ComputedField(_places, ArchivedPlaceShape(many=True, help_text="The best first."))


class RankedShape(DataSerializer):
    """Somebody who wants to be seen there."""

    place = serializers.IntegerField()
    name = serializers.CharField(source="row.user.name")
    player_ref = ComputedField(
        lambda ranked: ranked["row"].user.ref if ranked["row"].user.has_profile else None,
        serializers.CharField(allow_null=True, help_text="Of the page about him; null if he has none."),
    )
    points = serializers.IntegerField(source="row.points")
    games = serializers.IntegerField(source="row.games")
    wins = serializers.IntegerField(source="row.wins")


class RankedSumShape(DataSerializer):
    """The public games with so many players."""

    seat_count = serializers.IntegerField(source="seats")
    games = serializers.IntegerField()
    hours = ComputedField(
        lambda row: round(row.lasted.total_seconds() / 3600, 1),
        serializers.FloatField(help_text="That they took on average."),
    )


class RankingShape(DataSerializer):
    """The best players of a game, and how often it was played."""

    count = serializers.IntegerField(help_text="How many are in it.")
    items = RankedShape(many=True, help_text="The best first.")
    next = serializers.CharField(allow_null=True, help_text=NEXT)
    sums = RankedSumShape(many=True)


@operation("GET archive/", query=ArchiveQuery, answer=[ArchivedShape])
def list_archive(request: Request, cursor: str, limit: int, **query: Any) -> object:
    """Finished games of listed tables, the latest first."""
    seats = query.pop("seat_count", None)
    with refusing_cursors():
        games, behind = page_after(archived(ArchiveFilter(seats=seats, **query)), cursor, limit)
    return ListPart(games, behind or None)


@operation("GET ratings/<slug:rules>/", query=PageQuery, answer=RankingShape)
def read_ranking(request: Request, rules: str, limit: int, cursor: str) -> object:
    """Lists the players who want to be seen there, the best first; and the public games by number of players."""
    if rules not in {entry.name for entry in newest()}:
        raise NotFound(_("There's no game with that name."))
    rows, listed = ratings.ranking(rules), f"ratings {rules}"
    with refusing_cursors():
        offset = int(cursors.unseal(cursor, listed)[0]) if cursor else 0
    count = rows.count()
    return {
        "count": count,
        "items": [{"place": place, "row": row} for place, row in enumerate(rows[offset : offset + limit], offset + 1)],
        "next": cursors.seal([str(offset + limit)], listed) if offset + limit < count else None,
        "sums": sums(rules),
    }


# Statistics, story, tally and proof of fairness; rulebooks and lessons


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
    """The result of playing the game again."""

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
    game_ref = serializers.CharField(allow_null=True, help_text="The one you are in.")


@operation("GET games/<slug:ref>/statistics/", answer=[FiguresShape], errors=[409])
def read_statistics(request: Request, ref: str) -> object:
    """A finished game in numbers, as your seat may know it."""
    access = queries.access_game(person(request), ref)
    if not access.game.outcome:
        raise Conflict(_("This game isn't over yet."))
    figures = access.game.rules.figures(_events(access), access.game.seat_count)
    return [_figures(access, row) for row in figures]


class StoryShape(DataSerializer):
    """The turning points of a game."""

    lines = serializers.ListField(child=serializers.CharField(), help_text="Empty before its end.")


@operation("GET games/<slug:ref>/story/", answer=StoryShape)
def read_story(request: Request, ref: str) -> object:
    """The turning points of a game that is over, made of what everybody was shown."""
    return {"lines": history.story(queries.access_game(person(request), ref).game)}


@operation("GET games/<slug:ref>/tally/", answer=TallyShape, errors=[409])
def read_tally(request: Request, ref: str) -> object:
    """Reads the latest tally, as everybody has seen it."""
    access = queries.access_game(person(request), ref)
    if not access.game.started_at:
        raise Conflict(_("This game hasn't started yet."))
    rules = access.game.rules
    tally = rules.last_tally(_events(access), access.game.seat_count) if rules.has_tally else None
    return {"tally": _figures(access, tally) if tally else None}


@operation("POST games/<slug:ref>/verify/", answer=VerdictShape, for_bots=True)
def verify_game(request: Request, ref: str) -> object:
    """Plays a finished game again from its seed and compares every move."""
    return replay.check_fairness(queries.access_game(person(request), ref).game)


@operation("GET rules/<slug:name>/book/", query=BookQuery, answer=BookShape)
def read_rulebook(request: Request, name: str, language: str) -> object:
    """The rules of a game as its page shows them."""
    language = rulebooks.best_language(name, language or speech.current_language())
    if not language:
        raise NotFound(_("There's no game with that name."))
    return rulebooks.rulebook(name, language)


@operation("GET lessons/", answer=[LessonShape])
def list_lessons(request: Request) -> object:
    """The lessons there are: one for each game."""
    begun = practice.running_lessons(person(request))
    return [
        {
            "rules": rules.name,
            "about": rules.say(rules.about, speech.current_language(), []),
            "game_ref": begun[rules.name].ref if rules.name in begun else None,
        }
        for rules in newest()
    ]


@operation("POST lessons/<slug:name>/", answer=GameShape)
def begin_lesson(request: Request, name: str) -> object:
    """Opens and starts a table against bots, without clock and mail; in a lesson you are in, goes on where it waits
    for you to have read what happened."""
    game = practice.begin_lesson(user=person(request), rules_name=name, now=present.now())
    return shown_game(request, game.ref)


class PlayOnBody(Body):
    """From where."""

    step = serializers.IntegerField(min_value=1, help_text="After which step, as the game's history counts them.")
    seat = serializers.IntegerField(
        required=False, min_value=0, help_text="Which seat to play, in a finished game; your own if you leave it out."
    )


@operation("POST games/<slug:ref>/play-on/", body=PlayOnBody, answer=GameShape, errors=[409])
def play_on(request: Request, ref: str, step: int, seat: int | None = None) -> object:
    """Opens a table of your own that goes on from a step of this game, against bots, without clock and mail.

    Of a finished game any seat may be chosen. While it runs you play from your own seat, and what it could not see is
    dealt anew.
    """
    user = person(request)
    access = queries.access_game(user, ref)
    game = practice.play_on(user=user, access=access, step=step, seat=seat, now=present.now())
    return shown_game(request, game.ref)


def _events(access: Access) -> list[object]:
    return [line.event for line in history.events_of(access, replay.standing_moves(access.game))]


def _figures(access: Access, figures: Figures) -> Data:
    table: Data = to_builtins(plain_table(figures, lambda text: queries.say(access.game, text)))
    return table


# Records: export and import

NO_OBJECT = gettext_lazy("The body isn't a JSON object.")


class RecordParser(BaseParser):
    """Passes the bytes of a record on, which is a JSON object: what is in it is for the import to check."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> Any:
        """Returns the body. Raises ParseError for what is no JSON object, TooLarge."""
        body = stream.read(settings.LARGEST_RECORD + 1)
        if len(body) > settings.LARGEST_RECORD:
            raise TooLarge(_("The request is too long."))
        try:
            msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        except (ValueError, RecursionError) as error:
            raise ParseError(NO_OBJECT) from error
        return body


class ImportShape(DataSerializer):
    """A record on its way in."""

    ref = serializers.CharField(help_text="Of the import.")
    state = serializers.ChoiceField(Import.State.choices, help_text="Ask again while it is waiting or running.")
    moves = serializers.IntegerField(help_text="How many the record has; 0 as long as that is not known.")
    checked = serializers.IntegerField(help_text="How many of them fit so far.")
    refusal = serializers.CharField(
        source="refusal_in_words", help_text="Why it was refused, as a sentence for people; empty if it was not."
    )
    refusal_code = serializers.CharField(help_text="The same for programs, such as record.chain, or empty.")
    game_ref = serializers.CharField(
        source="game.ref", default=None, allow_null=True, help_text="Of the table it has become here; null before."
    )
    is_new = serializers.BooleanField(help_text="False if you had imported the same record before.")


@operation("GET games/<slug:ref>/record/", errors=[409], also={(200, "application/json"): OpenApiTypes.OBJECT})
def read_record(request: Request, ref: str) -> HttpResponse:
    """A finished game as one JSON object, everything hidden included: docs/record.md says what is in it."""
    game = queries.access_game(person(request), ref).game
    return HttpResponse(model.dump(records.record_of(game)), content_type="application/json")


class RecordsResource(Resource):
    """Importing a record."""

    parser_classes = [RecordParser]

    @extend_schema(
        operation_id="import_record",
        request={"application/json": OpenApiTypes.OBJECT},
        responses={202: ImportShape, **problems(*OPENING, 409)},
        extensions={WITH_LOCATION: ["202"]},
    )
    def post(self, request: Request) -> Response:
        """Takes a record to be played again: of one that fits a finished table is made that only you see.

        Location says where to ask what has come of it.
        """
        body: object = request.data
        if not isinstance(body, bytes):
            raise ParseError(NO_OBJECT)
        row = records.request_import(data=body, by=person(request), now=present.now())
        where = {"Location": reverse("api_read_import", args=[row.ref])}
        return Response(ImportShape(row).data, status=202, headers=where)


@operation("GET imports/<slug:ref>/", answer=ImportShape)
def read_import(request: Request, ref: str) -> object:
    """How far it is, what is wrong with it, or which game it has become."""
    return records.find_import(person(request), ref)


@operation("DELETE records/<slug:ref>/", errors=[409])
def remove_imported(request: Request, ref: str) -> None:
    """Removes a game that you have imported."""
    records.remove_import(game=queries.access_game(person(request), ref).game, by=person(request))


# Reviews

PER_CENT = "In per cent."


class PerMilleField(serializers.FloatField):
    """A number in thousandths, written in per cent."""

    def to_representation(self, value: float) -> float:  # type: ignore[override]  # the stubs say text
        """Returns it in per cent."""
        return value / 10


class PointShape(DataSerializer):
    """How the game stood after a move."""

    move = serializers.IntegerField(source="seq", help_text="Number of the move in the record.")
    chances = serializers.ListField(child=PerMilleField(), help_text="Of each seat to win, in per cent.")
    low = serializers.ListField(child=PerMilleField(), help_text="The chance is above it 39 times of 40.")
    high = serializers.ListField(child=PerMilleField(), help_text="The chance is below it 39 times of 40.")


class TurningPointShape(DataSerializer):
    """A decision or event that changed the chances most."""

    move = serializers.IntegerField(source="seq")
    step = serializers.IntegerField(help_text="Of the game's history.")
    text = serializers.CharField()
    is_luck = serializers.BooleanField(help_text="False for a decision.")


class SeatReviewShape(DataSerializer):
    """The review of one seat."""

    seat = serializers.IntegerField()
    luck = serializers.FloatField(help_text="What chance gave or took. " + PER_CENT)
    spread = serializers.FloatField(help_text="How uncertain that is: twice the standard error. " + PER_CENT)
    looked_at = serializers.IntegerField(help_text="Decisions that were graded.")
    better = serializers.IntegerField(help_text="Of how many of them a better answer was found.")
    cost = serializers.FloatField(help_text="What these have cost together. " + PER_CENT)


class JudgedShape(DataSerializer):
    """A decision beside the best other answer that was found."""

    move = serializers.IntegerField(source="seq")
    step = serializers.IntegerField(help_text="Of the game's history.")
    seat = serializers.IntegerField()
    question = serializers.CharField()
    answer = serializers.CharField()
    grade = serializers.ChoiceField([str(grade) for grade in Grade])
    best = serializers.CharField(allow_blank=True, help_text="Empty if nothing better was found.")
    loss = serializers.FloatField(help_text="By how much the better answer raises the chance to win. " + PER_CENT)
    spread = serializers.FloatField(help_text="How uncertain that is: twice the standard error. " + PER_CENT)
    is_ours = serializers.BooleanField(help_text="It is what the rules propose there; looking deeper may find better.")


class ReviewShape(DataSerializer):
    """The review of a game."""

    made_at = serializers.DateTimeField(source="row.made_at")
    seconds = serializers.FloatField(source="row.seconds", help_text="Of processor time that it took.")
    playouts = serializers.IntegerField(source="review.playouts")
    points = PointShape(source="review.points", many=True, help_text="From the layout to the end.")
    turning_points = TurningPointShape(source="told.turning_points", many=True)
    seats = SeatReviewShape(source="told.summaries", many=True)
    decisions = JudgedShape(
        source="told.decisions",
        many=True,
        help_text="Of people, in order; those that were not looked at are left out.",
    )


class AskedReviewShape(DataSerializer):
    """A review that was asked for."""

    state = serializers.ChoiceField(["waiting", "running", "done", "failed"])


@operation("GET games/<slug:ref>/review/", answer=ReviewShape, errors=[409])
def read_review(request: Request, ref: str) -> object:
    """Reads the review of a finished game. 409 says in words why there is none, or not yet."""
    access = queries.access_game(person(request), ref)
    state = reviews.review_of(access.game)
    if state.review is None:
        raise Conflict(state.message)
    return {"row": state.row, "review": state.review, "told": ReviewSentences(access, state.review).told()}


@operation("POST games/<slug:ref>/review/", answer=AskedReviewShape, status=202)
def request_review(request: Request, ref: str) -> object:
    """Asks for the review of a finished game that has none. Asking again changes nothing."""
    access = queries.access_game(person(request), ref)
    return reviews.request_review(access.game, person(request), present.now())
