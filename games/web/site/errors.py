"""The pages for an unexpected error, for a database that is away for a moment, and for links that end too late."""

import contextlib
import sys
from http import HTTPStatus

from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from psycopg.errors import ReadOnlySqlTransaction

from games.api.problems import CODES, MEDIA_TYPE, problem

AWAY = (OperationalError, InterfaceError)
RETRY_AFTER = 5  # seconds
BEHIND_LINKS = ".,;:!?>)]}'\"*_»”’…。，、）"


def broken(request: HttpRequest) -> HttpResponse:
    """500; or 503 with Retry-After if the database went away in the middle, or takes nothing. Nothing was changed."""
    is_passing = is_away(sys.exc_info()[1])
    status = HTTPStatus.SERVICE_UNAVAILABLE if is_passing else HTTPStatus.INTERNAL_SERVER_ERROR
    response = _problem(is_passing=is_passing) if request.path.startswith("/api/") else _page()
    response.status_code = status
    if is_passing:
        response["Retry-After"] = str(RETRY_AFTER)
    return response


@csrf_exempt  # it changes nothing, and mail providers post without a cookie (RFC 8058)
def ended_too_late(request: HttpRequest) -> HttpResponse:
    """Leads on a link at whose end a mail program left the full stop, comma or bracket that stood behind it."""
    path = request.path_info
    while path != (shorter := path.rstrip(f"{BEHIND_LINKS}/").removesuffix("&gt").removesuffix("&quot")):
        path = shorter
    for address in (path, f"{path}/"):
        with contextlib.suppress(Resolver404):
            resolve(address)
            query = request.META.get("QUERY_STRING", "")
            response = HttpResponseRedirect(escape_uri_path(address) + (f"?{query}" if query else ""))
            response.status_code = HTTPStatus.TEMPORARY_REDIRECT  # what was posted is posted again
            return response
    raise Http404


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 as problem details, for processes that have no pages: an unknown host, or headers that cannot be."""
    said = problem(400, CODES[400], _("We couldn't make sense of what your browser sent. Nothing was changed."))
    return JsonResponse(said.data, status=HTTPStatus.BAD_REQUEST, content_type=MEDIA_TYPE)


def is_away(error: BaseException | None) -> bool:
    """Whether the database cannot be reached, or takes nothing for now: it may be read only."""
    return isinstance(error, AWAY) or isinstance(getattr(error, "__cause__", None), ReadOnlySqlTransaction)


def _page() -> HttpResponse:
    return HttpResponse(render_to_string("500.html"))  # without the request: who it is would be read from the database


def _problem(*, is_passing: bool) -> HttpResponse:
    if is_passing:
        said = problem(503, "unavailable", _("The database is unavailable for a moment. Please try again."))
    else:
        said = problem(500, "broken", _("Something went wrong here. Check before you send it again."))
    return JsonResponse(said.data, content_type=MEDIA_TYPE)
