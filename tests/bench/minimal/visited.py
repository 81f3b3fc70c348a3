"""The peer of `visit`: an email, two pages and a move, of the sizes that are given as JSON, with Django's own parts."""

import gc
import json
import sys
from email.mime.image import MIMEImage
from typing import Any

import resvg_py
from django.core.mail import EmailMultiAlternatives
from django.http import HttpRequest, HttpResponse
from django.template import Context, Engine, Template
from django.urls import path

from tests.bench.minimal import urls
from tests.bench.minimal.models import Table
from tests.bench.minimal.wsgi import application
from tests.bench.posted import Request
from tests.bench.stepping import MOVE, ask, environ_of
from tests.bench.visit import PARTS, VisitFigures, as_json

VALUES = 60  # that a template fills in
ROUNDS = 12


def main() -> str:
    """Returns the figures as JSON."""
    given = json.load(sys.stdin)
    text, html, page, after = (_template(given[part]) for part in ("text", "html", "page", "after"))
    urls.urlpatterns += [
        path("page/", lambda request: _page(request, page)),
        path("after/", lambda request: _page(request, after)),
    ]
    table = Table.objects.create(state=json.dumps({"text": "x" * 4000}))
    move = Request(f"/tables/{table.pk}/moves/", json.dumps(MOVE).encode(), {"Content-Type": "application/json"})
    figures = VisitFigures()
    for number in range(ROUNDS + 1):
        if number == 1:
            figures = VisitFigures()
            gc.collect()
            gc.freeze()
        figures.is_counting = number == ROUNDS
        figures.of(PARTS[0], lambda: _mail(given, text, html))
        figures.of(PARTS[1], lambda: _read("/page/"))
        figures.of(PARTS[2], lambda: ask(application, move))
        figures.of(PARTS[3], lambda: _read("/after/"))
    return as_json(figures)


def _template(size: int) -> Template:
    """Of this many bytes, in lines with a value in each."""
    filler = "x" * max(1, size // VALUES - 16)
    lines = (f"<p>{{{{ v{number} }}}} {filler}</p>\n" for number in range(VALUES))
    return Engine().from_string("".join(lines))


def _written(template: Template) -> str:
    return template.render(Context({f"v{number}": f"value {number}" for number in range(VALUES)}))


def _page(_request: HttpRequest, template: Template) -> HttpResponse:
    return HttpResponse(_written(template))


def _read(address: str) -> None:
    get: dict[str, Any] = environ_of(Request(address, b"", {})) | {"REQUEST_METHOD": "GET"}
    assert b"".join(application(get, lambda status, headers, error=None: None))


def _mail(given: dict[str, Any], text: Template, html: Template) -> bytes:
    """With the whole picture drawn by resvg, in the colours in which it draws."""
    png = resvg_py.svg_to_bytes(
        svg_string=given["svg"],
        width=400,
        font_files=given["fonts"],
        font_family=given["family"],
        sans_serif_family=given["family"],
        skip_system_fonts=True,
    )
    made = EmailMultiAlternatives("Your move", _written(text), "a@example.org", ["b@example.org"])
    made.attach_alternative(_written(html), "text/html")
    made.attach(MIMEImage(png, "png"))
    return made.message().as_bytes()
