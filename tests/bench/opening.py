"""The measuring process of `pages`: the same pages are opened again and again, in turns, while games go on."""

import gc
import json
from email.message import EmailMessage
from functools import partial
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.urls import reverse

from config.wsgi import application
from games.models import Decision, User
from games.people import sign_in
from games.play import asking_letters, decision_links, queries
from notifications.channels.base import CHANNELS
from notifications.channels.push.models import PushSubscription
from notifications.channels.push.sending import pack
from notifications.clock import present
from notifications.delivery.claims import RELATED, make_deliveries
from notifications.delivery.sending import handle_waiting_replies
from notifications.inbound.receiving import receive
from notifications.models import Delivery, Inbound
from tests.bench.answered import FORM, Person, Supply
from tests.bench.pages import FIRST, TABLE
from tests.bench.posted import Request
from tests.bench.stepping import ask, environ_of
from tests.bench.visit import VisitFigures
from tests.games.web.filling import pressed
from tests.notifications.browsers import Browser

ROUNDS, TABLES = 12, 8
REPLY = "a reply with a move"
SIGN_IN = "signing in by a link"
PUSH = "a notification, encrypted"
PAGES = {
    "the front page, for strangers": ("home", False),
    "my games": ("my_games", True),
    "tables to join": ("lobby", True),
}


def main() -> None:
    """Prints the figures as JSON."""
    supply = Supply(TABLES)
    parts = (*PAGES, FIRST, TABLE, REPLY, SIGN_IN, PUSH)
    figures = VisitFigures({part: [] for part in parts})
    for number in range(ROUNDS + 1):
        if number == 1:  # what the first round has loaded is kept out of the way, as webs and workers keep it
            figures = VisitFigures({part: [] for part in parts})
            gc.collect()
            gc.freeze()
        figures.is_counting = number == ROUNDS
        for row, _answer in supply.answers()[: 1 if number == ROUNDS else None]:
            _look(figures, row, supply.people[row.seat.user_id or 0])
    print(
        json.dumps({part: {"seconds": figures.seconds[part], "bytecodes": figures.bytecodes[part]} for part in parts})
    )


def _look(figures: VisitFigures, row: Decision, person: Person) -> None:
    for part, (page, is_signed_in) in PAGES.items():
        figures.of(part, partial(_open, reverse(page), person.cookies if is_signed_in else ""))
    for part in (FIRST, TABLE):
        figures.of(part, partial(_open, reverse("table", args=[row.game.ref]), person.cookies))
    figures.of(PUSH, partial(_notify, row, Browser().subscribe(person.user.recipient)))
    figures.of(SIGN_IN, partial(_sign_in, person, User.objects.get(pk=person.user.pk)))
    email, to = _reply(row, person.user.email), decision_links.reply_address(row)
    figures.of(REPLY, partial(_take, email, to))
    answered = Inbound.objects.latest("pk")
    assert answered.state == Inbound.State.DONE, (answered.line, answered.state, answered.answer)


def _open(path: str, cookies: str) -> None:
    headers = {"Cookie": cookies} if cookies else {}
    environ = environ_of(Request(path, b"", headers)) | {"REQUEST_METHOD": "GET"}
    said: list[str] = []
    body = application(environ, lambda status, headers, error=None: said.append(status))
    assert b"".join(body) and said[0].startswith("200"), (path, said)
    body.close()


def _sign_in(person: Person, user: User) -> None:
    """Presses the button of the page behind the link. No session is sent along, as from a new device."""
    query = urlsplit(sign_in.sign_in_link(user)).query
    facts = {"csrfmiddlewaretoken": person.csrf, "sesame": parse_qs(query)["sesame"][0], **pressed()}
    body = urlencode(facts)
    headers = {"Content-Type": FORM, "Cookie": person.cookies.partition("; ")[2]}
    ask(application, Request(reverse("sign_in_link"), body.encode(), headers))
    user.refresh_from_db()
    assert user.last_login is not None


def _notify(row: Decision, device: PushSubscription) -> None:
    """Composes the notification of a question and encrypts it for a device, as it is handed to a push service."""
    make_deliveries(present.now())
    delivery = Delivery.objects.select_related(*RELATED).get(
        channel="mail", notice__kind="due", notice__subject=row.subject
    )
    delivery.target = device.target
    assert pack(delivery, CHANNELS["push"].compose([delivery])).body


def _reply(row: Decision, sender: str) -> bytes:
    """An email with the line that the one that asks shows."""
    access = queries.Access(row.game, row.seat)
    view = queries.view_of(access)
    line = asking_letters.example_lines(row, asking_letters.question_of(row, access, view), None, view)[0]
    email = EmailMessage()
    email["From"], email["To"] = sender, decision_links.reply_address(row)
    email["Subject"], email["Message-ID"] = "Re: your move", f"<{row.ref}{row.pk}@bench.example.org>"
    email["Authentication-Results"] = f"{settings.MAIL_AUTHSERV_ID}; dmarc=pass header.from={sender.partition('@')[2]}"
    email.set_content(f"{line}\n")
    return email.as_bytes()


def _take(email: bytes, to: str) -> None:
    assert receive(content=email, to=to, envelope_sender=None, now=present.now()) is not None
    handle_waiting_replies()
