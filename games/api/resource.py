"""The base class of all API views, with scopes, throttles and ETags; the views of operations; lists page by page;
requests that act once."""

import hashlib
import inspect
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from http import HTTPStatus
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games import cursors
from games.api.access import ChangeThrottle, HasScope, ReadThrottle, Scope
from games.api.parsing import Body, Checked, DataSerializer, NoBody, StrictJSONParser, checked, checked_query
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, READING, WITH_LOCATION, Responses, problems
from games.errors import Conflict
from games.people import idempotency
from games.people.models import User
from notifications.clock import present

VARY = "Accept, Accept-Language, Authorization, Cookie"


class Resource(APIView):
    """Base class of the API's views.

    `scope` is the scope that a token needs, `scopes` overrides it by method. `for_bots` are the methods by which bot
    accounts may change something; they may read everywhere.
    """

    scope = Scope.PLAY
    scopes: ClassVar[dict[str, Scope]] = {}
    for_bots: ClassVar[frozenset[str]] = frozenset()
    shared_headers: ClassVar[dict[str, str]] = {}  # of all answers
    permission_classes = [IsAuthenticated, HasScope]
    parser_classes = [StrictJSONParser]

    def get_throttles(self) -> list[BaseThrottle]:
        """Counts reading and changing separately."""
        self.counted = ReadThrottle() if self.request.method in SAFE_METHODS else ChangeThrottle()
        return [self.counted]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Writes all times in UTC, whatever zone the reader's pages are in."""
        super().initial(request, *args, **kwargs)
        timezone.deactivate()

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Leaves the Allow header to OPTIONS and 405."""
        method = (self.request.method or "").lower()
        is_there = method in self.http_method_names and method != "options" and hasattr(self, method)
        return {} if is_there else super().default_response_headers

    def finalize_response(self, request: Request, response: Response, *args: object, **kwargs: object) -> Response:
        """Adds the RateLimit headers, and an ETag to what was read."""
        response = super().finalize_response(request, response, *args, **kwargs)
        counted = getattr(self, "counted", None)
        headers = self.shared_headers | (counted.headers() if counted else {})
        for name, value in headers.items():
            response[name] = value
        if request.method == "GET" and response.status_code == HTTPStatus.OK and isinstance(response, Response):
            tags = request.headers.get("If-None-Match", "")
            response.add_post_render_callback(lambda rendered: tagged(rendered, tags, headers))
        return response


def tagged(response: Response, tags: str, headers: Mapping[str, str]) -> HttpResponse:
    """Adds an ETag, a digest of the content, to the response; returns 304 if the client has it already."""
    tag = f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    if tag.removeprefix("W/") in {part.strip().removeprefix("W/") for part in tags.split(",")}:
        return HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers={**headers, "ETag": tag, "Vary": VARY})
    response["ETag"] = tag
    return response


def person(request: Request) -> User:
    """Returns the user of the request."""
    assert isinstance(request.user, User)
    return request.user


class Unknown(Resource):
    """Answers 404 to unknown addresses."""

    authentication_classes = []
    permission_classes = [AllowAny]
    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raises NotFound."""
        raise NotFound


# Operations: each is a function with an address. The views are made of them, one for each address

Function = TypeVar("Function", bound=Callable[..., object])
Answer: TypeAlias = type[DataSerializer] | list[type[DataSerializer]] | None  # in a list: a list of these


