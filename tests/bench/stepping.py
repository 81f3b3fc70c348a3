"""The counting process of `steps`: `python -m tests.bench.stepping`, with the settings of what is to be counted.

Answers are given to the WSGI application of this process, under a tracer that counts each bytecode for its function.
"""

import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django
from django.conf import settings

from tests.bench.posted import Request

TABLES, WARMING, ROUNDS = 8, 4, 4
ROOMS = ("engine", "games", "notifications", "config")
MINIMAL = "tests.bench.minimal.urls"
MOVE = {"type": "place", "space": "market", "token": 9}
HERE = Path(__file__).resolve().parents[2]
Where = tuple[str, str]
"""The name of a function, and the file it stands in."""


@dataclass
class Steps:
    """What was counted: bytecodes and calls by function."""

    codes: Counter[Where] = field(default_factory=Counter)
    calls: Counter[Where] = field(default_factory=Counter)

    def of(self, do: Callable[[], object]) -> None:
        """Counts what this does, in this thread."""
        sys.settrace(self._called)
        try:
            do()
        finally:
            sys.settrace(None)

    def _called(self, frame: Any, event: str, _: Any) -> Any:
        where = (frame.f_code.co_qualname, frame.f_code.co_filename)
        self.calls[where] += 1
        frame.f_trace_opcodes, frame.f_trace_lines = True, False

        def count(_frame: Any, event: str, _: Any) -> Any:
            if event == "opcode":
                self.codes[where] += 1
            return count

        return count


def environ_of(request: Request) -> dict[str, Any]:
    """A request as a web server hands it on (PEP 3333)."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": request.path,
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "CONTENT_LENGTH": str(len(request.body)),
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
    }
    for name, value in request.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    return environ


def ask(application: Any, request: Request) -> None:
    """From the application's entry to the end of its response. Raises AssertionError for a move that was refused."""
    said: list[str] = []
    body = application(environ_of(request), lambda status, headers, error=None: said.append(status))
    told = b"".join(body)
    body.close()
    assert said[0][0] in "23", (said, told[:500])


def counted(application: Any, supply: Callable[[], Iterable[Request]]) -> dict[str, Any]:
    """The means for one move."""
    for _ in range(WARMING):
        for request in supply():
            ask(application, request)
    steps, moves = Steps(), 0
    for _ in range(ROUNDS):
        for request in list(supply()):
            steps.of(lambda request=request: ask(application, request))  # type: ignore[misc]
            moves += 1
    rooms: Counter[str] = Counter()
    for (_name, file), count in steps.codes.items():
        rooms[_room(file)] += count
    return {
        "total": steps.codes.total() / moves,
        "rooms": [(room, count / moves) for room, count in rooms.most_common()],
        "functions": [
            (count / moves, steps.calls[where] / moves, where[0], _short(where[1]))
            for where, count in steps.codes.most_common(100)
        ],
    }


def _short(file: str) -> str:
    return file.rpartition("site-packages/")[2].removeprefix(f"{HERE}/")


def _room(file: str) -> str:
    first = _short(file).split("/")[0]
    return first if first in ROOMS else "libraries" if "site-packages" in file else "Python"


def main() -> dict[str, Any]:
    """By door."""
    django.setup()
    if settings.ROOT_URLCONF == MINIMAL:
        return {"a minimal Django + DRF view": _minimal()}
    from config.wsgi import application
    from tests.bench.answered import Supply, by_api, by_api_in_short, by_link, by_page

    supply = Supply(size=TABLES)
    doors = {
        "API": by_api,
        "API, return=minimal": by_api_in_short,
        "table's page": by_page,
        "link in the mail": by_link,
    }
    return {title: counted(application, lambda door=door: supply.requests(door)) for title, door in doors.items()}  # type: ignore[misc]


def _minimal() -> dict[str, Any]:
    from tests.bench.minimal.models import Table
    from tests.bench.minimal.wsgi import application

    keys = [Table.objects.create(state=json.dumps({"cells": [MOVE] * 80})).pk for _ in range(TABLES)]
    body, headers = json.dumps(MOVE).encode(), {"Content-Type": "application/json"}
    requests = [Request(f"/tables/{key}/moves/", body, headers) for key in keys]
    return counted(application, lambda: requests)


if __name__ == "__main__":
    print(json.dumps(main()))
