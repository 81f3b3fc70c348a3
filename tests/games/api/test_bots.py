"""Bot accounts by the API: what their owners do with them, and what they may do themselves."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from msgspec import to_builtins

from games.api import access, urls
from games.lobby import bot_accounts, lifecycle
from games.models import Game, Seat, User
from games.people import tokens
from games.play import absences
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.api.matrix import CHANGES, READS
from tests.games.api.test_matrix import address, everything, methods
from tests.games.conftest import fresh, new_table, open_rows, seat_of, to_placing

BOTS_CHANGE = {
    ("POST", "api_answer_decision"),
    ("DELETE", "api_take_back"),
    ("PUT", "api_read_orders"),
    ("POST", "api_resign"),
    ("POST", "api_come_back"),
    ("DELETE", "api_join_table"),
    ("POST", "api_verify_game"),
    ("POST", "api_accept_invitation"),
    ("POST", "api_decline_invitation"),
    ("POST", "api_list_comments"),
    ("DELETE", "api_hide_comment"),
    ("POST", "api_mark_talk_read"),
    ("PUT", "api_read_note"),
    ("POST", "api_list_webhooks"),
    ("PATCH", "api_read_webhook"),
    ("DELETE", "api_read_webhook"),
    ("POST", "api_renew_webhook_secret"),
    ("POST", "api_switch_webhook"),
    ("POST", "api_ping_webhook"),
    ("POST", "api_send_webhook_again"),
}
"""Everything that a bot account may change."""
BOTS_READ_OF_ITSELF = {"api_list_webhooks", "api_read_webhook", "api_list_webhook_calls", "api_list_told"}
"""What else is read with the scope `account`, and bots may."""


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


@pytest.fixture
def robo(ben: User, now: dt.datetime) -> User:
    """Ben's bot, which every host may seat."""
    return bot_accounts.create(owner=ben, name="Robo", is_for_all=True, now=now)


@pytest.fixture
def playing(anna: User, ben: User, robo: User, now: dt.datetime) -> Game:
    """Anna hosts, Ben and his bot Robo play."""
    table = new_table(anna, now, allows_own_bots=True)
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    lifecycle.start(game_id=table.pk, host=anna, now=now)
    return to_placing(fresh(table), now)


@pytest.fixture
def robos(robo: User) -> Program:
    """Its program, whose token is as good as can be."""
    return Program.with_scopes(robo, "read", "play", "account", "moderate")


def test_an_owner_makes_renames_pauses_and_closes_his_bot(annas: Program, program: Callable[[User], Program]) -> None:
    made = annas.post("me/bots/", {"name": "Robo"}, 201)
    assert (made["state"], made["is_for_all"], made["token"], made["playing"]) == ("silent", False, None, 0)
    path = f"me/bots/{made['ref']}/"
    assert annas.patch(path, {"name": "Robbie", "is_for_all": True})["name"] == "Robbie"
    first = annas.post(f"{path}token/", {"scopes": ["play"]})
    assert first["token"]["scopes"] == ["play"] and first["state"] == "ready"
    second = annas.post(f"{path}token/")
    assert second["token"]["scopes"] == ["play", "account"]
    assert who(first["key"])[0] == 401
    assert who(second["key"]) == (200, {"name": "Robbie", "owner": "Anna", "address": None})
    assert annas.post(f"{path}switch/", {"is_on": False})["state"] == "paused"
    assert who(second["key"])[0] == 401
    assert annas.post(f"{path}switch/", {"is_on": True})["state"] == "ready"
    assert annas.get("me/bots/")["items"][0] == annas.get(path)
    assert first["key"] not in str(annas.get(path)) and second["key"] not in str(annas.get(path))
    annas.delete(f"{path}token/")
    assert who(second["key"])[0] == 401 and annas.get(path)["token"] is None
    annas.delete(path)
    assert annas.get("me/bots/")["items"] == []
    annas.get(path, 404)


def who(key: str) -> tuple[int, dict[str, Any]]:
    """What the service says to whoever sends this key, and who it thinks he is."""
    response = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {key}"})
    said = response.json()
    return response.status_code, {name: said.get(name) for name in ("name", "owner", "address")}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"name": ""}, 422),
        ({"name": "x" * 31}, 422),
        ({"name": "greedy"}, 422),
        ({"name": "robo"}, 409),
        ({"name": "A", "is_for_all": "perhaps"}, 422),
        ({"name": "A", "owner": "someone"}, 422),
        ({"name": "A\x00\x07"}, 422),
    ],
)
def test_what_cannot_be_a_bot_is_refused(annas: Program, robo: User, body: Any, status: int) -> None:
    annas.post("me/bots/", body, status)
    assert User.objects.filter(owner__isnull=False).count() == 1