class Operations:
    """The operations of a room, in the order of their addresses.

    A function gets the request, the variables of its address, and the fields of its body or query as they were checked
    in keywords. It returns what its answer's serializer reads, or a response. Its name is the operation's id, its
    docstring the description; that of the first at an address names the address for `reverse`, as "api_...".

    Arguments:
        scope: what a token needs, unless an operation names another one.
        base: the class of the views.
    """

    def __init__(self, scope: Scope = Scope.PLAY, base: type[Resource] = Resource) -> None:
        self.scope, self.base = scope, base
        self._views: dict[str, tuple[type[Resource], str]] = {}

    @property
    def urls(self) -> list[URLPattern]:
        """The addresses with their views."""
        return [path(f"v1/{address}", view.as_view(), name=name) for address, (view, name) in self._views.items()]

    def __call__(  # each is one fact of an operation
        self,
        endpoint: str,
        *,
        body: type[Body] = NoBody,
        query: type[Body] | None = None,
        of: Callable[[Request, str], object] | None = None,
        answer: Answer = None,
        shows: Callable[[Request, str], object] | None = None,
        status: int = 0,
        once: bool = False,
        for_bots: bool = False,
        scope: Scope | None = None,
        errors: Sequence[int] = (),
        also: Responses | None = None,
        parameters: Sequence[OpenApiParameter] = (),
        location: str = "",
    ) -> Callable[[Function], Function]:
        """Makes an operation of a function.

        Arguments:
            endpoint: method and address, such as "GET me/".
            status: of the answer; else 200, 201 for what is made `once`, or 204 where there is none.
            of: loads what the `ref` of the address names, before anything is checked; the function gets it instead.
            shows: loads what is answered by the same reference where the function returns nothing; else `of`.
            once: it takes an Idempotency-Key, and calls `make_once`.
            errors: statuses of refusals beside the usual ones.
            also, parameters: further answers and headers to describe; without an answer of its own `also` is all.
            location: the name of the address at which what was made is read, by its `ref`.
        """
        method, address = endpoint.split()
        has_body = method in ("POST", "PUT", "PATCH")
        needed = scope or self.scope
        status = status or (201 if once else 204 if answer is None else 200)

        def decorate(function: Function) -> Function:
            kind = type(function.__name__.title().replace("_", ""), (self.base,), {"scope": needed, "scopes": {}})
            view, _name = self._views.setdefault(address, (kind, f"api_{function.__name__}"))
            for verb in ("GET", "HEAD") if method == "GET" else (method,):
                view.scopes[verb] = needed
                view.for_bots |= {verb} if for_bots else frozenset()

            @extend_schema(
                operation_id=function.__name__,
                description=inspect.getdoc(function),
                parameters=[*([IDEMPOTENCY_KEY] if once else []), *parameters, *([query] if query else [])],
                request=body if has_body else None,
                responses={
                    **({} if answer is None and also else {status: described(answer)}),
                    **(also or {}),
                    **problems(
                        *usual_errors(method, address, has_query=query is not None, is_open=address.startswith(OPEN)),
                        *errors,
                    ),
                },
                extensions={WITH_LOCATION: ["201"]} if location else {},
            )
            def act(self: Resource, request: Request, **variables: Any) -> HttpResponseBase:
                ref = variables.get("ref", "")
                loaded = [of(request, variables.pop("ref"))] if of else []
                facts: Checked = checked_query(query, request) if query else checked(body, request) if has_body else {}
                result = function(request, *loaded, **variables, **facts)
                if result is None and answer is not None and (show := shows or of):
                    result = show(request, ref)
                response = (
                    result if isinstance(result, HttpResponseBase) else response_of(answer, result, request, status)
                )
                if location and response.status_code == HTTPStatus.CREATED and isinstance(response, Response):
                    response["Location"] = reverse(location, args=[response.data["ref"]])
                return response

            setattr(view, method.lower(), act)
            return function

        return decorate


NEXT = "The cursor of the next part; null if this is the last."


class ListPart(NamedTuple):
    """A list in an answer, or a part of it.

    Arguments:
        next: the cursor of the next part; None after the last.
    """

    items: Iterable[Any]
    next: str | None = None


@cache
def page_of(kind: type[DataSerializer]) -> type[DataSerializer]:
    """Returns the serializer of a `ListPart`: every list of the API has this form."""
    fields = {"items": kind(many=True), "next": serializers.CharField(allow_null=True, help_text=NEXT)}
    words = {"__doc__": "A list, or a part of it.", "__module__": __name__}
    return type(f"{kind.__name__.removesuffix('Shape')}Page", (DataSerializer,), {**words, **fields})


def described(answer: Answer) -> type[DataSerializer] | None:
    """Returns an answer as the schema describes it."""
    return page_of(answer[0]) if isinstance(answer, list) else answer


def response_of(answer: Answer, result: object, request: Request, status: int) -> Response:
    """Returns what an operation has made, as its serializer writes it."""
    if answer is None:
        return Response(status=status)
    if isinstance(answer, list):
        kind, result = page_of(answer[0]), result if isinstance(result, ListPart) else ListPart(result)  # type: ignore[arg-type]  # rows
    else:
        kind = answer
    return Response(kind(result, context={"request": request}).data, status=status)


OPEN = "public/"  # what the addresses begin with that need no token


def usual_errors(method: str, address: str, *, has_query: bool, is_open: bool) -> Sequence[int]:
    """Returns the statuses with which an operation may refuse."""
    is_of_one = "<" in address
    if is_open:
        return (406, 429, *([404] if is_of_one else []), *([422] if has_query else []))
    if method == "DELETE":
        return (*READING, 409, 503, *([422] if has_query else []))
    if method == "GET":
        return (*(READING if is_of_one else LISTING), *([422] if has_query else []))
    return CHANGING if is_of_one else OPENING


