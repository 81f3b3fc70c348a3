"""The REST API: table talk, one's own notes, and a game as it stood after each of its steps."""

from typing import Any

from django.utils.translation import gettext as _
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.request import Request

from games.api.game_shapes import LogLineShape, own_seat
from games.api.parsing import Body, ComputedField, DataSerializer
from games.api.people import BlockShape
from games.api.resource import Operations, make_once, person
from games.errors import Conflict, NotFound
from games.people import blocks
from games.play import queries, table_talk
from games.play.history import scene_of
from games.play.models import LONGEST_COMMENT, LONGEST_NOTE
from games.play.models import Note as NoteRow
from games.tables.seats import Seat
from notifications.clock import present

operation = Operations()

SHOWN = 100


class CommentShape(DataSerializer):
    """A line of table talk."""

    ref = serializers.CharField()
    name = serializers.CharField(source="speaker", help_text="Its author's at this table, when it was written.")
    at = serializers.DateTimeField(source="created_at")
    text = ComputedField(
        lambda comment: None if comment.is_hidden else comment.text,
        serializers.CharField(allow_null=True, help_text="Plain text; null once it is hidden."),
    )
    is_hidden = serializers.BooleanField()
    is_folded = serializers.BooleanField(help_text="You have blocked its author: show it only when you are asked to.")


class CommentBody(Body):
    """The words to say."""

    text = serializers.CharField(max_length=LONGEST_COMMENT, help_text="Plain text. A name behind @ tells that player.")


class NoteShape(DataSerializer):
    """Your private note."""

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

    step = serializers.IntegerField()
    count = serializers.IntegerField(source="steps", help_text="How many steps there are by now.")
    scene = serializers.IntegerField(
        source="number", help_text="The scene of the step that is shown; the last one shows all of it."
    )
    scenes = serializers.IntegerField(
        source="count", help_text="How many scenes the step has: one thing after the other."
    )
    at = serializers.DateTimeField()
    lines = LogLineShape(many=True, help_text="What happened in this scene; in the whole step if none was asked for.")
    view = ComputedField(lambda scene: to_builtins(scene["view"]), serializers.JSONField())
    board = serializers.CharField(help_text="The same as text.")


@operation("GET games/<slug:ref>/talk/", answer=[CommentShape])
def list_comments(request: Request, ref: str) -> object:
    """The newest hundred lines, oldest of them first."""
    access = queries.access_game(person(request), ref)
    rows = list(access.game.comments.order_by("-pk")[:SHOWN])[::-1]
    table_talk.fold(rows, person(request))
    return rows


@operation("POST games/<slug:ref>/talk/", body=CommentBody, answer=CommentShape, once=True, for_bots=True)
def say(request: Request, ref: str, text: str) -> object:
    """Says something to everybody at the table. The same words again within a minute are said once."""
    game, user = queries.access_game(person(request), ref).game, person(request)
    return make_once(
        request,
        game.comments.all(),
        lambda: table_talk.say(game_id=game.pk, user=user, text=text, now=present.now()),
    )


@operation("POST games/<slug:ref>/talk/read/", of=own_seat, status=204, for_bots=True)
def mark_talk_read(request: Request, seat: Seat) -> None:
    """Says that you have read what was said until now."""
    table_talk.mark_read(game=seat.game, user=person(request), now=present.now())


@operation("DELETE games/<slug:ref>/talk/<slug:comment_ref>/", answer=CommentShape, for_bots=True)
def hide_comment(request: Request, ref: str, comment_ref: str) -> object:
    """Hides a line of yours, or as the host any line."""
    access = queries.access_game(person(request), ref)
    row = access.game.comments.select_related("game").filter(ref=comment_ref).first()
    if row is None:
        raise NotFound(_("There's no such message, or you can't hide it."))
    table_talk.hide(comment=row, user=person(request), now=present.now())
    row.refresh_from_db()
    table_talk.fold([row], person(request))
    return row


@operation("POST games/<slug:ref>/talk/<slug:comment_ref>/block/", answer=[BlockShape])
def block_author(request: Request, ref: str, comment_ref: str) -> object:
    """Blocks whoever wrote this line. They are not told."""
    access = queries.access_game(person(request), ref)
    author, name = table_talk.find_author(access.game, comment_ref, person(request))
    blocks.block(by=person(request).recipient, other=author, name=name, now=present.now())
    return blocks.blocks_of(person(request).recipient)


@operation("GET games/<slug:ref>/note/", of=own_seat, answer=NoteShape)
def read_note(request: Request, seat: Seat) -> object:
    """Reads your private note; nobody else reads it."""
    return _note(seat)


@operation("PUT games/<slug:ref>/note/", of=own_seat, body=NoteBody, answer=NoteShape, for_bots=True)
def keep_note(request: Request, seat: Seat, text: str) -> object:
    """Keeps this instead."""
    table_talk.keep_note(game=seat.game, user=person(request), text=text, now=present.now())
    return _note(seat)


def _note(seat: Seat) -> dict[str, str]:
    row = NoteRow.objects.filter(game=seat.game, user=seat.user).first()
    return {"text": row.text if row else ""}


@operation("GET games/<slug:ref>/history/", query=StepQuery, answer=StepShape, errors=[409])
def read_step(request: Request, ref: str, **query: Any) -> object:
    """The game after one of its steps, or after a scene of it: what your seat could see then.

    A number behind the last is the last.
    """
    access = queries.access_game(person(request), ref)
    if not access.game.started_at:
        raise Conflict(_("This game hasn't started yet."))
    scene = scene_of(access, query.get("step"), query.get("scene"))
    lines = scene.lines if "scene" in query else scene.step_lines
    return {**vars(scene), "lines": lines, "board": queries.describe(access, scene.view)}
