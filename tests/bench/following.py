"""The second measuring process of `memory`: `python -m tests.bench.following PORT WEB_PID`, when the workers are gone.

Somebody leaves the page of a table open at which nothing happens.
"""

import http.client
import re
import sys
from collections.abc import Callable

import django

from tests.bench.processes import processor_time_of
from tests.bench.report import heading, note
from tests.bench.submitting import server_of_database

POLLS = 500
FACTS = ("data-hx-get", "data-etag", "data-every")


def main(port: int, web: int) -> None:
    """Prints the part."""
    django.setup()
    from tests.bench.answered import Supply

    path, cookies = Supply(size=1).page()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    status, page, _size = _get(connection, path, {"Cookie": cookies})
    assert status == http.HTTPStatus.OK, status
    address, etag, every = (found[1] for name in FACTS if (found := re.search(rf'{name}="([^"]+)"', page)))
    headers = {"Cookie": cookies, "HX-Request": "true", "If-None-Match": f'"{etag}"'}

    def ask(times: int) -> int:
        size = 0
        for _time in range(times):
            status, _page, length = _get(connection, address, headers)
            assert status == http.HTTPStatus.NOT_MODIFIED, status
            size += length
        return size

    ask(POLLS // 5)  # both processes of the web are warm
    statements, used = _statements(), processor_time_of(web, *server_of_database())
    begun, size = used(), ask(POLLS)
    seconds, interval = (used() - begun) / POLLS, int(every) / 1000
    heading("An open page that follows its game, at which nothing happens")
    note(f"asks every {interval:g} s; each time {1000 * seconds:.1f} ms of processor time (web and database),")
    note(f"{statements() / POLLS:.1f} statements, {size / POLLS:.0f} bytes sent back, head and all")
    note(f"one core is enough for {interval / seconds:,.0f} pages that nobody touches")


def _get(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> tuple[int, str, int]:
    """Status, page, and how many bytes came back."""
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    head = sum(len(name) + len(value) + 4 for name, value in response.getheaders()) + 32
    return response.status, body.decode(), head + len(body)


def _statements() -> Callable[[], float]:
    """What tells how many statements PostgreSQL has been asked since; not a number on SQLite, which does not count."""
    from django.db import connection

    from tests.bench import counted

    if connection.vendor != "postgresql":
        return lambda: float("nan")
    counted.begin()
    return lambda: counted.end().statements


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