# Pagination by cursors: no row is missed or repeated when rows are added or removed meanwhile

Row = TypeVar("Row")
RowModel = TypeVar("RowModel", bound=Model)
LONGEST = 200


class PageQuery(Body):
    """Which part of a list."""

    limit = serializers.IntegerField(min_value=1, max_value=200, default=50, help_text="At most so many.")
    cursor = serializers.CharField(
        max_length=LONGEST,
        default="",
        allow_blank=True,
        help_text="`next` of the part before; without it the list begins.",
    )


class Cursor:
    """Where the next page begins. It holds no row id, as those would reveal how many hidden rows there are."""

    @classmethod
    def of_rows(cls, rows: QuerySet[RowModel], by: str, page: Checked, time: str = "created_at") -> ListPart:
        """Returns a page of these rows, newest first.

        Arguments:
            by: the field with the public name of a row.
            time: the field with its time of creation, from where the list goes on once that row is gone.
        """
        rows, listed = rows.order_by("-pk"), rows.model._meta.label
        if page["cursor"]:
            name, at = _opened(page["cursor"], listed)
            last = rows.model._default_manager.filter(**{by: name}).only("pk").first()
            rows = rows.filter(pk__lt=last.pk) if last else rows.filter(**{f"{time}__lt": datetime.fromisoformat(at)})
        written = attrgetter(time.replace("__", "."))
        part = list(rows[: page["limit"] + 1])
        return cls._cut(part, lambda row: [getattr(row, by), written(row).isoformat()], page["limit"], listed)

    @classmethod
    def of_list(cls, rows: Sequence[Row], key: Callable[[Row], cursors.Key], page: Checked, listed: str) -> ListPart:
        """Returns a page of rows that are loaded already, sorted by `key`, which is unique.

        Arguments:
            listed: the name of the list.
        """
        begin = bisect_right(rows, _opened(page["cursor"], listed), key=key) if page["cursor"] else 0
        return cls._cut(list(rows[begin : begin + page["limit"] + 1]), key, page["limit"], listed)

    @classmethod
    def opened(cls, page: Checked, listed: str) -> cursors.Key | None:
        """Returns the key in the cursor of a page; None without one, or if it is of another list."""
        try:
            return cursors.unseal(page["cursor"], listed) if page["cursor"] else None
        except cursors.NotACursor:
            return None

    @classmethod
    def behind(
        cls, shown: list[Row], older: Sequence[tuple[cursors.Key, Row]], page: Checked, listed: str, key: cursors.Key
    ) -> ListPart:
        """Returns a page that another list continues.

        Arguments:
            shown: the last rows of the first list.
            older: the next ones of the other list, by their keys: one more than is left on the page.
            listed, key: the name of the other list, and where these begin.
        """
        left = page["limit"] - len(shown)
        shown = [*shown, *(row for _key, row in older[:left])]
        if len(older) <= left:
            return ListPart(shown)
        return ListPart(shown, cursors.seal(older[left - 1][0] if left else key, listed))

    @classmethod
    def _cut(cls, part: list[Row], key: Callable[[Row], cursors.Key], limit: int, listed: str) -> ListPart:
        shown = part[:limit]
        return ListPart(shown, cursors.seal(key(shown[-1]), listed) if len(part) > limit else None)


def _opened(cursor: str, listed: str) -> cursors.Key:
    with refusing_cursors():
        return cursors.unseal(cursor, listed)


@contextmanager
def refusing_cursors() -> Iterator[None]:
    """Turns NotACursor into a ValidationError of the field."""
    try:
        yield
    except cursors.NotACursor as error:
        raise serializers.ValidationError({"cursor": [_("Invalid cursor.")]}) from error


# Idempotency-Key for requests that create something

M = TypeVar("M", bound=Model)


def make_once(request: Request, rows: "QuerySet[M]", make: Callable[[], M]) -> M:
    """Calls `make`, or finds what it made for the same request with the same key.

    Arguments:
        rows: where to find it again, by its `ref`.
    Raises Conflict if it was deleted since, and what `games.people.idempotency.make_once` raises.
    """
    created: list[M] = []

    def ref() -> str:
        created.append(make())
        row: Any = created[0]
        return str(row.ref)

    content = json.dumps([request.method, request.path, request.data], sort_keys=True)
    key = request.headers.get("Idempotency-Key", "")
    kept = idempotency.make_once(user=person(request), key=key, asked=content, make=ref, now=present.now())
    row = created[0] if created else rows.filter(ref=kept).first()
    if row is None:
        raise Conflict(_("The result of this Idempotency-Key no longer exists."))
    return row