def test_a_token_with_a_scope_that_bots_have_not_is_not_made(annas: Program, anna: User, now: dt.datetime) -> None:
    bot = bot_accounts.create(owner=anna, name="Robo", is_for_all=False, now=now)
    annas.post(f"me/bots/{bot.ref}/token/", {"scopes": ["moderate"]}, 422)
    assert bot_accounts.token_of(bot) is None


def test_an_owner_needs_the_scope_of_his_account(anna: User) -> None:
    Program.with_scopes(anna, "play").post("me/bots/", {"name": "Robo"}, 403)


def test_beside_its_owner_it_is_refused_with_a_code_unless_the_table_allows_it(
    annas: Program, ben: User, robo: User, now: dt.datetime
) -> None:
    body: dict[str, Any] = {"rules": "cave-of-wonders", "seat_count": 3, "bots": ["Robo"], "is_listed": True}
    bens = Program.with_scopes(ben, "read", "play")
    table = annas.post("games/", body, 201)
    refusal = bens.post(f"games/{table['ref']}/join/", {}, 409)
    assert refusal["code"] == "same-owner" and "ask the host to open a table" in refusal["detail"]
    assert bens.post("games/", body, 409)["code"] == "same-owner"
    shared = annas.post("games/", {**body, "allows_own_bots": True}, 201)
    assert (table["allows_own_bots"], shared["allows_own_bots"]) == (False, True)
    told = {row["ref"]: row["allows_own_bots"] for row in bens.get("tables/")["items"]}
    assert told == {table["ref"]: False, shared["ref"]: True}
    assert len(bens.post(f"games/{shared['ref']}/join/", {})["seats"]) == 3


def test_a_host_seats_it_by_name_and_its_seat_says_whose_it_is(
    annas: Program, ben: User, robo: User, table: Game
) -> None:
    seats = annas.post(f"games/{table.ref}/seats/", {"bot": "Robo"})["seats"]
    assert (seats[1]["name"], seats[1]["bot"], seats[1]["owner"]) == ("Bot Robo", "", "Ben")
    assert seats[0]["owner"] is None
    opened = annas.post("games/", {"rules": "cave-of-wonders", "seat_count": 3, "bots": ["robo", "greedy"]}, 201)
    assert [(seat["bot"], seat["owner"]) for seat in opened["seats"]] == [("", None), ("", "Ben"), ("greedy", None)]
    annas.post(f"games/{table.ref}/seats/", {"bot": "Robo"}, 409)
    assert annas.get(f"players/{robo.ref}/")["owner"] == "Ben" and annas.get(f"players/{ben.ref}/")["owner"] is None
    annas.delete(f"games/{table.ref}/seats/1/?name=Bot%20Robo", 200)


def test_an_owner_says_which_games_it_takes_and_hosts_are_refused_in_words_beyond(
    annas: Program, ben: User, robo: User, now: dt.datetime
) -> None:
    bens = Program.with_scopes(ben, "account")
    assert bens.get("me/bots/")["items"][0]["takes"] == {
        "rules": [], "paces": [], "seat_counts": [], "games": None, "answers_invitations": False,
    }  # fmt: skip
    path = f"me/bots/{robo.ref}/takes/"
    takes = bens.patch(path, {"rules": ["cave-of-wonders"], "paces": ["live"], "seat_counts": [3, 2], "games": 1})
    assert takes["takes"]["seat_counts"] == [2, 3] and takes["takes"]["games"] == 1
    for wrong in ({"rules": ["chess"]}, {"paces": ["never"]}, {"seat_counts": [19]}, {"games": 0}):
        bens.patch(path, wrong, 422)
    body: dict[str, Any] = {"rules": "cave-of-wonders", "seat_count": 3, "pace": "live", "bots": ["Robo"]}
    refused = {
        "plays only: Aladdin and the Cave of Wonders.": {"rules": "aladdins-dragons"},
        "plays only at these paces: live: 15 minutes per move, everyone at their screen.": {"pace": "daily"},
        "plays only at tables with this many seats: 2 or 3.": {"seat_count": 4},
    }
    for words, change in refused.items():
        problem = annas.post("games/", body | change, 409)
        assert problem["code"] == "bot-declines" and problem["detail"] == f"Robo {words}"
    table = annas.post("games/", body, 201)
    assert "plays one game at a time" in annas.post("games/", body, 409)["detail"]
    change = annas.patch(f"games/{table['ref']}/settings/", {"pace": "daily"}, 409)
    assert change["code"] == "bot-declines"
    assert annas.get(f"games/{table['ref']}/settings/")["settings"]["pace"] == "live"
    assert bens.patch(path, {"games": None, "rules": []})["takes"]["paces"] == ["live"]
    annas.post("games/", body, 201)


