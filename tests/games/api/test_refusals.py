"""What the API says no to: each with a clear message and the right status, and nothing changes."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.errors import ServiceError
from games.models import ApiToken, Decision, Game, Seat, User
from games.people import tokens
from games.play import absences, locking
from tests.games.api.conftest import Program
from tests.games.api.playing import abandoned
from tests.games.conftest import answer, fresh, open_rows, seat_of, some_answer

Programs = Callable[[User], Program]
START = "decisions/start-treasures/"
LEGAL = {"action": {"type": "take_treasures", "amounts": {"gold": 1, "pearl": 1, "gem": 1}}}


def snapshot(game: Game) -> tuple[object, ...]:
    game = fresh(game)
    return (game.state, game.seq, game.chain, list(game.decisions.values_list("pk", "status", "kept_answer")))


@pytest.fixture
def placing(placing: Game, now: dt.datetime) -> tuple[Game, Decision]:
    """A game in which one seat is to place, and that question."""
    (row,) = open_rows(placing)
    return placing, row


def person(row: Decision) -> User:
    assert row.seat.user is not None
    return row.seat.user


def test_without_a_token_nothing_is_said(game: Game) -> None:
    response = Client().get(f"/api/v1/games/{game.ref}/")
    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response.json() == {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "detail": "Authentication credentials were not provided.",
        "code": "not-signed-in",
    }


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer crv_wrong", "Bearer a b", "bearer \xe9", "Bearer \x00"]
)
def test_a_token_that_is_none_is_refused(db: None, header: str) -> None:
    response = Client().get("/api/v1/me/", headers={"Authorization": header})
    assert (response.status_code, response.json()["code"]) == (401, "not-signed-in")


def test_a_revoked_token_is_refused(anna: User, annas: Program, now: dt.datetime) -> None:
    tokens.revoke(user=anna, ref=ApiToken.objects.get(user=anna).ref, now=now)
    annas.get("me/", status=401)


def test_a_closed_account_cannot_come_in_by_token(anna: User, annas: Program) -> None:
    User.objects.filter(pk=anna.pk).update(is_active=False)
    annas.get("me/", status=403)


def test_a_page_of_the_site_needs_its_csrf_token_to_change_anything(game: Game, anna: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna)
    assert client.get(f"/api/v1/games/{game.ref}/").status_code == 200
    response = client.post(f"/api/v1/games/{game.ref}/resign/", "{}", content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
    assert seat_of(game, anna).status == Seat.Status.ACTIVE


@pytest.mark.parametrize("path", ["", "log/", "decisions/", START, "resign/"])
def test_another_peoples_game_looks_like_none(game: Game, david: User, program: Programs, path: str) -> None:
    davids = program(david)
    ask: Any = davids.post if path in (START, "resign/") else davids.get
    before = snapshot(game)
    foreign = ask(f"games/{game.ref}/{path}", status=404)
    assert foreign == ask(f"games/nosuchgame/{path}", status=404)
    assert foreign["code"] == "not-found"
    assert snapshot(game) == before


def test_a_spectator_cannot_act(game: Game, david: User, program: Programs) -> None:
    Game.objects.filter(pk=game.pk).update(is_listed=True)
    program(david).post(f"games/{game.ref}/{START}", LEGAL, status=404)
    program(david).post(f"games/{game.ref}/resign/", status=404)


def test_another_seats_decision_looks_like_none(
    placing: tuple[Game, Decision], program: Programs, anna: User, ben: User
) -> None:
    game, row = placing
    other = ben if row.seat.user == anna else anna
    before = snapshot(game)
    refused = program(other).post(f"games/{game.ref}/decisions/{row.code}/", {"action": some_answer(game, row)}, 404)
    assert refused["code"] == "not-found"
    assert snapshot(game) == before


@pytest.mark.parametrize(
    ("_case", "body", "fields"),
    [
        ("unknown field", {**LEGAL, "seat": 2, "when": "now"}, ["seat", "when"]),
        ("no action", {}, ["action"]),
        ("action of another kind", {"action": "take"}, ["action"]),
        ("no object", [1, 2], [""]),
        ("null", None, ["action"]),
    ],
)
def test_a_body_of_the_wrong_shape_is_refused_field_by_field(
    game: Game, annas: Program, _case: str, body: object, fields: list[str]
) -> None:
    before = snapshot(game)
    refused = annas.post(f"games/{game.ref}/{START}", body, status=422)
    assert refused["code"] == "invalid"
    assert [error["field"] for error in refused["errors"]] == fields
    assert all(error["message"] for error in refused["errors"])
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"type": None},
        {"type": "place", "token": 9, "space": "cave-gold"},
        {"type": "forfeit"},
        {"type": "take_treasures"},
        {"type": "take_treasures", "amounts": {"gold": 4}},
        {"type": "take_treasures", "amounts": {"gold": -1, "pearl": 4}},
        {"type": "take_treasures", "amounts": {"gold": 1.5, "pearl": 1.5}},
        {"type": "take_treasures", "amounts": {"gold": True, "pearl": 2}},
        {"type": "take_treasures", "amounts": {"gold": 10**400, "pearl": 2}},
        {"type": "take_treasures", "amounts": {"sand": 3}},
        {"type": "take_treasures", "amounts": [3]},
        {"type": "take_treasures", "amounts": "gold"},
        {"type": "take_treasures", "amounts": {"gold": {"gold": 3}}},
        {**LEGAL["action"], "seat": 1},
        {"type": ["take_treasures"], "amounts": {"gold": 3}},
    ],
    ids=str,
)
def test_an_illegal_action_is_refused_in_words_and_changes_nothing(
    game: Game, annas: Program, action: dict[str, object]
) -> None:
    before = snapshot(game)
    refused = annas.post(f"games/{game.ref}/{START}", {"action": action}, status=422)
    assert refused["code"] == "illegal-action"
    assert refused["detail"]
    assert snapshot(game) == before
    assert fresh(game).quarantined_at is None


def test_an_illegal_placement_is_refused(placing: tuple[Game, Decision], program: Programs) -> None:
    """No second tent, no token that is not in hand, no space that does not exist (A20)."""
    game, row = placing
    player = program(person(row))
    before = snapshot(game)
    for token, space in ((11, "guard"), (9, "moon"), ("9", "guard"), (9, None)):
        action = {"type": "place", "token": token, "space": space}
        refused = player.post(f"games/{game.ref}/decisions/{row.code}/", {"action": action}, status=422)
        assert refused["code"] == "illegal-action"
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "body",
    [
        " ",
        "{",
        "action=take",
        '{"action": NaN}',
        '{"action": {"type": "\\ud800"}}',
        '{"action": {"\\udc00": 1}}',
        '{"action": 1e999}',
        '{"action": ' + "9" * 5_000 + "}",
        '{"action": 1,}',
        '\ufeff{"action": {}}',
        b"\xff\xfe{}",
        "[" * 50_000,
        '{"action": ' * 5_000 + "1",
    ],
    ids=lambda body: repr(body[:20]),
)
def test_what_is_no_json_is_refused(game: Game, annas: Program, body: str | bytes) -> None:
    refused = annas.post(f"games/{game.ref}/{START}", body, status=400)
    assert refused["code"] == "malformed"


def test_a_body_that_is_too_long_is_refused_unread(game: Game, annas: Program) -> None:
    refused = annas.post(f"games/{game.ref}/{START}", '{"action": "' + "x" * 70_000 + '"}', status=413)
    assert refused["code"] == "too-large"


def test_only_json_is_understood_and_spoken(game: Game, annas: Program) -> None:
    path = f"/api/v1/games/{game.ref}/resign/"
    form = annas.client.post(path, {"a": 1}, headers=annas.headers)
    assert (form.status_code, form.json()["code"]) == (415, "unsupported-media-type")
    assert annas.get("me/", status=406, Accept="text/html")["code"] == "not-acceptable"


def test_a_method_that_is_not_there_is_refused_with_those_that_are(game: Game, annas: Program) -> None:
    response = annas.client.put(f"/api/v1/games/{game.ref}/", headers=annas.headers)
    assert (response.status_code, response.json()["code"]) == (405, "method-not-allowed")
    assert "GET" in response["Allow"]
    asked = annas.client.options(f"/api/v1/games/{game.ref}/", headers=annas.headers)
    assert asked["Allow"] == response["Allow"]
    assert "Allow" not in annas.client.get(f"/api/v1/games/{game.ref}/", headers=annas.headers)


@pytest.mark.parametrize("path", ["", "games", "../v2/", "games/a%00b/", "games/x/decisions/a b/", "me/me/"])
def test_an_address_that_is_none_is_a_problem_too(annas: Program, path: str) -> None:
    assert annas.get(path, status=404)["code"] == "not-found"


@pytest.mark.parametrize(
    ("query", "field"),
    [("after=-1", "after"), ("after=x", "after"), ("limit=0", "limit"), ("after=" + "9" * 99, "after")],
)
def test_a_wrong_parameter_is_named(game: Game, annas: Program, query: str, field: str) -> None:
    refused = annas.get(f"games/{game.ref}/log/?{query}", status=422)
    assert [error["field"] for error in refused["errors"]] == [field]


def test_a_decision_answered_already_is_a_conflict_that_says_what_happened(
    placing: tuple[Game, Decision], program: Programs, now: dt.datetime
) -> None:
    game, row = placing
    action = some_answer(game, row)
    answer(game, row, now, action)
    before = snapshot(game)
    refused = program(person(row)).post(f"games/{game.ref}/decisions/{row.code}/", {"action": action}, status=409)
    assert refused["code"] == "conflict"
    assert refused["decision"] == "answered"
    assert refused["happened"][0]["text"].startswith("You place ")
    assert snapshot(game) == before


def test_the_same_key_and_answer_act_once_and_get_the_same_reply(
    placing: tuple[Game, Decision], program: Programs
) -> None:
    game, row = placing
    player, body = program(person(row)), {"action": some_answer(game, row)}
    path = f"games/{game.ref}/decisions/{row.code}/"
    first = player.post(path, body, Idempotency_Key="k1")
    before = snapshot(game)
    assert player.post(path, body, Idempotency_Key="k1") == first
    assert player.post(path, body, status=409, Idempotency_Key="k2")["code"] == "conflict"
    assert snapshot(game) == before


def test_a_key_used_for_another_answer_is_refused(game: Game, annas: Program) -> None:
    path = f"games/{game.ref}/{START}"
    annas.post(path, LEGAL, Idempotency_Key="k1")
    before = snapshot(game)
    other = {"action": {"type": "take_treasures", "amounts": {"gold": 2, "gem": 1}}}
    for body in (other, {"action": {"type": "nonsense"}}):
        assert annas.post(path, body, status=422, Idempotency_Key="k1")["code"] == "key-reused"
    assert snapshot(game) == before


def test_one_persons_key_never_finds_anothers_move(game: Game, annas: Program, ben: User, program: Programs) -> None:
    path = f"games/{game.ref}/{START}"
    annas.post(path, LEGAL, Idempotency_Key="k1")
    program(ben).post(path, LEGAL, Idempotency_Key="k1")
    assert game.moves.filter(decision="start-treasures").values("seat").distinct().count() == 2


def test_a_key_that_is_too_long_is_refused(game: Game, annas: Program) -> None:
    annas.post(f"games/{game.ref}/{START}", LEGAL, status=422, Idempotency_Key="k" * 201)


def test_who_has_resigned_cannot_act_any_more(game: Game, annas: Program) -> None:
    annas.post(f"games/{game.ref}/resign/")
    before = snapshot(game)
    assert annas.post(f"games/{game.ref}/{START}", LEGAL, status=409)["code"] == "conflict"
    assert annas.post(f"games/{game.ref}/resign/", status=409)["code"] == "conflict"
    assert snapshot(game) == before


def test_who_is_absent_comes_back_before_he_acts(game: Game, anna: User, annas: Program, now: dt.datetime) -> None:
    seat = seat_of(game, anna)
    row = next(row for row in open_rows(game) if row.seat == seat)
    absences.make_absent(seat, row, now)
    annas.post(f"games/{game.ref}/{START}", LEGAL, status=409)
    absences.come_back(seat_id=seat.pk, now=now)
    annas.post(f"games/{game.ref}/{START}", LEGAL)


def test_a_game_that_has_not_begun_or_is_over_takes_no_answers(
    table: Game, game: Game, annas: Program, now: dt.datetime
) -> None:
    assert "started" in annas.post(f"games/{table.ref}/{START}", LEGAL, status=409)["detail"]
    abandoned(game, now)
    assert "over" in annas.post(f"games/{game.ref}/{START}", LEGAL, status=409)["detail"]
    assert "over" in annas.post(f"games/{game.ref}/resign/", status=409)["detail"]


def test_a_quarantined_game_says_so(game: Game, annas: Program, now: dt.datetime) -> None:
    locking.quarantine(game.pk, now)
    refused = annas.post(f"games/{game.ref}/{START}", LEGAL, status=503)
    assert refused["code"] == "quarantined"


def test_too_many_requests_say_when_to_come_back(annas: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from games.api.access import ReadThrottle

    monkeypatch.setattr(ReadThrottle, "rate", "1/min")
    annas.get("me/")
    response = annas.client.get("/api/v1/me/", headers=annas.headers)
    assert (response.status_code, response.json()["code"]) == (429, "too-many")
    assert 0 < int(response["Retry-After"]) <= 61


def test_nothing_the_api_says_is_kept_by_a_cache(game: Game, annas: Program) -> None:
    for path in ("me/", "games/", f"games/{game.ref}/", f"games/{game.ref}/decisions/", "nothing/"):
        assert annas.client.get(f"/api/v1/{path}", headers=annas.headers)["Cache-Control"] == "no-store"


def test_a_person_has_only_so_many_tokens(anna: User, now: dt.datetime) -> None:
    for _nth in range(tokens.MOST_TOKENS):
        tokens.create_token(user=anna, name="", now=now)
    with pytest.raises(ServiceError):
        tokens.create_token(user=anna, name="", now=now)


def test_a_token_is_stored_as_its_digest_only(anna: User, now: dt.datetime) -> None:
    row, token = tokens.create_token(user=anna, name="my\nbot", now=now)
    assert token.startswith("crv_") and len(token) == 4 + 43
    assert token not in str(ApiToken.objects.values().get())
    assert row.name == "my bot"


def test_nobody_revokes_anothers_token(anna: User, ben: User, now: dt.datetime) -> None:
    row, token = tokens.create_token(user=anna, name="bot", now=now)
    with pytest.raises(ServiceError):
        tokens.revoke(user=ben, ref=row.ref, now=now)
    assert tokens.find(token, now).user == anna
