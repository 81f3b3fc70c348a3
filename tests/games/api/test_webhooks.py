"""Webhooks by the API: what the pages do, and nothing that tells a secret twice."""

import datetime as dt
import json
from collections.abc import Callable

from games.models import Game, User
from games.tournaments.tournaments import open_tournament
from notifications.models import Endpoint
from tests.games.api.conftest import Program
from tests.games.clubs.founding import found
from tests.games.conftest import deliveries
from tests.games.tournaments.conftest import plan

URL = "https://hooks.example.org/s3cret-path"


def test_a_webhook_from_making_to_removing(annas: Program, anna: User) -> None:
    made = annas.post("me/webhooks/", {"url": URL, "events": ["game.over"]}, status=201)
    row = Endpoint.objects.get()
    assert made["secret"] == row.secret and made["events"] == ["game.over"] and made["state"] == "working"
    path = f"me/webhooks/{made['ref']}/"
    assert annas.post(path + "secret/")["secret"] == Endpoint.objects.get().secret != row.secret
    assert annas.post(path + "switch/", {"is_on": False})["state"] == "off"
    assert annas.post(path + "ping/", status=409)["code"] == "conflict"
    assert annas.post(path + "switch/", {"is_on": True})["state"] == "working"
    annas.post(path + "ping/")
    deliveries()
    (call,) = annas.get(path + "calls/")["items"]
    assert call["event"] == "ping" and call["tries"] == []
    annas.post(path + f"calls/{call['id']}/again/", status=409)
    annas.post(path + "calls/msg_none/again/", status=404)
    shown = json.dumps([annas.get(path), annas.get("me/webhooks/")["items"], annas.get(path + "calls/")])
    assert "s3cret" not in shown and "whsec_" not in shown
    response = annas.client.delete(f"/api/v1/{path}", headers=annas.headers)
    assert response.status_code == 204 and not Endpoint.objects.exists()


def test_it_is_changed_without_saying_its_address_again(annas: Program) -> None:
    made = annas.post("me/webhooks/", {"url": URL}, status=201)
    response = annas.client.patch(
        f"/api/v1/me/webhooks/{made['ref']}/",
        json.dumps({"name": "mine", "shape": "slack"}),
        content_type="application/json",
        headers=annas.headers,
    )
    assert response.status_code == 200 and response.json()["shape"] == "slack"
    assert Endpoint.objects.get().url == URL and Endpoint.objects.get().name == "mine"


def test_what_is_wrong_is_refused_and_nothing_is_made(annas: Program) -> None:
    for body in (
        {},
        {"url": "http://hooks.example.org/"},
        {"url": URL, "events": []},
        {"url": URL, "events": ["game.burnt"]},
        {"url": URL, "shape": "teams"},
        {"url": "https://127.0.0.1:22/"},
        {"url": URL, "colour": "red"},
    ):
        answer = annas.client.post(
            "/api/v1/me/webhooks/", json.dumps(body), content_type="application/json", headers=annas.headers
        )
        assert 400 <= answer.status_code < 500, body
    assert not Endpoint.objects.exists()


def test_of_a_table_by_its_host_alone(
    annas: Program, ben: User, program: Callable[[User], Program], game: Game, now: dt.datetime
) -> None:
    path = f"games/{game.ref}/webhooks/"
    made = annas.post(path, {"url": "https://discord.com/api/webhooks/1/abc"}, status=201)
    assert made["game_ref"] == game.ref and made["shape"] == "discord"
    assert len(annas.get(path)["items"]) == 1
    bens = program(ben)
    bens.get(path, status=404)
    bens.post(path, {"url": URL}, status=404)
    bens.get(f"me/webhooks/{made['ref']}/", status=404)
    for button in ("secret", "ping"):
        bens.post(f"me/webhooks/{made['ref']}/{button}/", status=404)


def test_of_a_club_and_of_a_tournament_by_owner_and_host_alone(
    annas: Program, anna: User, ben: User, program: Callable[[User], Program], now: dt.datetime
) -> None:
    club, cup = found(anna, ben), open_tournament(host=anna, plan=plan(now), now=now)
    bens = program(ben)
    for part, field, ref in (("clubs", "club_ref", club.ref), ("tournaments", "tournament_ref", cup.ref)):
        path = f"{part}/{ref}/webhooks/"
        made = annas.post(path, {"url": "https://discord.com/api/webhooks/1/abc"}, status=201)
        assert made[field] == ref and made["game_ref"] is None and made["shape"] == "discord"
        assert [row["ref"] for row in annas.get(path)["items"]] == [made["ref"]]
        bens.get(path, status=403)
        bens.post(path, {"url": URL}, status=403)
        bens.get(f"me/webhooks/{made['ref']}/", status=404)
        annas.post(path, {"url": "https://10.0.0.1/"}, status=422)
