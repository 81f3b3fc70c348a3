"""An account by the API: tokens and what they are good for, the address, what others see."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from games.errors import Forbidden, Illegal
from games.models import ApiToken, Game, User
from games.people import staff, tokens
from notifications.clock import present
from tests.games.api.conftest import Program
from tests.games.api.playing import abandoned
from tests.games.web.signing_in import freshly

Programs = Callable[[User], Program]


@pytest.fixture(autouse=True)
def at_noon(now: dt.datetime) -> Iterator[None]:
    with present.going_by(lambda: now):
        yield


def test_tokens_are_listed_without_their_keys_and_revoked(annas: Program, anna: User, program: Programs) -> None:
    other = program(anna)
    rows = annas.get("me/tokens/")["items"]
    assert [row["is_this"] for row in rows] == [False, True]
    assert annas.token not in str(rows) and tokens.digest(annas.token) not in str(rows)
    annas.delete(f"me/tokens/{rows[0]['ref']}/")
    other.get("me/", 401)
    annas.delete(f"me/tokens/{rows[0]['ref']}/")
    annas.delete("me/tokens/nosuchtoken/", 404)


def test_nobody_lists_or_revokes_anothers_tokens(annas: Program, ben: User, program: Programs) -> None:
    bens = program(ben)
    (row,) = bens.get("me/tokens/")["items"]
    annas.delete(f"me/tokens/{row['ref']}/", 404)
    bens.get("me/")


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("read", {"game", "me"}),
        ("play", {"game", "me", "talk"}),
        ("account", {"mail", "name"}),
        ("moderate", set()),
    ],
)
def test_a_token_is_good_for_what_its_owner_said(game: Game, anna: User, scope: str, allowed: set[str]) -> None:
    held = Program.with_scopes(anna, scope)
    name = {"name": "Anna", "language": "en", "zone": "UTC"}
    asked: dict[str, tuple[str, str, Any, int]] = {
        "game": ("get", f"games/{game.ref}/", None, 200),
        "me": ("get", "me/", None, 200),
        "talk": ("post", f"games/{game.ref}/talk/", {"text": "Hello"}, 201),
        "mail": ("get", "me/mail/", None, 200),
        "name": ("patch", "me/", name, 200),
    }
    for what, (method, path, body, good) in asked.items():
        send = getattr(held.client, method)
        data = {} if body is None else {"data": body, "content_type": "application/json"}
        response = send(f"/api/v1/{path}", headers=held.headers, **data)
        assert response.status_code == (good if what in allowed else 403), what
        if what not in allowed:
            assert response.json()["code"] == "forbidden" and "scope" in response.json()["detail"]


def test_a_token_to_moderate_needs_a_moderator_and_his_second_factor(anna: User, now: dt.datetime) -> None:
    with pytest.raises(Forbidden):
        tokens.create_token(user=anna, name="x", scopes=["moderate"], has_shown_factor=True, now=now)
    with pytest.raises(Illegal):
        tokens.create_token(user=anna, name="x", scopes=["rule"], now=now)
    eva = staff.make_moderator("eva@example.org")
    with pytest.raises(Forbidden):
        tokens.create_token(user=eva, name="x", scopes=["moderate"], now=now)
    row, token = tokens.create_token(user=eva, name="x", scopes=["moderate"], has_shown_factor=True, now=now)
    assert row.scopes == ["moderate"]
    staff.reset_second_factor(user=eva, now=now)
    assert tokens.find(token, now) is None


def test_the_page_offers_moderating_to_those_alone_who_have_shown_it(db: None, client: Client, settings: Any) -> None:
    settings.STAFF_SECOND_FACTOR = True
    client.force_login(staff.make_moderator("eva@example.org"))
    freshly(client)
    sent = {"name": "x", "scopes": ["moderate"]}
    assert 'value="moderate"' not in client.get("/settings/").content.decode()
    assert client.post("/settings/tokens/", sent).status_code == 422
    settings.STAFF_SECOND_FACTOR = False
    assert client.post("/settings/tokens/", sent).status_code == 200
    assert ApiToken.objects.get().scopes == ["moderate"]


def test_a_new_address_must_say_yes_itself(annas: Program, anna: User) -> None:
    asked = annas.post("me/address/", {"address": "new@example.org"}, 202)
    assert (asked["new_address"], asked["new_confirmed_at"]) == ("new@example.org", None)
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    annas.post("me/address/", {"address": "anna@example.org"}, 422)
    annas.post("me/address/", {"address": "nonsense"}, 422)


def test_others_see_of_a_person_what_his_page_shows(
    game: Game, anna: User, ben: User, annas: Program, david: User, program: Programs, now: dt.datetime
) -> None:
    over = abandoned(game, now)
    winner = over.outcome["winners"][0]
    path = f"games/{over.ref}/seats/{winner}/player/"
    shown = annas.get(path)
    assert [(one["ref"], one["place"]) for one in shown["games"]["items"]] == [(over.ref, 1)]
    assert shown["sums"] == [{"rules": "aladdins-dragons", "played": 1, "won": 1}]
    assert shown == annas.get(f"players/{shown['ref']}/")
    assert program(david).get(f"players/{shown['ref']}/")["games"] == {"items": [], "next": None}
    User.objects.filter(ref=shown["ref"]).update(has_profile=False)
    program(david).get(f"players/{shown['ref']}/", 404)
    program(david).get("players/nobodyatall1/", 404)
