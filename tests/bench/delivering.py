"""The measuring process of `deliver`, on one database: `python -m tests.bench.delivering NAME RECEIVERS_PID WEB_PORT`.

The same rows are due again in every round. Each contestant says the same words to the same receivers; what was sent is
looked at afterwards, so that nobody is fast by leaving something out.
"""

import http.client
import smtplib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import django
import requests

from tests.bench.measuring import Contestant, Spread, take_turns
from tests.bench.processes import parent_of, processor_time_of
from tests.bench.report import Goal, heading, note, rate_lines, ratio_line
from tests.bench.surroundings import count_rows

ROUNDS = 9
GOAL = Goal("P10", least=0.5)
MARK = "UPDATE notifications_delivery SET tries = tries WHERE id = %s"


@dataclass(frozen=True)
class Kind:
    """Something that is told: how the part calls it, and its rows. The goal is about short words."""

    title: str
    channel: str
    rows: Sequence[int]
    is_short: bool = False


def main(database: str, receivers_pid: int, web_port: int) -> None:
    """Prints the figures of one database."""
    django.setup()
    from tests.bench import told

    told.prepare(web_port)
    count_rows()
    others = processor_time_of(receivers_pid, *_server_of_database())
    for kind in told.mails():
        _table(f"{kind.title}, {database}", kind, _mailers(kind), others)
    for kind in told.hooks():
        _table(f"{kind.title}, {database}", kind, _posters(kind, web_port), others)
    note("rates are by the processor time of all: ours, the receiver's, the database's")


def _server_of_database() -> list[int]:
    from django.db import connection

    if connection.vendor != "postgresql":
        return []
    connection.ensure_connection()
    return [parent_of(connection.connection.info.backend_pid)]


def _table(title: str, kind: Kind, bare: list[Contestant], others: Callable[[], float]) -> None:
    heading(title)
    outbox = _outbox(kind)
    take_turns([*bare, outbox], ROUNDS, others)
    rate_lines([*bare, outbox], f"{kind.channel}s/s")
    for number, peer in enumerate(bare):
        ratio_line(outbox, peer, GOAL if number == 0 and kind.is_short else None)
    ratio_line(bare[1], bare[0])  # an outbox in its simplest form
    by_clock = ", ".join(f"{one.name} {Spread.of(one.rates_by_clock).median:,.0f}" for one in (*bare, outbox))
    note(f"by the clock: {by_clock}; {len(kind.rows)} a turn, {ROUNDS} rounds")


def _outbox(kind: Kind) -> Contestant:
    from notifications.delivery import sending
    from tests.bench import told

    def turn(number: int) -> float:
        while sending.deliver_due():
            pass
        return len(kind.rows)

    return Contestant("the outbox", turn, lambda number: told.owe(kind.rows), lambda: told.check_accepted(kind.rows))


def _mailers(kind: Kind) -> list[Contestant]:
    from django.core.mail import get_connection

    from tests.bench import told

    letters = told.letters(kind.rows)
    finished = [(mail.from_email, mail.recipients(), mail.message().as_bytes(linesep="\r\n")) for mail in letters]
    backend = get_connection()
    backend.open()
    server: smtplib.SMTP = backend.connection

    def bare(number: int) -> float:
        for sender, to, content in finished:
            server.sendmail(sender, to, content)
        return len(finished)

    def by_django(number: int) -> float:
        for mail in letters:
            backend.send_messages([mail])
        return len(letters)

    def least(number: int) -> float:
        for mail, row in zip(letters, kind.rows, strict=True):
            backend.send_messages([mail])
            _mark(row)
        return len(letters)

    return [
        Contestant("bare smtplib", bare),
        Contestant("made, sent, marked", least),
        Contestant("Django's send_messages", by_django),
    ]


def _mark(row: int) -> None:
    """The least that is needed if a kill shall repeat one message at most: a commit before the next one is begun."""
    from django.db import connection

    with connection.cursor() as cursor:  # a transaction of its own
        cursor.execute(MARK, [row])


def _posters(kind: Kind, web_port: int) -> list[Contestant]:
    from tests.bench import told

    posts = told.posts(kind.rows)
    session, connection = requests.Session(), http.client.HTTPConnection("127.0.0.1", web_port)

    def by_requests(number: int) -> float:
        for url, body, headers in posts:
            session.post(url, data=body, headers=headers).raise_for_status()
        return len(posts)

    def least(number: int) -> float:
        for (url, body, headers), row in zip(posts, kind.rows, strict=True):
            session.post(url, data=body, headers=headers).raise_for_status()
            _mark(row)
        return len(posts)

    def bare(number: int) -> float:
        for url, body, headers in posts:
            connection.request("POST", url, body, headers)
            connection.getresponse().read()
        return len(posts)

    return [
        Contestant("a session of requests", by_requests),
        Contestant("sent, marked", least),
        Contestant("http.client", bare),
    ]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
