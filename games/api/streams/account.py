"""The REST API: what happens in all games of an account, as server-sent events, or as JSON to ask again."""

import time
from collections.abc import Iterator

from django.conf import settings
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.resource import Resource, person
from games.api.base.schema import LISTING, problems
from games.api.play.stream import PAUSE, RETRY, EventRenderer, ThreadStream, stream_of, too_many_streams
from games.api.streams.changes import Changes, as_stream
from games.api.streams.holding import Wanted, holder
from games.api.streams.shapes import EventsShape
from games.cursors import NotACursor
from games.people import tokens
from games.people.models import ApiToken

HEADER = "Last-Event-ID"
START = f"retry: {RETRY}\n\n".encode()


class AccountEvents(Resource):
    """The event stream of an account."""

    renderer_classes = [JSONRenderer, EventRenderer]

    @extend_schema(
        operation_id="stream_my_events",
        parameters=[
            OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, description="The id of the last event you have."),
        ],
        responses={
            200: EventsShape,
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.OBJECT,
                "The same events as they come: each with its type and its `data`, and an id to go on behind it.",
            ),
            **problems(*LISTING, 422),
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """What has changed in your games since the last event that you have; without one, how each of them stands."""
        try:
            changes = Changes(person(request), request.headers.get(HEADER, ""))
        except NotACursor as error:
            message = _("This isn't the id of an event of yours. Leave the header out to begin with the present.")
            raise ValidationError({HEADER: [message]}) from error
        if not isinstance(request.accepted_renderer, EventRenderer):
            events = changes.look()
            told = [{"event": event.name, "data": event.data} for event in events]
            return Response({"events": told, "last_id": changes.position, "is_complete": not changes.is_behind})
        token = request.auth.pk if isinstance(request.auth, ApiToken) else None
        wanted = Wanted(changes, token, translation.get_language() or settings.LANGUAGE_CODE)
        if (elsewhere := holder.get()) is None:
            return stream_of(ThreadStream(_pieces(wanted), changes.user.pk))
        first = START + as_stream(changes)
        if not elsewhere.hold(wanted):
            raise too_many_streams()
        return stream_of([first])


def _pieces(wanted: Wanted) -> Iterator[bytes]:
    """The stream in a thread of a web process, for some seconds."""
    yield START
    end, changes = time.monotonic() + settings.API_STREAM_SECONDS, wanted.changes
    while True:
        with translation.override(wanted.language):
            yield as_stream(changes)
        if time.monotonic() >= end and not changes.is_behind:
            return
        time.sleep(0 if changes.is_behind else PAUSE)
        if wanted.token is not None and not tokens.find_usable({wanted.token}):
            return
