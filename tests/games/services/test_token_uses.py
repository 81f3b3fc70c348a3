"""When API tokens were last used: noted with the web's heartbeat, and not by a write of each request."""

import datetime as dt
import threading

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config import web_server
from games.models import ApiToken
from games.services import token_uses, tokens

pytestmark = pytest.mark.django_db


@pytest.fixture
def token(anna, now, monkeypatch):
    monkeypatch.setattr(token_uses, "_used", {})
    return tokens.create_token(user=anna, name="bot", now=now)[1]


def last_used():
    return ApiToken.objects.get().last_used_at


def test_the_use_of_a_token_is_noted_once_a_minute(anna, token, now):
    for seconds, noted in ((0, 0), (59, 0), (60, 60)):
        assert tokens.find(token, now + dt.timedelta(seconds=seconds)).user == anna
        token_uses.write_down()
        assert last_used() == now + dt.timedelta(seconds=noted)


@pytest.mark.django_db(transaction=True)
def test_a_request_writes_nothing_and_the_heartbeat_of_its_process_notes_the_use(token):
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200 and all(query["sql"].startswith("SELECT") for query in asked)
    assert last_used() is None
    web_server.worker_exit(None, None)
    assert last_used() is not None


def test_a_process_ends_though_the_database_does_not_answer(token, monkeypatch):
    monkeypatch.setattr(web_server, "LAST_SECONDS", 0.01)
    answered = threading.Event()
    monkeypatch.setattr(web_server, "beat_once", answered.wait)
    web_server.worker_exit(None, None)
    assert not answered.is_set()
    answered.set()


def test_all_processes_write_uses_in_one_order_and_nothing_where_there_are_none(anna, token, now):
    rows = [tokens.create_token(user=anna, name="bot", now=now) for _ in range(3)]
    for _row, key in reversed(rows):
        tokens.find(key, now)
    with CaptureQueriesContext(connection) as asked:
        token_uses.write_down()
    written = [query["sql"].strip() for query in asked if "UPDATE" in query["sql"]]
    assert [f"id = {row.pk} " in sql for (row, _key), sql in zip(rows, written, strict=True)] == [True] * 3
    with CaptureQueriesContext(connection) as asked:
        token_uses.write_down()
    assert not asked.captured_queries


def test_uses_that_could_not_be_written_down_are_kept(token, now, monkeypatch):
    tokens.find(token, now)
    note = token_uses.NOTE
    monkeypatch.setattr(token_uses, "NOTE", note.replace("games_apitoken", "nothing"))
    with pytest.raises(DatabaseError):
        token_uses.write_down()
    monkeypatch.setattr(token_uses, "NOTE", note)
    assert token_uses.write_down() == 1 and last_used() == now
    assert token_uses.write_down() == 0


def test_what_another_process_has_noted_since_stays(token, now):
    tokens.find(token, now)
    later = now + dt.timedelta(hours=1)
    ApiToken.objects.update(last_used_at=later)
    token_uses.write_down()
    assert last_used() == later


def test_a_token_that_is_gone_keeps_no_other_from_being_noted(anna, token, now):
    tokens.find(token, now)
    _row, other = tokens.create_token(user=anna, name="other", now=now)
    tokens.find(other, now)
    ApiToken.objects.filter(name="bot").delete()
    assert token_uses.write_down() == 2 and last_used() == now
