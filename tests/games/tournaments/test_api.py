"""Tournaments by the REST API."""

import datetime as dt

import pytest
from django.test import Client

from games.archive import player_profile
from games.models import Game, Rating, RatingChange, User
from notifications.clock import present
from notifications.composers import composer_for
from notifications.messages import Form, WebhookMessage
from notifications.models import Notice
from tests.games.api.conftest import Program
from tests.games.tournaments.conftest import DAY, Open, enter_many, let_all_end, tables, work

pytestmark = pytest.mark.slow


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
    [listed] = client.get("/api/v1/tournaments/", headers=program.headers).json()["items"]
    assert (listed["ref"], listed["taken"], listed["is_mine"], listed["rules"]) == (row.ref, 1, True, "cave-of-wonders")
    answer = client.delete(f"{address}enter/", headers=program.headers)
    assert (answer.json()["entrants"], answer.json()["is_mine"]) == ([], False)
    assert client.get("/api/v1/tournaments/?status=running", headers=program.headers).json()["items"] == []


def test_what_cannot_be_is_a_problem_in_words(open_cup: Open, ben: User, client: Client, now: dt.datetime) -> None:
    row, program = open_cup(), Program.with_scopes(ben, "play")
    headers = program.headers
    enter_many(row, 3, now)
    work(now + DAY)
    answer = client.post(f"/api/v1/tournaments/{row.ref}/enter/", "{}", "application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "already started" in answer.json()["detail"]
    assert client.delete(f"/api/v1/tournaments/{row.ref}/enter/", headers=headers).status_code == 404
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


def test_a_game_a_webhook_and_a_rating_say_to_which_tournament_they_belong(
    open_cup: Open, game: Game, anna: User, now: dt.datetime, client: Client
) -> None:
    row = open_cup()
    players = enter_many(row, 3, now)
    work(now + DAY)
    [table] = tables(row, 1)
    assert table.game is not None
    theirs, annas = Program.with_scopes(players[0], "play"), Program.with_scopes(anna, "play")
    shown = client.get(f"/api/v1/games/{table.game.ref}/", headers=theirs.headers).json()
    assert shown["tournament"] == {"ref": row.ref, "title": "Spring Cup", "round": 1, "table": 1}
    assert client.get(f"/api/v1/games/{game.ref}/", headers=annas.headers).json()["tournament"] is None
    message = composer_for("started").compose(
        Notice.objects.filter(kind="started", recipient=players[0].recipient).get(), "en", Form.ANNOUNCEMENT
    )
    assert isinstance(message, WebhookMessage) and message.data["tournament_ref"] == row.ref
    for rated in (table.game, game):
        facts = {"user": players[0], "rules_name": "cave-of-wonders", "game": rated, "points": 1000, "rated_at": now}
        RatingChange.objects.create(**facts)
    points = player_profile.curve(players[0], "cave-of-wonders")
    assert [point.tournament for point in points] == [row, None]
    Rating.objects.create(
        user=players[0], rules_name="cave-of-wonders", mu=25, sigma=1, points=1000, games=2, wins=1, rated_at=now
    )
    client.force_login(players[0])
    assert f"/tournament/{row.ref}/" in client.get(f"/player/{players[0].ref}/").content.decode()
    told = client.get(f"/api/v1/players/{players[0].ref}/", headers=theirs.headers).json()
    assert [one["tournament_ref"] for one in told["ratings"][0]["curve"]] == [row.ref, None]
