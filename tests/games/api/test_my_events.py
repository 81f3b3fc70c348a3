"""The stream of an account: what it tells first, what it tells later, and where it goes on."""

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import cursors
from games.api import play, streams
from games.lobby import invitations, lifecycle
from games.models import ApiToken, Game, User
from games.people import tokens
from games.play import standing_orders, table_talk
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.conftest import answer, fresh, new_table, open_rows, settle

Programs = Callable[[User], Program]
Told = list[tuple[str, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _at_noon(now: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(present, "now", lambda: now)


def look(program: Program, after: str = "") -> tuple[Told, str]:
    """What the account is told behind an id, and the next id."""
    headers = {"Last-Event-ID": after} if after else {}
    answered = program.get("me/events/", **headers)
    assert answered["is_complete"]
    return [(one["event"], one["data"]) for one in answered["items"]], answered["last"]


def streamed(program: Program, after: str = "") -> list[tuple[str, str, dict[str, Any]]]:
    """Type, id and data of each event of a stream."""
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": after} if after else {})}
    response = program.client.get("/api/v1/me/events/", headers=program.headers | headers)
    assert response["Content-Type"].startswith("text/event-stream")
    told = []
    for block in b"".join(response).decode().strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        if "event" in fields:
            told.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return told


def test_first_it_says_how_each_game_stands(game: Game, annas: Program) -> None:
    told, last = look(annas)
    assert [kind for kind, _data in told] == ["game", "ready"]
    state = told[0][1]
    assert (state["game_ref"], state["status"], state["paused_at"]) == (game.ref, "running", None)
    assert [seat["name"] for seat in state["seats"]] == [seat.name for seat in game.seated()]
    assert [one["code"] for one in state["waiting"]] == ["start-treasures"] and state["waiting"][0]["due_at"]
    assert [kind for kind, _data in look(annas, last)[0]] == ["ready"], "nothing has changed since"


def test_then_it_tells_the_public_lines_of_each_log_and_what_is_asked(game: Game, annas: Program, now: Any) -> None:
    _told, last = look(annas)
    for row in open_rows(game):
        answer(game, row, now)
    settle(now)
    told, later = look(annas, last)
    public = [line for line in annas.get(f"games/{game.ref}/log/")["items"] if line["number"] is not None]
    lines = [data for kind, data in told if kind == "log"]
    assert lines and lines == [{"game_ref": game.ref, **line} for line in public[-len(lines) :]]
    (state,) = [data for kind, data in told if kind == "game"]
    asked = [one["code"] for one in annas.get(f"games/{game.ref}/decisions/")["items"] if one["is_waiting"]]
    assert [one["code"] for one in state["waiting"]] == asked
    assert look(annas, last)[0] == told, "the same id tells the same again"
    assert [kind for kind, _data in look(annas, later)[0]] == ["ready"]


def test_others_are_told_nothing_of_a_sealed_answer(game: Game, annas: Program, ben: User, now: Any) -> None:
    _told, last = look(annas)
    before = annas.get("me/events/", **{"Last-Event-ID": last})
    for row in open_rows(game):
        if row.seat.user == ben:
            answer(game, row, now)
    assert annas.get("me/events/", **{"Last-Event-ID": last}) == before, "not even another id"


def test_it_tells_of_talk_a_new_table_an_invitation_and_a_lost_seat(
    anna: User, ben: User, annas: Program, program: Programs, now: Any
) -> None:
    bens = program(ben)
    _told, last = look(bens)
    table = new_table(anna, now)
    invitations.invite(game_id=table.pk, host=anna, address=ben.email, now=now)
    told, last = look(bens, last)
    assert [kind for kind, _data in told] == ["invitations", "ready"]
    (invited,) = told[0][1]["items"]
    assert invited["game_ref"] == table.ref
    bens.post(f"me/invitations/{invited['ref']}/accept/", {})
    table_talk.say(game_id=table.pk, user=anna, text="Welcome", now=now)
    told, last = look(bens, last)
    assert [kind for kind, _data in told] == ["talk", "game", "invitations", "ready"]
    assert (told[0][1]["game_ref"], told[0][1]["text"]) == (table.ref, "Welcome")
    assert told[1][1]["status"] == "open" and told[2][1] == {"items": [], "next": None}
    lifecycle.leave(game_id=table.pk, user=ben)
    told, last = look(bens, last)
    assert told == [("gone", {"game_ref": table.ref}), ("ready", {})]


def test_who_comes_back_late_hears_of_a_game_that_began_and_ended_meanwhile(
    game: Game, annas: Program, now: Any
) -> None:
    _told, last = look(annas)
    Game.objects.filter(pk=game.pk).update(status="closed", finished_at=now - streams.KEPT * 3)
    told, last = look(annas, last)
    assert [(kind, data.get("status")) for kind, data in told] == [("game", "closed"), ("ready", None)]
    fresh, _last = look(annas)
    assert [kind for kind, _data in fresh] == ["ready"], "what has long been over is not told to who begins"


def test_the_stream_tells_the_same_and_the_last_event_of_a_look_has_the_id(
    game: Game, annas: Program, now: Any, settings: Any
) -> None:
    settings.API_STREAM_SECONDS = 0
    told = streamed(annas)
    assert [kind for kind, _id, _data in told] == ["game", "ready"]
    (last,) = [number for _kind, number, _data in told if number]
    for row in open_rows(game):
        answer(game, row, now)
    settle(now)
    assert [(kind, data) for kind, _id, data in streamed(annas, last)] == look(annas, last)[0]


def test_a_long_absence_is_told_in_pieces_without_a_gap(
    game: Game, annas: Program, now: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _told, last = look(annas)
    for row in open_rows(game):
        answer(game, row, now)
    settle(now)
    whole = [data["number"] for kind, data in look(annas, last)[0] if kind == "log"]
    monkeypatch.setattr(streams, "PIECE", 1)
    found: list[int] = []
    for _piece in range(len(whole) + 1):
        answered = annas.get("me/events/", **{"Last-Event-ID": last})
        found += [one["data"]["number"] for one in answered["items"] if one["event"] == "log"]
        last = answered["last"]
        if answered["is_complete"]:
            break
    assert len(whole) > 1 and found == whole


@pytest.mark.parametrize(
    "last", ["7", "x" * 4000, "'; --", "AAAA", cursors.seal([1, "", ""], "games"), cursors.seal([2], "me/events 1")]
)
def test_an_id_of_something_else_is_refused_in_words(annas: Program, last: str) -> None:
    refused = annas.get("me/events/", 422, **{"Last-Event-ID": last})
    assert refused["code"] == "invalid" and [one["field"] for one in refused["errors"]] == ["Last-Event-ID"]
    assert "id of an event of yours" in refused["errors"][0]["message"]


def test_the_id_of_one_account_opens_nothing_for_another(
    game: Game, annas: Program, ben: User, program: Programs
) -> None:
    _told, last = look(annas)
    assert program(ben).get("me/events/", 422, **{"Last-Event-ID": last})["code"] == "invalid"


@pytest.mark.parametrize("inside", [[1, "", "", "a.b"], [1, "", "", "a.1.x.b"], [1], [9, "", "", ""], [1, "", "", 5]])
def test_an_id_of_another_format_is_refused(annas: Program, anna: User, inside: list[Any]) -> None:
    annas.get("me/events/", 422, **{"Last-Event-ID": cursors.seal(inside, f"me/events {anna.pk}")})


def test_an_id_fits_into_a_header_however_many_games_there_are(annas: Program, anna: User) -> None:
    watched = streams.Changes(anna)
    watched._told = {f"k3v9pq2mz{number:03}": streams.Progress(9999, 999, "abcdef") for number in range(500)}
    assert len(watched.position) < 8000
    again = streams.Changes(anna, watched.position)
    assert list(again._told) == list(watched._told)[-streams.MOST_GAMES :]


def test_a_revoked_token_ends_the_stream(
    game: Game, annas: Program, now: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_STREAM_SECONDS = 60
    row = ApiToken.objects.get(digest=tokens.digest(annas.token))
    monkeypatch.setattr(streams.time, "sleep", lambda _s: tokens.revoke(user=row.user, ref=row.ref, now=now))
    assert [kind for kind, _id, _data in streamed(annas)] == ["game", "ready"]
    assert annas.client.get("/api/v1/me/events/", headers=annas.headers).status_code == 401


def test_an_account_without_a_token_gets_no_stream(db: None) -> None:
    refused = Client().get("/api/v1/me/events/", headers={"Accept": "text/event-stream"})
    assert (refused.status_code, refused["Content-Type"]) == (401, "application/problem+json")


def test_a_private_part_of_a_log_longer_than_a_look_holds_up_neither_stream(
    placing: Game, annas: Program, anna: User, now: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.API_STREAM_SECONDS = 0
    for module in (streams, play):
        monkeypatch.setattr(module, "PIECE", 2)
    told = streams.Changes(anna)
    told.look()
    tomorrow = now + dt.timedelta(days=1)
    orders = [
        {
            "kind": "place",
            "answers": [{"type": "place", "token": token, "space": "guard"}],
            "until": "date",
            "ends_at": tomorrow.isoformat(),
        }
        for token in (9, 8, 7)
    ]
    given = annas.client.put(
        f"/api/v1/games/{placing.ref}/orders/", {"orders": orders}, "application/json", headers=annas.headers
    )
    assert given.status_code == 200 and all(standing_orders.end_one(tomorrow) for _order in orders)
    answer(placing, open_rows(placing)[0], now)
    settle(now)
    log = annas.get(f"games/{placing.ref}/log/")["items"]
    assert sum(line["number"] is None for line in log) == 3
    read: list[Any] = []
    after, is_complete = 0, False
    while not is_complete:
        piece = annas.get(f"games/{placing.ref}/log/?after={after}&limit=1")
        assert piece["last"] > after or piece["is_complete"], "it goes on, however many lines are private"
        read, after, is_complete = [*read, *piece["items"]], piece["last"], piece["is_complete"]
    assert read == log
    numbers: list[int] = []
    for _look in range(20):
        numbers += [event.data["number"] for event in told.look() if event.name == "log"]
        if not told.is_behind:
            break
    assert not told.is_behind and numbers[-1] == fresh(placing).public_events
    path = f"/api/v1/games/{placing.ref}/events/?after={numbers[0] - 1}"
    seen = annas.client.get(path, headers=annas.headers | {"Accept": "text/event-stream"})
    assert f"id: {numbers[0]}\n" in b"".join(seen).decode()
