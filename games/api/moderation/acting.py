"""Actions of moderators through the API: a name in the address, a body, and the service to call."""

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
from games.moderation.forms import Facts
from games.people.models import User
from notifications.clock import present

Row = TypeVar("Row")


@dataclass(frozen=True)
class ModerationEndpoint(Generic[Row]):
    """An action of a moderator on a game, a person or a webhook.

    Arguments:
        words: its description.
        operation: the end of its operation id, where the name alone would stand for two things.
    """

    name: str
    words: str
    body: type[Body]
    run: Callable[[Row, User, Facts, datetime], object]
    operation: str = ""


def view_of(
    act: ModerationEndpoint[Row],
    base: type[Resource],
    operation: str,
    find: Callable[[Request, str], Row],
    show: Callable[[Request, Row], Response] | None = None,
    shape: type[DataSerializer] | None = None,
) -> type[Resource]:
    """Makes the view of an action.

    Arguments:
        base: the class with its permissions.
        operation: prefix of its operation id.
        find: loads the object by its reference. Raises NotFound, or why the action is refused.
        show, shape: make and describe the answer; None for an empty one.
    """

    class Acting(base):  # type: ignore[misc, valid-type]  # each address has a description of its own
        """The view of one action."""

        @extend_schema(
            operation_id=f"{operation}_{act.operation or act.name.replace('-', '_')}",
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
