"""How long somebody stays signed in."""

import datetime as dt

import pytest
from django.test import Client

from games.models import User
from games.people import sessions
from notifications.clock import present


def status_after(client: Client, now: dt.datetime, days: float) -> int:
    """What the settings say so long after signing in; the session is stored anew, as it is by every change."""
    with present.going_by(lambda: now + dt.timedelta(days=days)):
        status = client.get("/settings/").status_code
    session = client.session
    session["busy"] = days
    session.save()
    return status


def test_it_ends_a_fortnight_after_signing_in_however_busy_one_was(
    client: Client, anna: User, now: dt.datetime
) -> None:
    with present.going_by(lambda: now):
        client.force_login(anna)
    assert [status_after(client, now, days) for days in (7, 13.9, 14.1, 14.2)] == [200, 200, 302, 302]


def test_signing_in_again_begins_it_anew(client: Client, anna: User, now: dt.datetime) -> None:
    for day in (0, 13):
        with present.going_by(lambda day=day: now + dt.timedelta(days=day)):  # type: ignore[misc]
            client.force_login(anna)
    assert status_after(client, now, 20) == 200


def test_a_session_of_an_older_version_counts_from_its_next_visit(client: Client, anna: User, now: dt.datetime) -> None:
    client.force_login(anna)
    session = client.session
    del session[sessions.SINCE]
    session.save()
    assert [status_after(client, now, days) for days in (40, 53, 55)] == [200, 200, 302]


def test_a_session_of_an_older_version_is_no_fresh_sign_in(client: Client, anna: User) -> None:
    client.force_login(anna)
    assert "sign in again" not in client.get("/settings/data/").content.decode()
    session = client.session
    del session[sessions.SINCE]
    session.save()
    assert "sign in again" in client.get("/settings/data/").content.decode()


@pytest.mark.parametrize("days", [0, 15])
def test_who_has_not_signed_in_is_not_asked_for_a_session(
    client: Client, db: None, now: dt.datetime, days: int
) -> None:
    with present.going_by(lambda: now + dt.timedelta(days=days)):
        client.get("/tables/")
    assert "session" not in client.cookies