def test_one_that_answers_invitations_hears_of_them_and_sits_down_or_not(
    annas: Program, ben: User, robo: User, robos: Program, now: dt.datetime
) -> None:
    bot_accounts.set_terms(bot=robo, answers_invitations=True)
    body = {"rules": "cave-of-wonders", "seat_count": 3, "bots": ["Robo"], "pace": "live"}
    first, second = annas.post("games/", body, 201), annas.post("games/", body, 201)
    assert [len(table["seats"]) for table in (first, second)] == [1, 1]
    (event,) = [one for one in robos.get("me/events/")["items"] if one["event"] == "invitations"]
    offers = {row["game_ref"]: row["ref"] for row in event["data"]["items"]}
    assert set(offers) == {first["ref"], second["ref"]}
    assert robos.post(f"me/invitations/{offers[first['ref']]}/accept/")["seats"][1]["name"] == "Bot Robo"
    robos.post(f"me/invitations/{offers[second['ref']]}/decline/", status=204)
    (shown,) = annas.get(f"games/{second['ref']}/invitations/")["items"]
    assert (shown["address"], shown["status"]) == ("Robo", "declined")
    assert "already invited" in annas.post(f"games/{second['ref']}/seats/", {"bot": "Robo"}, 409)["detail"]
    third = annas.post("games/", body, 201)
    bot_accounts.set_terms(bot=robo, takes_paces=["daily"])
    ref = robos.get("me/invitations/")["items"][0]["ref"]
    assert robos.post(f"me/invitations/{ref}/accept/", status=409)["code"] == "bot-declines"
    assert len(annas.get(f"games/{third['ref']}/")["seats"]) == 1


def test_the_directory_lists_bots_for_all_with_owner_games_and_ratings(
    anna: User, ben: User, robo: User, now: dt.datetime
) -> None:
    bot_accounts.create(owner=anna, name="Mine", is_for_all=False, now=now)
    ada = bot_accounts.create(owner=anna, name="Ada", is_for_all=True, now=now)
    bot_accounts.set_terms(bot=ada, takes_rules=["aladdins-dragons"])
    assert Client().get("/api/v1/public/bots/").json()["items"] == [], "they have no tokens"
    for bot in (ada, robo):
        bot_accounts.renew_token(bot=bot, now=now)
    robo.ratings.create(rules_name="cave-of-wonders", mu=25, sigma=8, points=1100, games=3, wins=2, rated_at=now)
    User.objects.filter(pk=anna.pk).update(has_profile=False)
    listed = Client().get("/api/v1/public/bots/").json()["items"]
    assert [(bot["name"], bot["owner"]) for bot in listed] == [("Ada", None), ("Robo", "Ben")]
    (best,) = Client().get("/api/v1/public/bots/?rules=cave-of-wonders&limit=1").json()["items"]
    assert best["ratings"] == [{"rules": "cave-of-wonders", "points": 1100, "games": 3, "wins": 2}]
    assert Client().get("/api/v1/public/ratings/cave-of-wonders/").json()["items"] == []


def test_bots_may_change_exactly_this() -> None:
    views = {one.name: one.callback.view_class for one in urls.urlpatterns if hasattr(one.callback, "view_class")}
    may = {(method, name) for method, name in methods() if access.may_bots(views[name], method)}
    assert {(method, name) for method, name in may if method != "GET"} == BOTS_CHANGE
    own = {name for method, name in may if method == "GET" and access.scope_of(views[name], "GET") == "account"}
    assert own == BOTS_READ_OF_ITSELF


