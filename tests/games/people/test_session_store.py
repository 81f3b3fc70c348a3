"""Who reads the database gets into no session and finds no code that waits to be typed."""

import datetime as dt
import re

import pytest
from django.contrib.auth import SESSION_KEY
from django.core import mail, signing
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.models import Session, User
from games.people import sessions
from games.people.sessions import SessionStore
from notifications.clock import present
from notifications.database.sealed import seal
from tests.games.play.test_limits import ASK, CONFIRM

pytestmark = pytest.mark.django_db
PAGE = "/settings/"


def whole_database() -> list[str]:
    """Every value of every table, the cache's among them, as text."""
    cells: list[str] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  # its own name
            cells.extend(str(cell) for row in cursor.fetchall() for cell in row)
    return cells


def key_of(client: Client) -> str:
    """What the cookie of this browser holds."""
    return str(client.cookies["session"].value)


def with_cookie(key: str) -> Client:
    """A browser with this session's cookie."""
    client = Client()
    client.cookies["session"] = key
    return client


def test_nothing_in_the_database_opens_a_session_or_tells_a_code(anna: User, ben: User) -> None:
    cache.clear()
    signed_in, waiting = Client(), Client()
    signed_in.force_login(anna)
    waiting.post(ASK, {"email": ben.email})
    (code,) = set(re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[-1].body)))
    waiting.post(CONFIRM, {"code": "WRNG-WRNG"})
    cells = whole_database()
    assert len(cells) > 50
    secrets = (code, code.replace("-", ""), key_of(signed_in), key_of(waiting))
    assert [secret for secret in secrets if secret.lower() in "\n".join(cells).lower()] == []
    tried = {word for cell in cells for word in {cell, *re.findall(r"[\w.:=-]{8,}", cell)} if cell.isprintable()}
    assert [word for word in tried if SessionStore(word).load()] == []
    keys = Session.objects.values_list("session_key", flat=True)
    assert {with_cookie(key).get(PAGE).status_code for key in keys} == {302}
    assert with_cookie(key_of(signed_in)).get(PAGE).status_code == 200
    waiting.post(CONFIRM, {"code": code})
    assert waiting.get(PAGE).status_code == 200


def test_a_session_belongs_to_who_is_signed_in_with_it(client: Client, anna: User) -> None:
    client.post(ASK, {"email": anna.email})
    assert [row.user for row in Session.objects.all()] == [None]
    client.force_login(anna)
    assert [row.user for row in Session.objects.all()] == [anna]


def test_ones_own_sessions_are_listed_without_opening_anybody_elses(
    anna: User, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in (anna, ben, ben, ben):
        Client().force_login(user)
    opened: list[str] = []
    decode = SessionStore.decode
    monkeypatch.setattr(SessionStore, "decode", lambda self, data: opened.append(data) or decode(self, data))
    assert len(sessions.sessions_of(anna, present.now())) == len(opened) == 1


@pytest.mark.parametrize("key", ["", "short", "x" * 32, "é" * 40, "\0" * 40, "x" * 5000])
def test_a_key_that_is_not_known_is_taken_away_and_finds_nothing(key: str) -> None:
    store = SessionStore(key)
    assert store.load() == {}
    assert store.session_key is None and not store.exists(key)


@pytest.mark.parametrize(
    "data",
    ["", "no token", seal("no JSON"), signing.dumps({SESSION_KEY: "1"})],
    ids=["", "no token", "no JSON", "signed"],
)
def test_data_that_we_did_not_seal_hold_nothing(data: str) -> None:
    assert SessionStore().decode(data) == {}


def test_what_was_stored_belongs_to_who_asks() -> None:
    store = SessionStore()
    data = store.encode({"since": 1.5, "device": ["Firefox", "Ænix"]})
    for _ in range(2):
        found = store.decode(data)
        assert found == {"since": 1.5, "device": ["Firefox", "Ænix"]}
        found["device"].append("changed by one request")


def test_a_session_that_is_over_is_not_found(now: dt.datetime) -> None:
    store = SessionStore()
    store["a"] = 1
    store.save()
    key = store.session_key
    Session.objects.update(expire_date=present.now() - dt.timedelta(seconds=1))
    assert SessionStore(key).load() == {}


def test_who_signs_out_is_out_with_the_next_request(anna: User) -> None:
    client = Client()
    client.force_login(anna)
    key = key_of(client)
    assert client.get(PAGE).status_code == 200
    assert with_cookie(key).get(PAGE).status_code == 200
    client.post(reverse("account_logout"))
    assert with_cookie(key).get(PAGE).status_code == 302
    assert not Session.objects.filter(user=anna).exists()
