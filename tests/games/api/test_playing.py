"""A program plays: finds its games, reads what is asked, answers, and reads what happened."""

import base64
import datetime as dt
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.lobby import lifecycle
from games.models import Decision, Game, Move, Seat, User
from games.play import history, queries, table_talk
from notifications.models import Notice
from tests.games.api.conftest import Program
from tests.games.api.playing import abandoned, some_action
from tests.games.conftest import (
    answer,
    fresh,
    new_table,
    open_rows,
    running,
    seat_of,
    settle,
    some_answer,
    to_placing,
)  # fmt: skip

Programs = Callable[[User], Program]


@pytest.mark.slow
def test_a_program_plays_a_whole_game_against_bots(anna: User, annas: Program, now: dt.datetime) -> None:
    game = new_table(anna, now, bots=("greedy", "random"), rules_name="cave-of-wonders", options={})
    lifecycle.start(game_id=game.pk, host=anna, now=now)
    dice, last = Random(3), 0
    for _step in range(400):
        settle(dt.datetime.now(dt.UTC))
        waiting = [row for row in annas.get("games/")["items"] if row["waiting"]]
        if not waiting:
            break
        (question,) = annas.get(f"games/{game.ref}/decisions/")["items"]
        path = f"games/{game.ref}/decisions/{question['code']}/"
        answered = annas.post(path, {"action": some_action(question, dice)})
        log = annas.get(f"games/{game.ref}/log/?after={last}")
        numbers = [line["number"] for line in log["items"]]
        assert numbers == list(range(last + 1, last + 1 + len(numbers)))  # public numbers have no gaps
        assert answered["happened"] == log["items"][len(log["items"]) - len(answered["happened"]) :]
        last += len(numbers)
    over = annas.get(f"games/{game.ref}/")
    assert over["status"] == "finished"
    assert over["outcome"]["ending"] == "complete"
    assert over["outcome"]["places"][0]["seat"] in over["outcome"]["winners"]
    assert over["outcome"]["reason"]


def test_who_am_i(anna: User, annas: Program) -> None:
    assert annas.get("me/") == {
        "ref": anna.ref, "name": "Anna", "address": "anna@example.org", "language": "en", "zone": "UTC",
        "has_profile": True, "curve_shown": "all", "hours_shown": "nobody", "is_ranked": False, "proposals_shown": "",
        "discord_id": "", "lends_positions": False, "owner": None, "events_url": "http://localhost:8000/api/v1/me/events/",
    }  # fmt: skip


def test_my_games_say_what_waits_for_me_and_until_when(game: Game, anna: User, annas: Program) -> None:
    (row,) = annas.get("games/")["items"]
    due_at = Decision.objects.get(game=game, seat__user=anna).due_at
    assert due_at is not None
    assert (row["ref"], row["title"], row["status"]) == (game.ref, "Thursday", "running")
    assert row["seat"] == seat_of(game, anna).number
    assert row["waits_for"] == [0, 1, 2]
    assert row["waiting"] == [
        {
            "code": "start-treasures",
            "kind": "take_treasures",
            "is_sealed": True,
            "due_at": due_at.isoformat().replace("+00:00", "Z"),
        }
    ]


def test_the_list_of_games_comes_in_parts(anna: User, annas: Program, now: dt.datetime) -> None:
    refs = [new_table(anna, now + dt.timedelta(minutes=n)).ref for n in range(5)]
    told, cursor = [], ""
    while cursor is not None:
        part = annas.get(f"games/?limit=2&cursor={cursor}")
        told += [row["ref"] for row in part["items"]]
        cursor = part["next"]
    assert told == refs[::-1]
    assert annas.get("games/?is_waiting=true")["items"] == annas.get("games/?status=running")["items"] == []
    assert len(annas.get("games/?status=open&is_waiting=false")["items"]) == 5
    assert annas.get("games/?is_waiting=", 422)["errors"][0]["field"] == "is_waiting"


def test_a_cursor_gives_no_row_number_away(anna: User, annas: Program, now: dt.datetime) -> None:
    """It would count what is in the whole house, notices about sealed answers of others among it."""
    for minutes in range(2):
        new_table(anna, now + dt.timedelta(minutes=minutes))
    cursor = annas.get("games/?limit=1")["next"]
    with pytest.raises(UnicodeDecodeError):
        base64.urlsafe_b64decode(cursor).decode("ascii")


@pytest.mark.parametrize("cursor", ["x", "W10=", "bnVsbA==", "WyJhIl0=", "W05hTl0=", "[]", "%C3%A9", "W3RydWVd"])
def test_a_cursor_that_is_none_of_ours_is_refused(annas: Program, cursor: str) -> None:
    for path in ("games/", "tables/", "me/told/"):
        assert annas.get(f"{path}?cursor={cursor}", 422)["errors"][0]["field"] == "cursor"


