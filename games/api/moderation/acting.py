"""What a moderator does through the API: an act is a name in an address, what it asks for, and the service."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, problems
from games.models import User
from games.moderation.forms import Facts
from notifications.clock import present

Row = TypeVar("Row")


@dataclass(frozen=True)
class ModerationEndpoint(Generic[Row]):
    """One thing a moderator may do to a game, to somebody, or to a webhook.

    Arguments:
        words: what it does, for the description.
    """

    name: str
    words: str
    body: type[Body]
    run: Callable[[Row, User, Facts, datetime], object]


def view_of(
    act: ModerationEndpoint[Row],
    base: type[Resource],
    operation: str,
    find: Callable[[Request, str], Row],
    show: Callable[[Request, Row], Response] | None = None,
    shape: type[DataSerializer] | None = None,
) -> type[Resource]:
    """The address of an act.

    Arguments:
        base: who may come here.
        operation: what its name in the description begins with.
        find: what it is done to, by its reference. Raises NotFound, and what else keeps it from being done.
        show, shape: the answer, and how it is described; None for an empty one.
    """

    class Acting(base):  # type: ignore[misc, valid-type]  # each address has a description of its own
        """One act."""

        @extend_schema(
            operation_id=f"{operation}_{act.name.replace('-', '_')}",
            description=act.words,
            request=act.body,
            responses={**({200: shape} if shape else {204: None}), **problems(*CHANGING)},
        )
        def post(self, request: Request, ref: str) -> Response:
            """Does it."""
            row, facts = find(request, ref), checked(act.body, request)
            act.run(row, person(request), facts, present.now())
            return show(request, find(request, ref)) if show else Response(status=204)

    return Acting
