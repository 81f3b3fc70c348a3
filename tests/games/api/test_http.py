"""What HTTP adds to the API: tags of what was read, how much may still be asked, events as they happen, the docs."""

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.api import play
from games.api.access import PublicThrottle
from games.models import Game, User
from games.people import blocks
from tests.games.api.conftest import Program
from tests.games.conftest import answer, new_table, open_rows

Programs = Callable[[User], Program]


def ask(program: Program, path: str, **headers: str) -> Any:
    return program.client.get(f"/api/v1/{path}", headers=program.headers | headers)


def test_what_has_not_changed_is_not_sent_again(game: Game, annas: Program, ben: User, now: Any) -> None:
    path = f"games/{game.ref}/"
    tag = ask(annas, path)["ETag"]
    again = ask(annas, path, **{"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    for row in open_rows(game):
        if row.seat.user == ben:
            answer(game, row, now)  # in secret: it must not show
    assert ask(annas, path, **{"If-None-Match": tag}).status_code == 304
    annas.post(f"games/{game.ref}/talk/", {"text": "Hello"}, 201)
    annas.post(f"games/{game.ref}/pause/")
    changed = ask(annas, path, **{"If-None-Match": tag})
    assert changed.status_code == 200 and changed["ETag"] != tag


def test_a_part_of_a_list_that_has_not_changed_is_not_sent_again(game: Game, annas: Program, now: Any) -> None:
    new_table(game.host, now, is_listed=True)
    new_table(game.host, now, is_listed=True)
    for path in ("games/?limit=1", "tables/?limit=1", "me/told/?limit=1"):
        first = ask(annas, path)
        assert first.json()["next"] is not None
        assert ask(annas, path, **{"If-None-Match": first["ETag"]}).status_code == 304


def test_an_unknown_format_in_an_address_is_passed_over_like_every_unknown_word(annas: Program) -> None:
    assert ask(annas, "me/?format=xml").json() == ask(annas, "me/").json()


def test_every_answer_says_how_much_may_still_be_asked(annas: Program) -> None:
    first, second = ask(annas, "me/"), ask(annas, "me/", **{"If-None-Match": "x"})
    assert first["RateLimit-Limit"] == "600"
    assert int(first["RateLimit-Remaining"]) - int(second["RateLimit-Remaining"]) == 1
    assert 0 < int(first["RateLimit-Reset"]) <= 61
    assert "RateLimit-Limit" not in Client().get("/api/v1/me/")


def events(response: Any) -> list[tuple[str, str, Any]]:
    """Type, id and data of each event."""
    told = []
    for block in b"".join(response).decode().strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        if "event" in fields:
            told.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return told  # the client closes what was read to its end


def test_events_are_the_public_lines_of_the_log_and_what_waits_for_me(
    game: Game, annas: Program, settings: Any
) -> None:
    settings.API_STREAM_SECONDS = 0
    wanted = {"Accept": "text/event-stream"}
    response = ask(annas, f"games/{game.ref}/events/", **wanted)
    assert response["Content-Type"].startswith("text/event-stream") and response["Cache-Control"] == "no-store"
    told = events(response)
    lines = annas.get(f"games/{game.ref}/log/")["items"]
    public = [line for line in lines if line["number"] is not None]
    assert [data for kind, _id, data in told if kind == "log"] == public
    assert [number for kind, number, _data in told if kind == "log"] == [str(line["number"]) for line in public]
    assert told[-1][0::2] == ("waiting", {"codes": ["start-treasures"]})
    seen = ask(annas, f"games/{game.ref}/events/", **wanted, **{"Last-Event-ID": str(public[-1]["number"])})
    assert [kind for kind, _id, _data in events(seen)] == ["waiting"]


def test_a_stream_tells_what_happens_while_it_is_open(
    game: Game, annas: Program, now: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_STREAM_SECONDS = 60
    moves = iter(open_rows(game))

    def while_it_waits(_seconds: float) -> None:
        row = next(moves, None)
        if row is None:
            settings.API_STREAM_SECONDS = 0
            monkeypatch.setattr(play.time, "monotonic", lambda: float("inf"))
        else:
            answer(game, row, now)

    monkeypatch.setattr(play.time, "sleep", while_it_waits)
    told = events(ask(annas, f"games/{game.ref}/events/?after={game.public_events}", Accept="text/event-stream"))
    kinds = [kind for kind, _id, _data in told]
    assert kinds[0] == "waiting" and "log" in kinds
    assert [data["codes"] for kind, _id, data in told if kind == "waiting"][:2] == [["start-treasures"], []]


def test_there_are_only_so_many_streams_and_refusals_are_problems(
    game: Game, annas: Program, ben: User, carla: User, david: User, program: Programs, settings: Any
) -> None:
    settings.API_STREAM_SECONDS = 0
    wanted = {"Accept": "text/event-stream"}
    opened = [ask(annas, f"games/{game.ref}/events/", **wanted) for _nth in range(play.SHARE)]
    refused = ask(annas, f"games/{game.ref}/events/", **wanted)
    others = ask(program(ben), f"games/{game.ref}/events/", **wanted)
    assert others.status_code == 200 and ask(program(carla), f"games/{game.ref}/events/", **wanted).status_code == 429
    opened.append(others)
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (429, "too-many", "6")
    for response in opened:
        assert events(response)
    foreign = ask(program(david), f"games/{game.ref}/events/", **wanted)
    assert (foreign.status_code, foreign["Content-Type"]) == (404, "application/problem+json")
    assert events(ask(annas, f"games/{game.ref}/events/", **wanted))


def test_the_page_of_the_api_loads_nothing_of_others(db: None) -> None:
    page = Client().get("/api/docs/")
    assert page.status_code == 200 and b"swagger-ui-bundle" in page.content
    assert b"://" not in page.content.replace(b"http://www.w3.org", b"").split(b"<main")[1].split(b"</main")[0]
    assert b"<style" not in page.content and b"onclick" not in page.content
    assert "img-src 'self' data:;" in page["Content-Security-Policy"], "the icons in its styles are seen"
    assert "style-src 'self';" in page["Content-Security-Policy"]


def test_what_is_public_is_told_to_a_stranger_whoever_asks(
    anna: User, ben: User, annas: Program, now: dt.datetime, client: Client
) -> None:
    listed = new_table(anna, now, is_listed=True)
    blocks.block(by=ben.recipient, other=anna, now=now)
    client.force_login(ben)
    for path in ("rules/", "tables/", "archive/", "tournaments/", "puzzles/", "ratings/cave-of-wonders/"):
        stranger = Client().get(f"/api/v1/public/{path}")
        answers = [
            client.get(f"/api/v1/public/{path}", headers={"Accept-Language": "en"}),
            client.get(f"/api/v1/public/{path}", headers=annas.headers | {"Accept-Language": "en"}),
            client.get(f"/api/v1/public/{path}", headers={"Authorization": "Bearer wrong"}),
        ]
        assert {one.content for one in answers} == {stranger.content}, path
        for one in (stranger, *answers):
            assert (one["Access-Control-Allow-Origin"], one["Cache-Control"]) == ("*", "public, max-age=60")
            assert one["ETag"] and "Cookie" not in one["Vary"] and not one.cookies
    assert [row["ref"] for row in Client().get("/api/v1/public/tables/").json()["items"]] == [listed.ref]
    again = client.get(
        "/api/v1/public/rules/", headers={"If-None-Match": Client().get("/api/v1/public/rules/")["ETag"]}
    )
    assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")
    Game.objects.update(is_listed=False, is_watchable=True)
    assert client.get(f"/api/v1/public/games/{listed.ref}/record/").status_code == 404
    assert client.post("/api/v1/public/tables/", headers=annas.headers).status_code == 405


def test_a_puzzle_is_read_and_tried_without_a_token(db: None) -> None:
    (first, *_more) = Client().get("/api/v1/public/puzzles/").json()["items"]
    path = f"/api/v1/public/puzzles/{first['rules']}/"
    puzzle = Client().get(path).json()
    assert puzzle["ask"] == first["ask"] and puzzle["view"] and puzzle["told"] == []
    assert Client().get(path, {"answer": puzzle["choices"][0]["value"]}).json()["told"]
    assert Client().get(path, {"answer": "nonsense"}).status_code == 404


def test_a_network_has_a_share_of_what_is_public(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PublicThrottle, "rate", "2/min")
    asked = [Client().get("/api/v1/public/rules/", REMOTE_ADDR="192.0.2.7").status_code for _nth in range(3)]
    assert asked == [200, 200, 429]
    assert Client().get("/api/v1/public/rules/", REMOTE_ADDR="192.0.2.8").status_code == 200