def test_the_cursor_of_another_list_is_refused(game: Game, anna: User, annas: Program, now: dt.datetime) -> None:
    new_table(anna, now)
    cursors = {path: annas.get(f"{path}?limit=1")["next"] for path in ("games/", "me/told/")}
    assert None not in cursors.values()
    assert annas.get(f"games/?cursor={cursors['me/told/']}", 422)["errors"][0]["field"] == "cursor"
    assert annas.get(f"me/told/?cursor={cursors['games/']}", 422)["errors"][0]["field"] == "cursor"


def test_a_list_goes_on_where_the_last_row_is_gone(
    placing: Game, annas: Program, anna: User, ben: User, now: dt.datetime
) -> None:
    """What was told is deleted after a while, and so are tables that have found no players."""
    refs = [new_table(anna, now + dt.timedelta(minutes=n), is_listed=True).ref for n in range(4)]
    cursor = annas.get("tables/?limit=2")["next"]
    Game.objects.filter(ref=refs[2]).delete()
    assert [row["ref"] for row in annas.get(f"tables/?cursor={cursor}")["items"]] == refs[1::-1]

    for hours in range(4):
        table_talk.say(game_id=placing.pk, user=ben, text="@Anna", now=now + dt.timedelta(hours=hours))
    path = f"me/told/?game_ref={placing.ref}"
    before = annas.get(path)["items"]
    cursor = annas.get(f"{path}&limit=2")["next"]
    Notice.objects.filter(recipient=anna.recipient).order_by("-pk")[1].delete()
    assert annas.get(f"{path}&cursor={cursor}")["items"] == before[2:]


def test_a_cursor_under_an_older_key_still_goes_on(anna: User, annas: Program, now: dt.datetime, settings: Any) -> None:
    settings.SEALING_KEYS = ["old"]
    refs = [new_table(anna, now + dt.timedelta(minutes=n)).ref for n in range(2)]
    cursor = annas.get("games/?limit=1")["next"]
    settings.SEALING_KEYS = ["new", "old"]
    assert [row["ref"] for row in annas.get(f"games/?limit=1&cursor={cursor}")["items"]] == refs[:1]


def test_a_game_shows_its_table_and_the_view_of_my_seat(
    placing: Game, anna: User, annas: Program, now: dt.datetime
) -> None:
    shown = annas.get(f"games/{placing.ref}/")
    number = seat_of(placing, anna).number
    assert shown["seat"] == shown["view"]["seat"] == number
    assert [seat["name"] for seat in shown["seats"]] == placing.seat_names()
    assert shown["waits_for"] == [row.seat.number for row in open_rows(placing)]
    assert shown["view"]["hand"] == placing.load_state().hands[number]
    assert "Anna" in shown["board"]
    assert shown["last_number"] == placing.public_events
    assert shown["fairness"] == {
        "commitment": placing.commitment, "server_seed": None, "entropies": None, "chain": None,
    }  # fmt: skip


def test_the_seed_is_shown_when_the_game_is_over(game: Game, annas: Program, now: dt.datetime) -> None:
    game = abandoned(game, now)
    fairness = annas.get(f"games/{game.ref}/")["fairness"]
    assert fairness["server_seed"] == game.server_seed
    assert fairness["chain"] == game.chain
    assert fairness["entropies"] == ["", "", ""]


def test_a_table_that_waits_for_players_has_no_view(table: Game, annas: Program) -> None:
    shown = annas.get(f"games/{table.ref}/")
    assert (shown["status"], shown["view"], shown["board"], shown["outcome"]) == ("open", None, "", None)
    assert annas.get(f"games/{table.ref}/decisions/")["items"] == []
    assert annas.get(f"games/{table.ref}/log/") == {"items": [], "last": 0, "is_complete": True}


def test_a_listed_game_is_shown_to_outsiders_as_to_spectators(
    anna: User, ben: User, carla: User, david: User, program: Programs, now: dt.datetime
) -> None:
    game = to_placing(running(anna, [ben, carla], now, is_listed=True), now)
    shown = program(david).get(f"games/{game.ref}/")
    assert (shown["seat"], shown["view"]["seat"], shown["view"]["hand"]) == (None, None, None)


def test_the_log_comes_in_pieces(placing: Game, annas: Program, now: dt.datetime) -> None:
    whole = annas.get(f"games/{placing.ref}/log/")
    assert whole["is_complete"]
    assert len(whole["items"]) == placing.public_events
    assert annas.get(f"games/{placing.ref}/log/?after=2&limit=3") == {
        "items": whole["items"][2:5],
        "last": 5,
        "is_complete": False,
    }
    last = placing.public_events
    assert annas.get(f"games/{placing.ref}/log/?after={last}") == {"items": [], "last": last, "is_complete": True}


def test_an_answer_is_a_move_by_this_person_through_the_api(game: Game, anna: User, annas: Program) -> None:
    (question,) = annas.get(f"games/{game.ref}/decisions/")["items"]
    annas.post(f"games/{game.ref}/decisions/{question['code']}/", {"action": some_action(question, Random(1))})
    move = Move.objects.get(game=game, kind=Move.Kind.ANSWER)
    assert (move.source, move.actor, move.seat) == ("api", anna, seat_of(game, anna).number)


