"""Blocking by the API."""

import datetime as dt
from collections.abc import Callable

from games.lobby import invitations
from games.models import Game, User
from games.play import table_talk
from tests.games.api.conftest import Program
from tests.games.conftest import new_table


def test_a_program_blocks_lists_and_unblocks(annas: Program, anna: User, ben: User, now: dt.datetime) -> None:
    assert annas.get("me/blocks/")["items"] == []
    (row,) = annas.post("me/blocks/", {"player_ref": ben.ref})["items"]
    assert (row["player_ref"], row["name"]) == (ben.ref, "Ben")
    assert len(annas.post("me/blocks/", {"player_ref": ben.ref})["items"]) == 1
    assert annas.post("me/blocks/", {"player_ref": anna.ref}, 409)["code"] == "conflict"
    annas.post("me/blocks/", {"player_ref": "nobody"}, 404)
    assert annas.post("me/blocks/", {}, 422)["detail"]
    deleted = annas.client.delete(f"/api/v1/me/blocks/{row['ref']}/", headers=annas.headers)
    assert deleted.status_code == 200 and deleted.json()["items"] == []
    assert annas.client.delete(f"/api/v1/me/blocks/{row['ref']}/", headers=annas.headers).status_code == 404


def test_who_writes_and_who_invites_are_blocked_by_what_they_sent(
    game: Game, annas: Program, anna: User, ben: User, program: Callable[[User], Program], now: dt.datetime
) -> None:
    line = table_talk.say(game_id=game.pk, user=anna, text="Hello", now=now)
    bens = program(ben)
    assert bens.get(f"games/{game.ref}/talk/")["items"][0]["is_folded"] is False
    assert bens.post(f"games/{game.ref}/talk/{line.ref}/block/")["items"][0]["name"] == "Anna"
    assert bens.get(f"games/{game.ref}/talk/")["items"][0]["is_folded"] is True
    assert annas.get(f"games/{game.ref}/talk/")["items"][0]["is_folded"] is False
    said = {event["event"]: event["data"] for event in bens.get("me/events/")["items"]}
    assert "ready" in said
    annas.post(f"games/{game.ref}/talk/{line.ref}/block/", status=404)
    ben.recipient.blocks.all().delete()
    row = invitations.invite(game_id=new_table(anna, now).pk, host=anna, address=ben.email, now=now)
    assert bens.post(f"me/invitations/{row.ref}/block/")["items"][0]["player_ref"] == anna.ref
    row.refresh_from_db()
    assert row.status == "declined" and bens.get("me/invitations/")["items"] == []


def test_tables_of_the_blocked_are_not_listed(annas: Program, ben: User, now: dt.datetime) -> None:
    table = new_table(ben, now, is_listed=True)
    assert [one["ref"] for one in annas.get("tables/")["items"]] == [table.ref]
    annas.post("me/blocks/", {"player_ref": ben.ref})
    assert annas.get("tables/")["items"] == []
    assert "block" not in annas.get("tournaments/")["items"]
