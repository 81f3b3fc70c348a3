"""After a walk through every door that has a secret, none of these secrets stands anywhere in clear.

Looked through: every table as the database has it, the sessions among them; the cache; the log in both its forms; every
page of the admin site; and what would be told of an error. Redis is told no more than names of tasks.
"""

import base64
import datetime as dt
import json
import logging
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.conf import settings as live_settings
from django.contrib import admin
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django_otp.oath import totp

from config import logging as sentry
from config.logging import JsonLineFormatter, LineFormatter
from games.lobby import invitations
from games.models import Game, SealedTOTPDevice, Session, User
from games.people import notification_preferences, staff
from games.play import decision_links
from games.tables import table_links, webhooks
from notifications.channels.mail.suppressions import never_write_url
from notifications.clock import present
from notifications.delivery import sending
from notifications.inbound import receiving
from notifications.inbound import receiving as dispatch
from tests.conftest import NOON
from tests.games.conftest import new_table, open_rows
from tests.games.play.test_limits import ASK, CONFIRM
from tests.games.web.filling import pressed
from tests.games.web.signing_in import freshly

PASSWORD, NEW_PASSWORD, WRONG_PASSWORD = "correct horse 7", "battery staple 8", "swordfish 9 swordfish"
HOOK = "https://hooks.example.org/services/T0123/hook-path-that-is-secret"
TOKEN = re.compile(r"\b[a-z2-7]{26}\b")  # of links and reply addresses
CODE = re.compile(r"\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b")

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def as_in_production(settings, counted: None) -> None:
    """No mailbox page, answers by mail, and the second factor."""
    settings.MAILBOX_ENABLED = False
    settings.STAFF_SECOND_FACTOR = True
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"


@pytest.fixture
def counted(db: None) -> Iterator[None]:
    """Tries are counted anew."""
    from django.core.cache import cache

    cache.clear()
    yield
    cache.clear()


