"""A program opens tables, fills them, joins and starts them."""

import datetime as dt
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games.lobby import lifecycle
from games.models import Game, Invitation, Seat, User
from games.play import game_moves
from tests.games.api.conftest import Program
from tests.games.api.playing import some_action
from tests.games.conftest import fresh, make_user, new_table, running, seat_of

Programs = Callable[[User], Program]
PLAN: dict[str, Any] = {"rules": "aladdins-dragons", "seat_count": 3}


def test_a_table_is_opened_filled_started_and_played(annas: Program, ben: User, program: Programs) -> None:
    opened = annas.post("games/", PLAN | {"title": "Friday", "is_listed": True, "bots": ["random"]}, status=201)
    assert (opened["status"], opened["seat"], opened["title"]) == ("open", 0, "Friday")
    assert [seat["bot"] for seat in opened["seats"]] == ["", "random"]
    bens = program(ben)
    (found,) = bens.get("tables/")["items"]
    assert (found["ref"], found["host"], len(found["seats"])) == (opened["ref"], "Anna", 2)
    joined = bens.post(f"games/{found['ref']}/join/", {"entropy": "camel"})
    assert joined["seat"] == 2
    assert Seat.objects.get(user=ben).entropy == "camel"
    started = annas.post(f"games/{opened['ref']}/start/")
    assert started["status"] == "running"
    assert started["view"]
    (question,) = bens.get(f"games/{found['ref']}/decisions/")["items"]
    bens.post(f"games/{found['ref']}/decisions/{question['code']}/", {"action": some_action(question, Random(1))})
    assert bens.get("tables/")["items"] == []


def test_a_plan_says_everything_a_host_can_choose(annas: Program) -> None:
    (rules,) = (one for one in annas.get("rules/")["items"] if one["name"] == "aladdins-dragons")
    assert rules["seat_counts"] == [3, 4, 5]
    options = {option["name"]: option["values"][-1]["value"] for option in rules["options"]}
    chosen = {
        "pace": "brisk", "missed": "proposal", "absent_seats": "takeover", "absent_after": 5,
        "is_first_miss_excused": False, "is_listed": True, "is_watchable": True, "allows_own_bots": True,
        "stops_at_night": False, "stops_on_weekends": True, "allows_vacation": False, "options": options,
    }  # fmt: skip
    opened = annas.post("games/", PLAN | {"title": "All"} | chosen, status=201)
    game = Game.objects.get(ref=opened["ref"])
    assert {name: getattr(game, name) for name in chosen} == chosen
    assert game.rules_name == rules["name"]


def test_a_table_that_is_opened_says_where_it_is(annas: Program) -> None:
    response = annas.client.post("/api/v1/games/", PLAN, content_type="application/json", headers=annas.headers)
    assert response["Location"] == f"/api/v1/games/{response.json()['ref']}/"


@pytest.mark.parametrize(
    ("_case", "change", "code"),
    [
        ("no such game", {"rules": "chess"}, "no-such-rules"),
        ("two seats (A1)", {"seat_count": 2}, "seat-count"),
        ("no such option", {"options": {"dragons": "many"}}, "no-such-option"),
        ("no such bot", {"bots": ["deep-thought"]}, "no-such-bot"),
        ("no chair for the host", {"bots": ["random"] * 3}, "no-seat-left"),
        ("no such pace", {"pace": "warp"}, "invalid"),
        ("no such timeout", {"missed": "shout"}, "invalid"),
        ("an unknown field", {"colour": "red"}, "invalid"),
        ("a field of the wrong kind", {"seats": "many"}, "invalid"),
        ("a title that is too long", {"title": "x" * 61}, "invalid"),
    ],
)
def test_a_plan_that_cannot_be_opens_no_table(annas: Program, _case: str, change: dict[str, Any], code: str) -> None:
    assert annas.post("games/", PLAN | change, status=422)["code"] == code
    assert not Game.objects.exists()


def test_a_word_that_is_none_of_the_words_is_refused_with_those_there_are(annas: Program) -> None:
    (error,) = annas.post("games/", PLAN | {"pace": "warp"}, status=422)["errors"]
    assert error == {"field": "pace", "message": "“warp” is none of these: relaxed, daily, brisk, swift, live."}


def test_a_pace_for_trying_things_out_is_one_of_the_words(annas: Program, settings: Any) -> None:
    settings.EXTRA_PACE = "blitz:20"
    ref = annas.post("games/", PLAN | {"pace": "blitz"}, status=201)["ref"]
    assert annas.get(f"games/{ref}/")["pace"] == "blitz"
    assert annas.get("tables/?pace=blitz&rules=")["items"] == []
    annas.patch(f"games/{ref}/settings/", {"pace": "daily"})
    annas.patch(f"games/{ref}/settings/", {"pace": "blitz"})
    settings.EXTRA_PACE = ""
    assert annas.post("games/", PLAN | {"pace": "blitz"}, status=422)["code"] == "invalid"


def test_only_so_many_tables_wait_for_one_host(annas: Program, settings: Any) -> None:
    settings.OPEN_TABLES_PER_HOST = 1
    annas.post("games/", PLAN, status=201)
    assert annas.post("games/", PLAN, status=409)["code"] == "limit-reached"