@pytest.mark.slow
def test_all_else_is_refused_whatever_its_token_says_and_nothing_is_changed(
    robos: Program, playing: Game, annas: Program
) -> None:
    annas.post(f"games/{playing.ref}/talk/", {"text": "Hello"}, 201)
    before = everything(playing)
    allowed = {("GET", name) for name in BOTS_READ_OF_ITSELF} | BOTS_CHANGE
    got = {}
    for method, name in (("GET", name) for name in READS):
        got[method, name] = ask(robos, method, address(name, playing) + READS[name].query)
    for (method, name), row in CHANGES.items():
        if (method, name) not in allowed:
            got[method, name] = ask(robos, method, address(name, playing) + row.query, row.body)
    refused = {key for key, status in got.items() if status == 403}
    closed = {key for key in got if key[0] != "GET"} | {("GET", name) for name in ACCOUNTS}
    assert refused == closed
    assert {status for key, status in got.items() if key not in closed} <= {200, 404, 409}
    assert everything(playing) == before


ACCOUNTS = {
    "api_list_tokens", "api_list_bots", "api_read_bot", "api_read_hours", "api_list_vacations", "api_read_mail",
    "api_read_table_mail",
    "api_list_table_webhooks", "api_list_club_webhooks", "api_list_tournament_webhooks", "api_read_queue",
    "api_find_people", "api_read_person", "api_read_moderated_game",
    "api_read_forecast", "api_list_steps", "api_read_learned",
}  # fmt: skip
"""What is about people, and nothing to a bot."""


def ask(program: Program, method: str, path: str, body: Any = None) -> int:
    """The status of an answer."""
    send = getattr(Client(), method.lower())
    data = {} if method == "GET" else {"data": body or {}, "content_type": "application/json"}
    return int(send(path, headers=program.headers, **data).status_code)


def test_it_sees_its_own_seat_though_its_owner_sits_beside_it(
    robos: Program, ben: User, robo: User, playing: Game, program: Callable[[User], Program]
) -> None:
    shown, bens = robos.get(f"games/{playing.ref}/"), program(ben).get(f"games/{playing.ref}/")
    mine, his = seat_of(playing, robo).number, seat_of(playing, ben).number
    state = fresh(playing).load_state()
    assert shown["seat"] == mine and shown["view"] == to_builtins(playing.rules.view(state, mine))
    assert bens["seat"] == his and bens["view"] == to_builtins(playing.rules.view(state, his))
    assert shown["view"] != bens["view"]


def test_it_answers_talks_and_comes_back_like_a_player(
    robos: Program, robo: User, playing: Game, now: dt.datetime
) -> None:
    (row,) = open_rows(playing)
    while row.seat.user != robo:
        pass_on(playing, row, now)
        (row,) = open_rows(playing)
    question = robos.get(f"games/{playing.ref}/decisions/")["items"][0]
    form = next(one for one in question["actions"] if one["type"] == "place")
    action = {"type": "place", **{field["name"]: field["options"][0]["value"] for field in form["fields"]}}
    assert robos.post(f"games/{playing.ref}/decisions/{question['code']}/", {"action": action})["happened"]
    assert robos.post(f"games/{playing.ref}/talk/", {"text": "beep"}, 201)["name"] == "Bot Robo"
    seat = seat_of(playing, robo)
    absences.leave(absences.locked_seat(seat.pk), now)
    robos.post(f"games/{playing.ref}/back/")
    assert seat_of(playing, robo).status == Seat.Status.ACTIVE


def pass_on(game: Game, row: Any, now: dt.datetime) -> None:
    """Somebody's move is passed."""
    from games.play import game_moves

    game_moves.submit(
        game_id=game.pk, seat=row.seat.number, decision=row.code, action=None, source="deadline", received_at=now
    )


def test_its_webhooks_are_its_own(robos: Program, ben: User, program: Callable[[User], Program]) -> None:
    robos.post("me/webhooks/", {"url": "https://hooks.example.org/robo"}, 201)
    assert len(robos.get("me/webhooks/")["items"]) == 1 and program(ben).get("me/webhooks/")["items"] == []


def test_a_token_that_was_made_for_a_person_is_no_bots(ben: User, robo: User, now: dt.datetime) -> None:
    key = bot_accounts.renew_token(bot=robo, now=now)
    assert tokens.find(key, now).user == robo  # type: ignore[union-attr]  # it was made just now
    assert not ben.api_tokens.exists()
