"""The REST API of the ledger: a person's notices, their channels and deliveries."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.paging import NEXT, Cursor, PageQuery
from games.api.base.parsing import DataSerializer, checked_query
from games.api.base.reasons import ReasonCodeField, ReasonWordsField
from games.api.base.resource import Resource, person
from games.api.base.schema import READING, problems
from games.api.base.scopes import Scope
from games.play import queries
from games.play.notify import thread_of
from notifications import ledger
from notifications.models import DeliveryState

THREAD = "game:"  # what the thread of a game's notices begins with


class TryShape(DataSerializer):
    """One try to deliver something."""

    at = serializers.DateTimeField(source="started_at")
    outcome = serializers.CharField(allow_blank=True, help_text="Empty while it runs, and if the process died in it.")
    code = serializers.CharField(allow_blank=True, help_text="The other side's own.")
    detail = ReasonWordsField(help_text="What came of it, in words.")
    reason_code = ReasonCodeField("detail")


class ToldLineShape(DataSerializer):
    """One channel of a notice."""

    channel = serializers.CharField(source="via")
    state = serializers.ChoiceField(DeliveryState.choices)
    words = serializers.CharField(help_text="What became of it.")
    reason = serializers.CharField(allow_blank=True, help_text="Why, in words.")
    reason_code = ReasonCodeField()
    at = serializers.DateTimeField(allow_null=True, help_text="When it was taken, or will be tried next.")
    tries = TryShape(many=True)


class ToldShape(DataSerializer):
    """One notice."""

    kind = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()
    game = serializers.CharField(allow_null=True, help_text="Reference of the game it is about.")
    channels = ToldLineShape(many=True)


class LedgerShape(DataSerializer):
    """A part of what you were told, newest first."""

    notices = ToldShape(many=True)
    next = serializers.CharField(allow_null=True, help_text=NEXT)


class ToldQuery(PageQuery):
    """Which part of what you were told."""

    game = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="Reference of a game: only what is about it."
    )


class Told(Resource):
    """The ledger of notices."""

    scope = Scope.ACCOUNT
    is_for_bots = True

    @extend_schema(
        operation_id="list_told",
        parameters=[ToldQuery],
        responses={200: LedgerShape, **problems(*READING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Everything you were told, newest first: by which channel, when, and what became of it."""
        page = checked_query(ToldQuery, request)
        game = queries.access_game(person(request), page["game"]).game if page["game"] else None
        notices = ledger.notices_of(person(request).recipient, thread_of(game) if game else "")
        part, following = Cursor.of_rows(notices, "ref", page)
        rows = [_entry_data(entry) for entry in ledger.entries(part)]
        return Response(LedgerShape({"notices": rows, "next": following}).data)


def _entry_data(entry: ledger.Entry) -> dict[str, object]:
    notice = entry.notice
    return {
        "kind": notice.kind,
        "name": entry.name,
        "created_at": notice.created_at,
        "game": notice.thread.removeprefix(THREAD) if notice.thread.startswith(THREAD) else None,
        "channels": entry.lines,
    }
