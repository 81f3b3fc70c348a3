"""The API of seats before a game: bots, guests, invitations sent and answered."""

import datetime as dt
from collections.abc import Callable
from urllib.parse import quote

from games.lobby import lifecycle
from games.models import Game, Invitation, User
from tests.games.api.conftest import Program
from tests.games.conftest import new_table

Programs = Callable[[User], Program]


def test_a_host_fills_a_seat_with_a_bot_and_sends_it_away(annas: Program, table: Game) -> None:
    path = f"games/{table.ref}/seats/"
    seats = annas.post(path, {"bot": "greedy"})["seats"]
    assert [seat["bot"] for seat in seats] == ["", "greedy"]
    assert annas.post(path, {"bot": "deep-thought"}, 422)["code"] == "no-such-bot"
    assert annas.delete(f"{path}1/?name=Ben", 409)["code"] == "conflict"
    left = annas.delete(f"{path}1/?name={quote(seats[1]['name'])}", 200)["seats"]
    assert [seat["name"] for seat in left] == ["Anna"]
    assert annas.delete(f"{path}0/?name=Anna", 404)["code"] == "not-found"


def test_a_guest_leaves_and_sends_nobody_away(
    anna: User, annas: Program, ben: User, program: Programs, now: dt.datetime
) -> None:
    table = new_table(anna, now, is_listed=True)
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    bens = program(ben)
    bens.delete(f"games/{table.ref}/seats/0/?name=Anna", 404)
    bens.post(f"games/{table.ref}/seats/", {"bot": "random"}, 404)
    bens.delete(f"games/{table.ref}/join/", 204)
    assert list(table.seats.values_list("name", flat=True)) == ["Anna"]
    bens.delete(f"games/{table.ref}/join/", 404)
    annas.delete(f"games/{table.ref}/join/", 409)


def test_an_invitation_is_listed_answered_and_taken_back(
    annas: Program, table: Game, ben: User, carla: User, program: Programs
) -> None:
    path = f"games/{table.ref}/invitations/"
    for person in (ben, carla):
        annas.post(path, {"address": person.email}, 201)
    bens, carlas = program(ben), program(carla)
    (mine,) = bens.get("me/invitations/")["items"]
    assert (mine["game_ref"], mine["title"], mine["host"]) == (table.ref, "Thursday", "Anna")
    bens.get(f"games/{table.ref}/", 404)
    assert bens.post(f"me/invitations/{mine['ref']}/accept/", {"entropy": "camel"})["seat"] == 1
    assert bens.get("me/invitations/")["items"] == []
    carlas.post(f"me/invitations/{mine['ref']}/accept/", {}, 404)
    (hers,) = carlas.get("me/invitations/")["items"]
    carlas.post(f"me/invitations/{hers['ref']}/decline/", status=204)
    assert [row["status"] for row in annas.get(path)["items"]] == ["joined", "declined"]
    bens.get(path, 404)


def test_an_invitation_that_was_taken_back_seats_nobody(
    annas: Program, table: Game, ben: User, program: Programs
) -> None:
    row = annas.post(f"games/{table.ref}/invitations/", {"address": ben.email}, 201)
    path = f"games/{table.ref}/invitations/{row['ref']}/"
    program(ben).delete(path, 404)
    annas.delete(path)
    annas.delete(path, 404)
    program(ben).post(f"me/invitations/{row['ref']}/accept/", {}, 409)
    assert Invitation.objects.get().status == "withdrawn" and table.seats.count() == 1
