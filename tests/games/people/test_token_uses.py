"""When an API token was last used is noted once a minute."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import ApiToken
from games.people import tokens

pytestmark = pytest.mark.django_db


@pytest.fixture
def token(anna, now):
    return tokens.create_token(user=anna, name="bot", now=now)[1]


def last_used():
    return ApiToken.objects.get().last_used_at


def test_the_use_of_a_token_is_noted_once_a_minute(anna, token, now):
    for seconds, noted, statements in ((0, 0, 2), (59, 0, 1), (60, 60, 2)):
        with CaptureQueriesContext(connection) as asked:
            assert tokens.find(token, now + dt.timedelta(seconds=seconds)).user == anna
        assert len(asked) == statements
        assert last_used() == now + dt.timedelta(seconds=noted)


def test_what_another_process_has_noted_since_stays(token, now, monkeypatch):
    later = now + dt.timedelta(hours=1)
    read = tokens._usable

    def read_before_the_other(digest):
        found = read(digest)
        ApiToken.objects.update(last_used_at=later)
        return found

    monkeypatch.setattr(tokens, "_usable", read_before_the_other)
    tokens.find(token, now)
    assert last_used() == later
