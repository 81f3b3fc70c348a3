"""docs/api.md says what the OpenAPI description says: addresses, fields, defaults, error codes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from games.api import problems
from games.api.schema import WHY
from games.errors import ServiceError
from notifications import reasons
from notifications.delivery import sending  # noqa: F401  it declares reasons, too

GROUPS = ("Bots", "Hosts", "Your account", "What a site shows", "Moderators")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
METHOD = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE) ?)?(\S*)")
KEY = re.compile(r'(?<!: )"(\w+)"(?=[:,}])')
WORD = re.compile(r"[a-z]+(?:_[a-z]+)+")
ELSEWHERE = {"bad-record", "mail-is-down"}
"""Codes that no operation gives: of the worker that checks a record, and of the page to sign in."""
VALUES = {"crv_", "easy_bot", "strong_bot"}
"""Words with an underscore that are no fields."""


@pytest.fixture(scope="module")
def schema() -> Any:
    return SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # it has no types


@pytest.fixture(scope="module")
def page() -> str:
    return FENCED.sub("", PAGE.read_text())


def rows(page: str, heading: str) -> Iterator[list[str]]:
    """The cells of each row of the tables below a heading."""
    part = page.split(f"## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    for line in part.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def named(path: str) -> str:
    """An address without the names of its parameters."""
    return re.sub(r"\{\w+\}", "{}", path)


def operations(cell: str) -> Iterator[tuple[str, str, set[str]]]:
    """Method, address and parameters of each operation that a cell names."""
    path, method = "", "GET"
    spans = [METHOD.fullmatch(span) for span in SPAN.findall(cell)]
    addresses = [span[2] for span in spans if span and span[2]]
    for span in spans:
        assert span is not None
        method = span[1] or method
        given, _, query = (span[2] or path or addresses[0]).partition("?")
        if given.startswith(".../"):
            steps = given.removeprefix(".../")
            given = path.rstrip("/").rsplit("/", steps.count("/"))[0] + "/" + steps
        path = given
        yield method, path, set(re.findall(r"(\w+)=", query))


def fields(schema: Any, part: Any) -> set[str]:
    """The names of all fields of a part of the description, with those it refers to."""
    if isinstance(part, list):
        return set().union(*(fields(schema, one) for one in part))
    if not isinstance(part, dict):
        return set()
    if "$ref" in part:
        kind, name = part["$ref"].split("/")[-2:]
        return fields(schema, schema["components"][kind][name])
    inner = [value for key, value in part.items() if key not in ("example", "examples")]
    return set(part.get("properties", {})) | set().union(set(), *(fields(schema, one) for one in inner))


def test_every_address_and_field_of_the_tables_is_described(schema: Any, page: str) -> None:
    described = {named(path): methods for path, methods in schema["paths"].items()}
    wrong: list[Any] = []
    for cells in (cells for group in GROUPS for cells in rows(page, group)):
        known: set[str] = set()
        for method, path, query in operations(cells[0]):
            one = described.get(named("/api/v1/" + path), {}).get(method.lower())
            if one is None:
                wrong.append((method, path))
                continue
            parameters = {parameter["name"] for parameter in one.get("parameters", ())}
            known |= parameters | fields(schema, [one.get("requestBody"), one["responses"]])
            if query - parameters:
                wrong.append((method, path, query - parameters))
        written = {key for cell in cells for span in SPAN.findall(cell) if "{" in span for key in KEY.findall(span)}
        if written - known:
            wrong.append((cells[0], written - known))
    assert wrong == []


def test_every_operation_is_in_the_tables(schema: Any, page: str) -> None:
    written = set()
    for cells in (cells for group in GROUPS for cells in rows(page, group)):
        for method, path, _query in operations(cells[0]):
            written.add((method, named("/api/v1/" + path)))
    described = {(method.upper(), named(path)) for path, methods in schema["paths"].items() for method in methods}
    elsewhere = {("GET", "/api/v1/games/{}/events/"), ("GET", "/api/v1/me/export/")}
    assert described - written == elsewhere


def test_what_a_host_may_choose_has_the_defaults_that_are_written(schema: Any, page: str) -> None:
    body = schema["components"]["schemas"]["TableBody"]["properties"]
    written = {SPAN.findall(cells[0])[0]: cells[1] for cells in rows(page, "Hosting a table")}
    assert set(written) | {"rules", "seat_count", "options"} == set(body)
    for name, cell in written.items():
        default = body[name].get("default", [])
        if default != "":
            shown = str(default).lower() if isinstance(default, bool) else str(default)
            assert cell.strip("`") == shown, name


def test_every_field_in_the_text_is_described(schema: Any, page: str) -> None:
    known = fields(schema, [schema["paths"], schema.get("webhooks")])
    written = {span for span in SPAN.findall(page) if WORD.fullmatch(span)}
    assert written - known - VALUES - set(reasons.declared()) == set()


def test_every_error_code_is_in_the_table(page: str) -> None:
    written = {code for cells in rows(page, "Errors") for code in SPAN.findall(cells[1])}
    written |= {
        code
        for line in page.split("| Status |")[1].splitlines()
        if line.startswith("| ")
        for code in SPAN.findall(line.split("|")[2])
    }
    used = {*problems.CODES.values(), "invalid", "broken", "unavailable"}
    used |= {error.code for error in descendants(ServiceError) if not error.__module__.startswith("games.web")}
    assert written ^ (used - ELSEWHERE) == set()
    assert {
        int(status)
        for line in page.split("| Status |")[1].splitlines()
        if line.startswith("| ")
        for status in re.findall(r"\d+", line.split("|")[1])
    } >= set(WHY)


def descendants(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    """The class and all below it."""
    yield kind
    for one in kind.__subclasses__():
        yield from descendants(one)


def test_every_reason_is_documented_in_the_words_that_people_read(page: str) -> None:
    assert {code.strip("`"): words for code, words in rows(page, "Reasons")} == reasons.declared()
