"""A game's log as server-sent events (the HTML standard, section 9.2).

A stream holds a thread of a web process, so streams are short and few: the client reconnects by itself after the last
event it has seen. Nothing is lost in between, as events are read from the log.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from games.api.base.parsing import checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import READING, problems
from games.api.play import reading
from games.api.play.serializers import LogLineShape, LogQuery
from games.people.models import User
from games.play import queries
from games.play.queries import Access
from games.tables.models import Game

PAUSE = 1.0  # seconds between two looks
RETRY = 2000  # milliseconds after which a client comes back
BUSY = 5  # seconds after which it may try again when there are too many
PIECE = 200  # lines sent at one look
SHARE = max(1, settings.API_STREAMS // 2)  # of one account, so that it leaves others some
_open: Counter[int] = Counter()
"""How many streams each account has open in this process, by its key."""
_lock = threading.Lock()


class EventRenderer(JSONRenderer):
    """The media type of event streams. Errors are JSON."""

    media_type = "text/event-stream"
    format = "events"


class Events(Resource):
    """The event stream of a game."""

    renderer_classes = [EventRenderer, JSONRenderer]

    @extend_schema(
        operation_id="stream_events",
        parameters=[
            LogQuery,
            OpenApiParameter(
                "Last-Event-ID", int, OpenApiParameter.HEADER, description="As browsers send it: `after`."
            ),
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.OBJECT,
                "Events of the types `log` (a line of the log; its id is the line's number) and `waiting` (the codes "
                "of what the game waits for you to decide, whenever they change).",
            ),
            **problems(*READING, 422),
        },
    )
    def get(self, request: Request, ref: str) -> StreamingHttpResponse:
        """The public lines of the log behind `after`, and each further one as it comes, for some seconds: come back
        behind the last one you have seen."""
        user, after = person(request), checked_query(LogQuery, request)["after"]
        seen = request.headers.get("Last-Event-ID", "")
        after = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else after
        access = queries.access_game(user, ref)
        return stream_of(ThreadStream(_events(user, access, after), user.pk))


class ThreadStream:
    """The pieces of one stream, which holds a thread while it is read. Closing it frees its place.

    Raises Throttled if as many as may are open in this process, of all or of this account.
    """

    def __init__(self, pieces: Iterator[bytes], account: int) -> None:
        with _lock:
            if _open.total() >= settings.API_STREAMS or _open[account] >= SHARE:
                raise too_many_streams()
            _open[account] += 1
        self._pieces, self._account = pieces, account
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """Called by the server at the end, and when the client disconnects."""
        with _lock:
            if self._is_open:
                self._is_open = False
                _open.subtract([self._account])
                if not _open[self._account]:
                    del _open[self._account]


def stream_of(pieces: Iterable[bytes]) -> StreamingHttpResponse:
    """Returns the answer that sends these pieces of a stream."""
    response = StreamingHttpResponse(pieces, content_type="text/event-stream; charset=utf-8")
    response["X-Accel-Buffering"] = "no"  # a proxy must pass each event on at once
    return response


def too_many_streams() -> Throttled:
    """Returns the refusal of one more stream."""
    return Throttled(BUSY, _("Too many event streams are open. Please try again in a moment."))


def _events(user: User, access: Access, after: int) -> Iterator[bytes]:
    yield f"retry: {RETRY}\n\n".encode()
    end, waiting, known = time.monotonic() + settings.API_STREAM_SECONDS, None, -1
    while True:
        events = Game.objects.values_list("public_events", flat=True).get(pk=access.game.pk)
        asked = _waiting(access)
        if events != known:
            access = queries.access_game(user, access.game.ref)
            found = reading.public_log_data(access, after=after, limit=PIECE)
            for line in found["lines"]:
                after = max(after, line["number"])  # a steward's line has the first number of its move
                yield _event("log", LogLineShape(line).data, after)
            known = events if after >= events else -1
        if asked != waiting:
            waiting = asked
            yield _event("waiting", {"codes": asked})
        if time.monotonic() >= end:
            return
        time.sleep(PAUSE)


def _waiting(access: Access) -> list[str]:
    if access.seat is None or not access.game.started_at:
        return []
    rows = access.seat.decisions.filter(status="open", is_automatic=False)
    return sorted(rows.values_list("code", flat=True))


def _event(name: str, data: object, number: int | None = None) -> bytes:
    head = f"event: {name}\n" + (f"id: {number}\n" if number is not None else "")
    return head.encode() + b"data: " + JSONRenderer().render(data) + b"\n\n"