def test_a_sealed_answer_may_be_replaced_until_all_have_answered(game: Game, annas: Program) -> None:
    """The starting treasures are chosen by all at once (A6)."""
    path = f"games/{game.ref}/decisions/start-treasures/"
    (question,) = annas.get(f"games/{game.ref}/decisions/")["items"]
    assert question["is_sealed"] and question["is_waiting"]
    for dice in (1, 2):
        answered = annas.post(path, {"action": some_action(question, Random(dice))})
        assert answered["happened"] == []
        assert [row["is_waiting"] for row in answered["decisions"]] == [False]


def test_a_placement_is_shown_with_its_value_to_its_player_alone(
    placing: Game, program: Programs, now: dt.datetime
) -> None:
    """A token lies face down (A20)."""
    (row,) = open_rows(placing)
    (other,) = placing.seats.exclude(pk=row.seat.pk)[:1]
    assert row.seat.user is not None and other.user is not None
    mine = program(row.seat.user)
    (question,) = mine.get(f"games/{placing.ref}/decisions/")["items"]
    action = some_action(question, Random(1))
    answered = mine.post(f"games/{placing.ref}/decisions/{row.code}/", {"action": action})
    assert answered["happened"][0]["event"]["value"] == action["token"]
    seen = program(other.user).get(f"games/{placing.ref}/log/?after={placing.public_events}")["items"][0]
    assert seen["event"] == answered["happened"][0]["event"] | {"value": None}


@pytest.mark.parametrize("wish", ["return=minimal", 'respond-async, Return = "minimal"; x=1'])
def test_who_prefers_to_hear_little_hears_only_that_his_answer_was_taken(game: Game, annas: Program, wish: str) -> None:
    (question,) = annas.get(f"games/{game.ref}/decisions/")["items"]
    path, body = f"/api/v1/games/{game.ref}/decisions/{question['code']}/", {"action": some_action(question, Random(1))}
    headers = annas.headers | {"Prefer": wish}
    said = annas.client.post(path, body, content_type="application/json", headers=headers)
    assert (said.status_code, said.content, said["Preference-Applied"]) == (204, b"", "return=minimal")
    assert Move.objects.filter(game=game, kind=Move.Kind.ANSWER).count() == 1


def test_other_preferences_change_nothing(game: Game, annas: Program) -> None:
    (question,) = annas.get(f"games/{game.ref}/decisions/")["items"]
    path, body = f"games/{game.ref}/decisions/{question['code']}/", {"action": some_action(question, Random(1))}
    assert annas.post(path, body, Prefer="return=representation")["status"] == "running"


def test_resigning_gives_the_seat_up(game: Game, anna: User, annas: Program) -> None:
    answered = annas.post(f"games/{game.ref}/resign/")
    assert [line["event"]["type"] for line in answered["happened"]] == ["SeatResigned"]
    assert answered["decisions"] == []
    assert seat_of(game, anna).status == Seat.Status.RESIGNED


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "log/", "decisions/"])
def test_what_a_game_costs_does_not_grow_with_its_log(game: Game, annas: Program, now: dt.datetime, path: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            annas.get(f"games/{game.ref}/{path}")
        return len(captured)

    def go_on(moves: int) -> None:
        """So many moves, and as many more as it takes until she is asked: else her questions need not be looked up."""
        while moves > 0 or not any(row.seat.name == "Anna" for row in open_rows(game)):
            row = open_rows(game)[0]
            answer(game, row, now, some_answer(fresh(game), row, moves))
            moves -= 1

    game = to_placing(game, now)
    annas.get("me/")  # the token's use has been noted
    go_on(0)
    early = queries()
    go_on(20)
    assert game.moves.count() > 20
    assert queries() == early


@pytest.mark.slow
def test_the_list_costs_the_same_for_one_game_and_for_many(
    anna: User, ben: User, carla: User, annas: Program, now: dt.datetime
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            annas.get("games/")["items"]
        return len(captured)

    running(anna, [ben, carla], now)
    annas.get("me/")
    one = queries()
    for _copy in range(4):
        running(anna, [ben, carla], now)
    assert queries() == one


def test_events_without_words_are_data_to_programs_and_no_lines_to_people(
    game: Game, anna: User, annas: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(game.rules), "say", lambda *_args: "")
    lines = annas.get(f"games/{game.ref}/log/")["items"]
    assert lines and {line["text"] for line in lines} == {""}
    assert all(line["event"] for line in lines)
    assert history.log_lines(queries.access_game(anna, game.ref)) == []


def test_a_game_and_what_is_asked_are_read_by_few_statements(
    placing: Game, program: Callable[[User], Program], django_assert_max_num_queries: Any
) -> None:
    (row,) = open_rows(placing)
    assert row.seat.user is not None
    player = program(row.seat.user)
    player.get(f"games/{placing.ref}/")  # the first time it is noted that the token is used
    with django_assert_max_num_queries(6):
        player.get(f"games/{placing.ref}/")
    with django_assert_max_num_queries(4):
        player.get(f"games/{placing.ref}/decisions/")["items"]
