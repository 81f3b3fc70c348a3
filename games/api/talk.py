"""The REST API: table talk, one's own notes, and a game as it stood after each of its steps."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import game_shapes
from games.api.game_shapes import LogLineShape, NoBody
from games.api.parsing import Body, DataSerializer, checked, checked_query
from games.api.people import BlocksShape, shown_blocks
from games.api.resource import Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, READING, problems
from games.errors import Conflict, NotFound
from games.people import blocks
from games.play import queries, table_talk
from games.play.history import scene_of
from games.play.models import LONGEST_COMMENT, LONGEST_NOTE, Comment
from games.play.models import Note as NoteRow
from games.play.queries import Access
from notifications.clock import present

SHOWN = 100


class CommentShape(DataSerializer):
    """A line of table talk."""

    ref = serializers.CharField()
    name = serializers.CharField(source="speaker", help_text="Its author's at this table, when it was written.")
    at = serializers.DateTimeField(source="created_at")
    text = serializers.SerializerMethodField()
    is_hidden = serializers.BooleanField()
    is_folded = serializers.BooleanField(help_text="You have blocked its author: show it only when you are asked to.")

    def get_text(self, comment: Comment) -> str | None:
        """Plain text; null once it is hidden."""
        return None if comment.is_hidden else comment.text


class CommentBody(Body):
    """What is said."""

    text = serializers.CharField(max_length=LONGEST_COMMENT, help_text="Plain text. A name behind @ tells that player.")


class NoteShape(DataSerializer):
    """What you have noted for yourself."""

    text = serializers.CharField()


class NoteBody(Body):
    """Your notes from now on."""

    text = serializers.CharField(max_length=LONGEST_NOTE, allow_blank=True, trim_whitespace=False)


class StepQuery(Body):
    """Which step."""

    step = serializers.IntegerField(
        min_value=1, max_value=999_999, required=False, help_text="The last one without it."
    )
    scene = serializers.IntegerField(
        min_value=1,
        max_value=9_999,
        required=False,
        help_text="Of the step, such as a space of a tally; all of it without.",
    )


class StepShape(DataSerializer):
    """A game after one of its steps, as your seat could see it then."""

    step = serializers.IntegerField(source="number")
    count = serializers.IntegerField(help_text="How many steps there are by now.")
    scene = serializers.IntegerField(help_text="The scene of the step that is shown; the last one shows all of it.")
    scenes = serializers.IntegerField(help_text="How many scenes the step has: one thing after the other.")
    at = serializers.DateTimeField()
    lines = LogLineShape(many=True, help_text="What happened in this scene; in the whole step if none was asked for.")
    view = serializers.JSONField()
    board = serializers.CharField(help_text="The same as text.")


class TalkResource(Resource):
    """Table talk."""

    is_for_bots = True

    @extend_schema(operation_id="list_comments", responses={200: CommentShape(many=True), **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """The newest hundred lines, oldest of them first."""
        access = queries.access_game(person(request), ref)
        rows = list(access.game.comments.order_by("-pk")[:SHOWN])[::-1]
        table_talk.fold(rows, person(request))
        return Response(CommentShape(rows, many=True).data)

    @extend_schema(
        operation_id="say",
        parameters=[IDEMPOTENCY_KEY],
        request=CommentBody,
        responses={201: CommentShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Says something to everybody at the table. The same words again within a minute are said once."""
        game, user = queries.access_game(person(request), ref).game, person(request)
        text = checked(CommentBody, request)["text"]
        comment = make_once(
            request,
            game.comments.all(),
            lambda: table_talk.say(game_id=game.pk, user=user, text=text, now=present.now()),
        )
        return Response(CommentShape(comment).data, status=201)


class HideComment(Resource):
    """Hiding a comment."""

    is_for_bots = True

    @extend_schema(operation_id="hide_comment", request=NoBody, responses={200: CommentShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str, comment: str) -> Response:
        """Hides a line of yours, or as the host any line."""
        access = queries.access_game(person(request), ref)
        checked(NoBody, request)
        row = access.game.comments.select_related("game").filter(ref=comment).first()
        if row is None:
            raise NotFound(_("There's no such message, or you can't hide it."))
        table_talk.hide(comment=row, user=person(request), now=present.now())
        row.refresh_from_db()
        table_talk.fold([row], person(request))
        return Response(CommentShape(row).data)


class BlockAuthor(Resource):
    """Blocking who wrote a comment."""

    @extend_schema(operation_id="block_author", request=NoBody, responses={200: BlocksShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str, comment: str) -> Response:
        """Blocks whoever wrote this line. They are not told."""
        access = queries.access_game(person(request), ref)
        checked(NoBody, request)
        author, name = table_talk.find_author(access.game, comment, person(request))
        blocks.block(by=person(request).recipient, other=author, name=name, now=present.now())
        return shown_blocks(person(request))


class NoteResource(Resource):
    """Your notes about a game."""

    is_for_bots = True

    @extend_schema(operation_id="read_note", responses={200: NoteShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What you have noted; nobody else reads it."""
        return Response(_note(queries.access_seat(person(request), ref)))

    @extend_schema(operation_id="keep_note", request=NoteBody, responses={200: NoteShape, **problems(*CHANGING)})
    def put(self, request: Request, ref: str) -> Response:
        """Keeps this instead."""
        access = queries.access_seat(person(request), ref)
        text = checked(NoteBody, request)["text"]
        table_talk.keep_note(game=access.game, user=person(request), text=text, now=present.now())
        return Response(_note(access))


def _note(access: Access) -> Mapping[str, object]:
    assert access.seat is not None
    row = NoteRow.objects.filter(game=access.game, user=access.seat.user).first()
    return NoteShape({"text": row.text if row else ""}).data


class History(Resource):
    """The history of a game."""

    @extend_schema(
        operation_id="read_step",
        parameters=[StepQuery],
        responses={200: StepShape, **problems(*READING, 409, 422)},
    )
    def get(self, request: Request, ref: str) -> Response:
        """The game after one of its steps, or after a scene of it: what your seat could see then.

        A number behind the last is the last.
        """
        asked = checked_query(StepQuery, request)
        access = queries.access_game(person(request), ref)
        if not access.game.started_at:
            raise Conflict(_("This game hasn't started yet."))
        scene = scene_of(access, asked.get("step"), asked.get("scene"))
        lines = scene.lines if "scene" in asked else scene.step_lines
        facts = {
            "number": scene.step,
            "count": scene.steps,
            "scene": scene.number,
            "scenes": scene.count,
            "at": scene.at,
        }
        facts |= {
            "lines": [game_shapes.line_data(line) for line in lines],
            "view": to_builtins(scene.view),
            "board": queries.describe(access, scene.view),
        }
        return Response(StepShape(facts).data)
