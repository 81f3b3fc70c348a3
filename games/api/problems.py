"""Errors of the API as problem details (RFC 9457).

`type` is "about:blank"; the kind of problem is in `code`. docs/api.md lists the codes.
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings

from games.errors import ServiceError, TooMany

MEDIA_TYPE = "application/problem+json"
CODES = {
    400: "malformed",
    401: "not-signed-in",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "too-large",
    415: "unsupported-media-type",
    429: "too-many",
}
"""Codes by status of the errors that are not raised by a service."""


class Problem(ServiceError):
    """A service error with further members.

    Arguments:
        extra: further members of the answer, plain JSON data.
    """

    def __init__(self, error: ServiceError, **extra: object) -> None:
        super().__init__(error.message, field=error.field)
        self.code, self.status, self.extra = error.code, error.status, extra


class TooLarge(exceptions.APIException):
    """The request's body exceeds LONGEST_BODY."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def problem_details(error: Exception, context: Mapping[str, object]) -> Response | None:
    """Exception handler of Django REST framework. None for unexpected errors, which are logged and become a 500."""
    match error:
        case ServiceError():
            return _refused(error)
        case exceptions.ValidationError():
            errors = list(field_errors(error.detail))
            return problem(422, "invalid", _("Some fields are missing or wrong."), errors=errors)
        case exceptions.APIException():
            return _refusal(error)
        case Http404():
            return problem(404, CODES[404], _("Nothing was found at this address."))
        case PermissionDenied():
            return problem(403, CODES[403], _("You're not allowed to do that."))
    return None


def _refused(error: ServiceError) -> Response:
    about = {"field": error.field} if error.field else {}
    response = problem(error.status, error.code, str(error.message), **about, **getattr(error, "extra", {}))
    if isinstance(error, TooMany):
        response["Retry-After"] = str(error.wait)
    return response


def _refusal(error: exceptions.APIException) -> Response:
    response = problem(error.status_code, CODES.get(error.status_code, "broken"), _sentence(error.detail))
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        response["Retry-After"] = str(int(wait) + 1)
    return response


def _sentence(detail: object) -> str:
    return str(detail) if not isinstance(detail, (list, dict)) else " ".join(m for _field, m in _flat(detail))


def problem(status: int, code: str, detail: str, **extra: object) -> Response:
    """A problem-details response."""
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code, **extra}
    return Response(body, status=status, content_type=MEDIA_TYPE)


def field_errors(detail: object) -> Iterator[dict[str, str]]:
    """{"field": path, "message": sentence} for each thing that is wrong; "" names the body as a whole."""
    for path, message in _flat(detail):
        yield {"field": path, "message": message}


def _flat(detail: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == api_settings.NON_FIELD_ERRORS_KEY else str(name)
            yield from _flat(inner, ".".join(part for part in (path, own) if part))
    elif isinstance(detail, (list, tuple)):
        for inner in detail:
            yield from _flat(inner, path)
    else:
        yield path, str(detail)
