"""Tournaments by the REST API."""

import datetime as dt

import pytest
from django.test import Client

from games.models import User
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.tournaments.conftest import DAY, Open, enter_many, let_all_end, work


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests ask for the time themselves."""
    monkeypatch.setattr(present, "now", lambda: now)


def test_a_program_enters_reads_and_leaves(open_cup: Open, ben: User, client: Client) -> None:
    row, program = open_cup(), Program.with_scopes(ben, "play")
    address = f"/api/v1/tournaments/{row.ref}/"
    for _twice in range(2):
        answer = client.post(f"{address}enter/", "{}", "application/json", headers=program.headers)
        assert (answer.status_code, answer.json()["is_mine"]) == (200, True)
    [listed] = client.get("/api/v1/tournaments/", headers=program.headers).json()
    assert (listed["ref"], listed["taken"], listed["is_mine"], listed["rules"]) == (row.ref, 1, True, "cave-of-wonders")
    answer = client.post(f"{address}leave/", "{}", "application/json", headers=program.headers)
    assert (answer.json()["entrants"], answer.json()["is_mine"]) == ([], False)
    assert client.get("/api/v1/tournaments/?status=running", headers=program.headers).json() == []


def test_what_cannot_be_is_a_problem_in_words(open_cup: Open, ben: User, client: Client, now: dt.datetime) -> None:
    row, program = open_cup(), Program.with_scopes(ben, "play")
    headers = program.headers
    enter_many(row, 3, now)
    work(now + DAY)
    answer = client.post(f"/api/v1/tournaments/{row.ref}/enter/", "{}", "application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "already started" in answer.json()["detail"]
    assert (
        client.post(f"/api/v1/tournaments/{row.ref}/leave/", "{}", "application/json", headers=headers).status_code
        == 404
    )
    assert client.get("/api/v1/tournaments/nothing/", headers=headers).status_code == 404
    assert client.get("/api/v1/tournaments/?status=lost", headers=headers).status_code == 422


def test_everybody_reads_rounds_and_standings(open_cup: Open, ben: User, client: Client, now: dt.datetime) -> None:
    row, program = open_cup(), Program.with_scopes(ben, "play")
    enter_many(row, 6, now)
    work(now + DAY)
    let_all_end(row, 1)
    work(now + DAY)
    told = client.get(f"/api/v1/tournaments/{row.ref}/", headers=program.headers).json()
    assert [one["number"] for one in told["played"]] == [2, 1]
    assert [seat["place"] for seat in told["played"][1]["tables"][0]["seats"]] == [1, 2, 3]
    assert [line["points"] for line in told["standings"]] == [1, 1, 0.5, 0.5, 0, 0]
    assert len({line["name"] for line in told["standings"]}) == 6
