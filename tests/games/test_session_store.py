"""A session's data are looked through once, and never taken from anybody but us."""

from collections.abc import Callable

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.test import Client

from games import session_store
from games.models import User
from games.session_store import SessionStore


@pytest.fixture(autouse=True)
def _anew() -> None:
    session_store._opened.cache_clear()


def test_what_was_stored_is_read_as_often_as_it_is_asked_for_and_belongs_to_who_asks() -> None:
    store = SessionStore()
    data = store.encode({"since": 1.5, "device": ["Firefox", "Ænix"]})
    for _ in range(3):
        found = store.decode(data)
        assert found == {"since": 1.5, "device": ["Firefox", "Ænix"]}
        found["device"].append("changed by one request")
    assert session_store._opened.cache_info().hits == 2


@pytest.mark.parametrize("forge", [lambda data: data[:-1] + "-", lambda data: "x" + data, lambda data: ""])
def test_data_that_are_not_ours_say_nothing_also_after_those_that_are(forge: Callable[[str], str]) -> None:
    store = SessionStore()
    data = store.encode({SESSION_KEY: "1"})
    assert store.decode(data) == {SESSION_KEY: "1"}
    assert store.decode(forge(data)) == {}
    assert store.decode(signing.dumps({SESSION_KEY: "1"}, salt="another")) == {}


class Raw:
    """In the place of a serializer."""

    def dumps(self, data: bytes) -> bytes:
        return data


@pytest.mark.parametrize("data", [b"", b"no JSON", b"\x80\x04K\x01."])
def test_what_is_ours_but_cannot_be_read_holds_nothing(data: bytes) -> None:
    signed = signing.dumps(data, salt=SessionStore().key_salt, serializer=Raw)  # type: ignore[arg-type]  # it need not load
    for _ in range(2):
        assert SessionStore().decode(signed) == {}


@pytest.mark.django_db
def test_who_signs_out_is_out_with_the_next_request(anna: User) -> None:
    client = Client()
    client.force_login(anna)
    assert client.get("/settings/").status_code == 200
    assert client.get("/settings/").status_code == 200
    Session.objects.all().delete()
    assert client.get("/settings/").status_code == 302