def test_the_list_of_tables_has_listed_ones_alone_and_comes_in_parts(
    anna: User, ben: User, program: Programs, now: dt.datetime
) -> None:
    new_table(anna, now)
    refs = [new_table(anna, now + dt.timedelta(minutes=n), is_listed=True).ref for n in range(3)]
    part = program(ben).get("tables/?limit=2")
    assert [row["ref"] for row in part["items"]] == [refs[2], refs[1]]
    new_table(anna, now, is_listed=True)
    rest = program(ben).get(f"tables/?limit=2&cursor={part['next']}")
    assert [row["ref"] for row in rest["items"]] == [refs[0]] and rest["next"] is None


def test_tables_are_found_by_what_somebody_looks_for(
    anna: User, ben: User, program: Programs, now: dt.datetime
) -> None:
    slow = new_table(anna, now, is_listed=True, pace="relaxed").ref
    bots = new_table(anna, now, is_listed=True, bots=("greedy",)).ref
    for wish, found in {
        "free=2": {slow},
        "pace=relaxed": {slow},
        "has_bots=true": {bots},
        "has_bots=false&rules=aladdins-dragons&language=en": {slow},
        "rules=cave-of-wonders": set(),
    }.items():
        assert {row["ref"] for row in program(ben).get(f"tables/?{wish}")["items"]} == found
    program(ben).get("tables/?free=none", status=422)


def test_a_table_that_is_not_listed_cannot_be_found_or_joined(table: Game, ben: User, program: Programs) -> None:
    for action in ("join", "start"):
        assert program(ben).post(f"games/{table.ref}/{action}/", status=404)["code"] == "not-found"
    body = {"address": "eva@example.org"}
    assert program(ben).post(f"games/{table.ref}/invitations/", body, status=404)["code"] == "not-found"
    assert table.seats.count() == 1


def test_joining_twice_gives_one_seat_and_a_full_table_takes_nobody(
    anna: User, ben: User, carla: User, program: Programs, now: dt.datetime
) -> None:
    table = new_table(anna, now, is_listed=True, bots=("random",))
    for _time in range(2):
        assert program(ben).post(f"games/{table.ref}/join/")["seat"] == 2
    assert program(carla).post(f"games/{table.ref}/join/", status=409)["code"] == "conflict"


def test_what_is_the_hosts_no_guest_can_do(anna: User, ben: User, program: Programs, now: dt.datetime) -> None:
    table = new_table(anna, now, is_listed=True)
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    for action in ("start", "close"):
        program(ben).post(f"games/{table.ref}/{action}/", status=404)
    program(ben).post(f"games/{table.ref}/invitations/", {"address": "eva@example.org"}, status=404)
    assert fresh(table).status == "open"
    assert not Invitation.objects.exists()


def test_a_game_begins_once_and_with_all_seats_taken(annas: Program, table: Game, anna: User, now: dt.datetime) -> None:
    assert annas.post(f"games/{table.ref}/start/", status=409)["code"] == "conflict"
    for bot in ("random", "greedy"):
        lifecycle.add_bot(game_id=table.pk, host=anna, bot=bot, now=now)
    annas.post(f"games/{table.ref}/start/")
    for action in ("start", "join"):
        assert annas.post(f"games/{table.ref}/{action}/", status=409)["code"] == "conflict"
    assert annas.delete(f"games/{table.ref}/", 409)["code"] == "conflict"


def test_an_invitation_is_sent_once(annas: Program, table: Game) -> None:
    sent = annas.post(f"games/{table.ref}/invitations/", {"address": "Eva@example.org"}, status=201)
    assert (sent["address"], sent["status"]) == ("eva@example.org", "sent")
    assert annas.post(f"games/{table.ref}/invitations/", {"address": "eva@example.org"}, status=201) == sent
    assert annas.post(f"games/{table.ref}/invitations/", {"address": "eva"}, status=422)["code"] == "no-address"
    assert annas.post(f"games/{table.ref}/invitations/", {}, status=422)["code"] == "invalid"
    assert Invitation.objects.count() == 1


def test_a_table_is_closed_by_its_host(annas: Program, table: Game) -> None:
    assert annas.delete(f"games/{table.ref}/", 200)["status"] == "closed"
    assert annas.delete(f"games/{table.ref}/", 409)["code"] == "conflict"


@pytest.mark.slow
def test_the_description_has_no_doubts(tmp_path: Any) -> None:
    """Every type is known to the library that writes it: a guess is a warning, and a warning fails."""
    written = tmp_path / "schema.yml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(written))
    assert "openapi: 3.1.0" in written.read_text()


@pytest.mark.slow
def test_a_program_plays_again_with_the_same_people(
    annas: Program, program: Programs, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    game = running(anna, [ben, carla], now)
    annas.post(f"games/{game.ref}/again/", status=409)
    for user in (ben, carla):
        game_moves.resign(game_id=game.pk, seat=seat_of(game, user).number, actor=user, source="api", now=now)
    game_moves.end_by_wish(game_id=game.pk, seat=seat_of(game, anna).number, actor=anna, source="api", now=now)
    opened = annas.post(f"games/{game.ref}/again/", status=201)
    assert (opened["table"]["status"], opened["table"]["title"], opened["missing"]) == ("open", game.title, [])
    joined = program(ben).post(f"games/{game.ref}/again/", status=200)
    assert (joined["table"]["ref"], joined["table"]["seat"]) == (opened["table"]["ref"], 1)
    program(make_user("Eva")).post(f"games/{game.ref}/again/", status=404)
