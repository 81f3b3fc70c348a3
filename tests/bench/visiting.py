"""The measuring process of `visit`: people of many tables get their email, open its link, answer, and read on."""

import gc
from dataclasses import dataclass, field
from typing import Any

from config.wsgi import application
from games.models import Decision
from games.play import queries
from games.play.pictures import FAMILY, FONTS
from games.tables import boards
from notifications.channels.base import CHANNELS
from notifications.channels.mail.letter import letter
from notifications.clock import present
from notifications.composers import why_stale
from notifications.delivery.claims import RELATED, make_deliveries
from notifications.messages import Form, MailMessage
from notifications.models import Delivery
from tests.bench.answered import Supply, by_link
from tests.bench.posted import Request
from tests.bench.stepping import environ_of
from tests.bench.visit import PARTS, VisitFigures, as_json

ROUNDS, TABLES = 6, 8


@dataclass
class Visits:
    """What was measured, and the sizes of what was given."""

    figures: VisitFigures = field(default_factory=VisitFigures)
    given: dict[str, Any] = field(default_factory=lambda: {"fonts": FONTS, "family": FAMILY})

    def visit(self, row: Decision, posted: Request) -> None:
        """One visit."""
        self.given["svg"] = _svg(row)
        message, _bytes = self.figures.of(PARTS[0], lambda: _mail(row))
        page = environ_of(posted) | {"REQUEST_METHOD": "GET"}
        _, shown = self.figures.of(PARTS[1], lambda: _answered(page))
        after, _ = self.figures.of(PARTS[2], lambda: _answered(environ_of(posted)))
        path, _question, query = after.partition("?")
        following = page | {"PATH_INFO": path, "QUERY_STRING": query}
        _, read_on = self.figures.of(PARTS[3], lambda: _answered(following))
        self.given |= {"text": len(message.text), "html": len(message.html), "page": len(shown), "after": len(read_on)}


def main() -> str:
    """Returns the figures, and what the peer has to give as well, as JSON."""
    supply, visits = Supply(TABLES), Visits()
    for number in range(ROUNDS + 1):
        if number == 1:  # what the first round has loaded is kept out of the way, as webs and workers keep it
            visits.figures = VisitFigures()
            gc.collect()
            gc.freeze()
        visits.figures.is_counting = number == ROUNDS
        for row, answer in supply.answers()[: 1 if number == ROUNDS else None]:
            visits.visit(row, by_link(supply.people[row.seat.user_id or 0], row, answer))
    return as_json(visits.figures, visits.given)


def _svg(row: Decision) -> str:
    access = queries.Access(row.game, row.seat)
    return boards.svg(row.game.rules_name, queries.picture(access, queries.view_of(access)), is_plain=True)


def _mail(row: Decision) -> tuple[MailMessage, bytes]:
    """The email that asks, as it is handed to the mail server."""
    make_deliveries(present.now())
    rows = Delivery.objects.select_related(*RELATED)
    delivery = rows.get(channel="mail", notice__kind="due", notice__subject=row.subject)
    assert why_stale(delivery.notice, Form.LETTER, present.now()) == ""
    message = CHANNELS["mail"].compose([delivery])
    assert isinstance(message, MailMessage) and message.pictures
    return message, letter(delivery, message).message().as_bytes()


def _answered(environ: dict[str, Any]) -> tuple[str, bytes]:
    """Where the answer to a request leads, and its bytes."""
    said: list[dict[str, str]] = []
    body = application(environ, lambda status, headers, error=None: said.append(dict(headers)))
    content = b"".join(body)
    body.close()
    return said[0].get("Location", ""), content
