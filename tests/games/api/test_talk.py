"""Table talk, notes and history by the API."""

import datetime as dt
from collections.abc import Callable

import pytest

from games.models import Game, User
from games.play import table_talk
from tests.games.api.conftest import Program
from tests.games.conftest import answer, open_rows


def test_what_one_says_the_others_read(
    game: Game, annas: Program, ben: User, program: Callable[[User], Program]
) -> None:
    said = annas.post(f"games/{game.ref}/talk/", {"text": "Hello @Ben"}, 201)
    assert (said["name"], said["text"], said["is_hidden"]) == ("Anna", "Hello @Ben", False)
    assert program(ben).get(f"games/{game.ref}/talk/")["items"] == [said]
    assert annas.post(f"games/{game.ref}/talk/", {"text": "Hello @Ben"}, 201) == said
    assert [one["unread_talk"] for one in program(ben).get("games/")["items"]] == [1]
    program(ben).post(f"games/{game.ref}/talk/read/", {}, 204)
    assert [one["unread_talk"] for one in program(ben).get("games/")["items"]] == [0]


@pytest.mark.slow
def test_what_cannot_be_said_is_refused_in_words(
    game: Game, annas: Program, david: User, program: Callable[[User], Program]
) -> None:
    for body in ({}, {"text": ""}, {"text": "x" * 1001}, {"text": "hi", "to": "Ben"}, {"text": "\u202e"}):
        assert annas.post(f"games/{game.ref}/talk/", body, 422)["detail"]
    assert program(david).post(f"games/{game.ref}/talk/", {"text": "hi"}, 404)["code"] == "not-found"
    for number in range(6):
        annas.post(f"games/{game.ref}/talk/", {"text": f"line {number}"}, 201)
    assert annas.post(f"games/{game.ref}/talk/", {"text": "more"}, 429)["code"] == "too-many"


def test_a_hidden_line_has_no_words(
    game: Game, annas: Program, ben: User, carla: User, program: Callable[[User], Program], now: dt.datetime
) -> None:
    comment = table_talk.say(game_id=game.pk, user=ben, text="rude", now=now)
    path = f"games/{game.ref}/talk/{comment.ref}/"
    program(carla).delete(path, 404)
    assert annas.delete(path, 200)["text"] is None
    (line,) = program(carla).get(f"games/{game.ref}/talk/")["items"]
    assert (line["text"], line["is_hidden"]) == (None, True)
    annas.delete(f"games/{game.ref}/talk/nothing12345/", 404)


def test_notes_are_kept_and_nobody_elses(
    game: Game, annas: Program, ben: User, david: User, program: Callable[[User], Program]
) -> None:
    path = f"games/{game.ref}/note/"
    assert annas.get(path) == {"text": ""}
    client, headers = annas.client, annas.headers
    kept = client.put(f"/api/v1/{path}", {"text": "Ben bluffs"}, content_type="application/json", headers=headers)
    assert kept.json() == annas.get(path) == {"text": "Ben bluffs"}
    assert program(ben).get(path) == {"text": ""}
    program(david).get(path, 404)


def test_the_last_step_is_the_game_and_the_first_its_beginning(game: Game, annas: Program, now: dt.datetime) -> None:
    for row in open_rows(game):
        answer(game, row, now)
    shown = annas.get(f"games/{game.ref}/")
    last = annas.get(f"games/{game.ref}/history/")
    assert (last["view"], last["board"], last["step"]) == (shown["view"], shown["board"], last["count"])
    first = annas.get(f"games/{game.ref}/history/?step=1")
    assert [line["number"] for line in first["lines"]][:1] == [1]
    scene = annas.get(f"games/{game.ref}/history/?step=999&scene=1")
    assert (scene["scene"], last["scene"], scene["step"]) == (1, last["scenes"], last["step"])
    assert scene["lines"] == last["lines"][: len(scene["lines"])]
    annas.get(f"games/{game.ref}/history/?step=0", 422)
    annas.get(f"games/{game.ref}/history/?scene=0", 422)
    annas.get(f"games/{game.ref}/history/?step=x", 422)


def test_an_open_table_has_no_history(table: Game, annas: Program) -> None:
    assert annas.get(f"games/{table.ref}/history/", 409)["code"] == "conflict"
