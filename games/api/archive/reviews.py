"""The REST API: the review of a game that is over."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, READING, problems
from games.api.play.serializers import NoBody
from games.archive import review_queries, review_queue
from games.archive.review_sentences import Grade, ReviewSentences
from games.errors import Conflict
from games.play import queries
from games.play.queries import Access
from notifications.clock import present

PER_CENT = "In per cent."


class PointShape(DataSerializer):
    """How the game stood after a move."""

    move = serializers.IntegerField(help_text="Number of the move in the record.")
    chances = serializers.ListField(child=serializers.FloatField(), help_text="Of each seat to win, in per cent.")
    low = serializers.ListField(child=serializers.FloatField(), help_text="The chance is above it 39 times of 40.")
    high = serializers.ListField(child=serializers.FloatField(), help_text="The chance is below it 39 times of 40.")


class TurningPointShape(DataSerializer):
    """What changed the chances most."""

    move = serializers.IntegerField()
    step = serializers.IntegerField(help_text="Of the game's history.")
    text = serializers.CharField()
    is_luck = serializers.BooleanField(help_text="False for a decision.")


class SeatReviewShape(DataSerializer):
    """What the review says of one seat."""

    seat = serializers.IntegerField()
    luck = serializers.FloatField(help_text="What chance gave or took. " + PER_CENT)
    spread = serializers.FloatField(help_text="How uncertain that is: twice the standard error. " + PER_CENT)
    looked_at = serializers.IntegerField(help_text="Decisions that were graded.")
    better = serializers.IntegerField(help_text="Of how many of them a better answer was found.")
    cost = serializers.FloatField(help_text="What these have cost together. " + PER_CENT)


class JudgedShape(DataSerializer):
    """A decision beside the best other answer that was found."""

    move = serializers.IntegerField()
    step = serializers.IntegerField(help_text="Of the game's history.")
    seat = serializers.IntegerField()
    question = serializers.CharField()
    answer = serializers.CharField()
    grade = serializers.ChoiceField([str(grade) for grade in Grade])
    best = serializers.CharField(allow_blank=True, help_text="Empty if nothing better was found.")
    loss = serializers.FloatField(help_text="By how much the better answer raises the chance to win. " + PER_CENT)
    spread = serializers.FloatField(help_text="How uncertain that is: twice the standard error. " + PER_CENT)


class ReviewShape(DataSerializer):
    """The review of a game."""

    made_at = serializers.DateTimeField()
    seconds = serializers.FloatField(help_text="Of processor time that it took.")
    playouts = serializers.IntegerField()
    points = PointShape(many=True, help_text="From the layout to the end.")
    turning_points = TurningPointShape(many=True)
    seats = SeatReviewShape(many=True)
    decisions = JudgedShape(many=True, help_text="Of people, in order; those that were not looked at are left out.")


class AskedReviewShape(DataSerializer):
    """A review that was asked for."""

    state = serializers.ChoiceField(["waiting", "running", "done", "failed"])


class ReviewResource(Resource):
    """The review of a game."""

    @extend_schema(operation_id="read_review", responses={200: ReviewShape, **problems(*READING, 409)})
    def get(self, request: Request, ref: str) -> Response:
        """What playing a finished game's positions on has shown. 409 says in words why there is none, or not yet."""
        access = queries.access_game(person(request), ref)
        found = review_queries.review_of(access.game)
        if found.review is None:
            raise Conflict(found.message)
        return Response(ReviewShape(_review_data(access, found)).data)

    @extend_schema(
        operation_id="request_review", request=NoBody, responses={202: AskedReviewShape, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Asks for the review of a finished game that has none. Asking again changes nothing."""
        access = queries.access_game(person(request), ref)
        checked(NoBody, request)
        row = review_queue.request_review(access.game, person(request), present.now())
        return Response(AskedReviewShape({"state": row.state}).data, status=202)


def _review_data(access: Access, found: review_queries.ReviewState) -> dict[str, object]:
    review, row = found.review, found.row
    assert review is not None and row is not None
    told = ReviewSentences(access, review).told()
    return {
        "made_at": row.made_at,
        "seconds": row.seconds,
        "playouts": review.playouts,
        "points": [
            {
                "move": point.seq,
                "chances": [one / 10 for one in point.chances],
                "low": [one / 10 for one in point.low],
                "high": [one / 10 for one in point.high],
            }
            for point in review.points
        ],
        "turning_points": [
            {"move": point.seq, "step": point.step, "text": point.text, "is_luck": point.is_luck}
            for point in told.turning_points
        ],
        "seats": told.summaries,
        "decisions": [
            {
                "move": one.seq,
                **{
                    name: getattr(one, name)
                    for name in ("step", "seat", "question", "answer", "best", "loss", "spread")
                },
                "grade": str(one.grade),
            }
            for one in told.decisions
        ],
    }
