"""What a program says of its person, and what it may do where he may only watch."""

import datetime as dt
from collections.abc import Callable

from games.models import Game, User
from tests.games.api.conftest import Program
from tests.games.conftest import new_table, seat_of


def test_a_program_reads_and_changes_the_same_wish(annas: Program, anna: User) -> None:
    assert annas.get("me/")["has_profile"] is True
    body = {"name": "Anna", "language": "en", "zone": "UTC"}
    for sent, expected in ((body | {"has_profile": False}, False), (body, False), (body | {"has_profile": True}, True)):
        response = annas.client.patch("/api/v1/me/", sent, content_type="application/json", headers=annas.headers)
        assert response.json()["has_profile"] is expected


def test_who_may_only_watch_reads_and_does_not_sit_down(
    game: Game, anna: User, ben: User, david: User, program: Callable[[User], Program], now: dt.datetime
) -> None:
    Game.objects.filter(pk=game.pk).update(is_watchable=True, absent_seats="takeover")
    game.seats.filter(user=anna).update(status="absent")
    davids = program(david)
    assert davids.get(f"games/{game.ref}/")["seat"] is None
    davids.post(f"games/{game.ref}/seats/{seat_of(game, anna).number}/take/", status=404)
    waiting = new_table(ben, now, is_watchable=True)
    davids.get(f"games/{waiting.ref}/")
    davids.post(f"games/{waiting.ref}/join/", status=404)
    assert not david.seats.exists()