def test_no_secret_stands_anywhere_in_clear(placing: Game, anna: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    User.objects.filter(pk=anna.pk).update(date_joined=NOON - dt.timedelta(days=90))
    moderator = Client()
    secrets = {*signing_in(anna), *account(anna), *playing(placing), *second_factor(moderator)}
    deliver()
    secrets |= {found for letter in mail.outbox for found in (*TOKEN.findall(text_of(letter)), *codes_of(letter))}
    assert len(secrets) > 25
    found = {place: sorted(secrets_in(text, secrets)) for place, text in places(moderator, caplog, secrets)}
    assert {place: names for place, names in found.items() if names} == {}


def signing_in(anna: User) -> Iterator[str]:
    """By a wrong and the right code, by link, by a wrong and the right password; and a password is changed."""
    client = Client()
    client.post(ASK, {"email": anna.email})
    (letter,) = mail.outbox
    (code,) = set(CODE.findall(letter.body))
    (link,) = re.findall(r"sesame=([\w-]+)", letter.body)
    client.post(CONFIRM, {"code": "WRNG-WRNG"})
    client.post(CONFIRM, {"code": code})
    other = Client()
    other.get(reverse("sign_in_link"), {"sesame": link})
    client.post(reverse("account_set_password"), {"password1": PASSWORD, "password2": PASSWORD})
    for password in (WRONG_PASSWORD, PASSWORD):
        other.post(reverse("account_login"), {"login": anna.email, "password": password})
    change = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert other.post(reverse("account_change_password"), change).status_code == 302
    Client().post(ASK, {"email": anna.email})
    (again,) = re.findall(r"sesame=([\w-]+)", mail.outbox[-1].body)
    assert Client().post(reverse("sign_in_link"), {"sesame": again, **pressed()}).status_code == 302
    yield from (link, again, PASSWORD, NEW_PASSWORD, WRONG_PASSWORD)


def account(anna: User) -> Iterator[str]:
    """An API token, right and wrong; a webhook; the calendar; and "never again"."""
    client = Client()
    client.force_login(User.objects.get(pk=anna.pk))
    freshly(client)
    page = client.post(reverse("tokens"), {"name": "bot", "scopes": ["read"]}).content.decode()
    (token,) = set(re.findall(r"crv_[\w-]{43}", page))
    wrong = f"crv_{'x' * 40}yz9"
    statuses = [
        Client().get(reverse("api_read_me"), headers={"Authorization": f"Bearer {key}"}).status_code
        for key in (token, wrong)
    ]
    assert statuses == [200, 401]
    hook = webhooks.create(user=anna, wanted=webhooks.WebhookSettings(url=HOOK), now=present.now())
    never, calendar = never_write_url(anna.email), notification_preferences.calendar_url(anna)
    for address in (never, calendar, f"{calendar}nowhere/"):
        Client().get(address.removeprefix(live_settings.SITE_URL))
    yield from (token, wrong, HOOK.rsplit("/", 1)[-1], str(hook.secret))
    yield never.rstrip("/").rsplit(".", 1)[-1]
    yield from TOKEN.findall(calendar)


def playing(game: Game) -> Iterator[str]:
    """A link of a decision, an answer by mail, an invitation, and links that are wrong."""
    (row,) = open_rows(game)
    act, reply = decision_links.act_url(row), decision_links.reply_address(row)
    for address in (act, f"{act}nowhere/", act.replace("/act/", "/back/")):
        Client().get(address.removeprefix(live_settings.SITE_URL))
    Client().post(act.removeprefix(live_settings.SITE_URL), {"answer": "nonsense"})
    content = f"From: {row.seat.user.email}\nMessage-ID: <1@example.org>\nSubject: Re\n\nstatus\n".encode()
    receiving.receive(content=content, to=reply, envelope_sender="x@example.org", now=present.now())
    while dispatch.handle_one(present.now()):
        pass
    table = new_table(row.seat.user, present.now())
    invitation = invitations.invite(game_id=table.pk, host=table.host, address="eva@example.org", now=present.now())
    path = table_links.invitation_url(invitation).removeprefix(live_settings.SITE_URL)
    Client().get(path)
    yield from (
        found for address in (act, reply, path, table_links.join_url(table)) for found in TOKEN.findall(address)
    )


def second_factor(client: Client) -> Iterator[str]:
    """Staff sets it up, and shows a wrong code, and one of those that were written down."""
    eva = staff.make_administrator("mia@example.org")
    page = reverse("second_factor")
    client.force_login(eva)
    client.get(page)
    code = f"{totp(SealedTOTPDevice.objects.get(user=eva).bin_key):06}"
    written = re.findall(r"<code>(\w{10})</code>", client.post(page, {"code": code}).content.decode())
    assert len(written) == 10
    client.post(page, {"code": "wrongwrong"})
    client.post(page, {"code": written[0]})
    yield from (*written, SealedTOTPDevice.objects.get(user=eva).bin_key.hex())


def deliver() -> None:
    """Everything that is to be told."""
    while sending.deliver(present.now()):
        pass


def text_of(letter: mail.EmailMessage) -> str:
    """A mail with its addresses."""
    return "\n".join([str(letter.body), *map(str, letter.extra_headers.values()), *letter.reply_to])


def codes_of(letter: mail.EmailMessage) -> list[str]:
    """The code of a sign-in mail."""
    return CODE.findall(str(letter.body))


def secrets_in(text: str, secrets: set[str]) -> Iterator[str]:
    """The secrets that the text holds, also such as JSON or an address writes them."""
    return (secret for secret in secrets if secret in text)


def places(client: Client, caplog: pytest.LogCaptureFixture, secrets: set[str]) -> Iterator[tuple[str, str]]:
    """Each place by its name, with all that it says."""
    yield "the log", "\n".join(LineFormatter().format(record) for record in caplog.records)
    yield "the log as JSON", "\n".join(JsonLineFormatter().format(record) for record in caplog.records)
    paths = [f"https://play.example.org/act/abc/{secret}/" for secret in secrets if TOKEN.fullmatch(secret)]
    event = {"request": {"url": paths[0]}, "exception": {"values": [{"value": " ".join(paths)}]}}
    yield "an error report", json.dumps(sentry.scrub(event))
    for session in Session.objects.all():
        data = session.get_decoded()
        data.pop("account_login", None)  # a code that waits to be typed, in the session that asked for it
        yield "a session", json.dumps(data)
    for table in connection.introspection.table_names():
        yield f"table {table}", rows_of(table)
    assert client.get(reverse("admin:index")).status_code == 200
    for model in admin.site._registry:
        for path in pages_of(model):
            response = client.get(path)
            if response.status_code == 302 and response.headers["Location"] == reverse("admin:index"):
                continue  # no row of this kind has a page of its own
            assert response.status_code == 200, path
            yield f"page {path}", response.content.decode()


def rows_of(table: str) -> str:
    """All rows as the database has them; what is written in Base64, such as the cache's values, in clear as well."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  # its own name
        cells = [str(cell) for row in cursor.fetchall() for cell in row]
    return "\n".join([*cells, *(clear for cell in cells if (clear := in_clear(cell)))])


def in_clear(cell: str) -> str:
    """What Base64 hides, or nothing."""
    try:
        return base64.b64decode(cell, validate=True).decode("latin-1")
    except ValueError:
        return ""


def pages_of(model: type) -> Iterator[str]:
    """The list of a model on the admin site, and the page of its newest row."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    yield reverse(f"{name}_changelist")
    newest = apps.get_model(model._meta.label).objects.order_by("-pk").first()
    if newest is not None:
        yield reverse(f"{name}_change", args=[newest.pk])
