"""What a program makes under an Idempotency-Key it makes once, however often the request arrives."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.models import Club, Comment, Game, Invitation, Keyed, Report, User, Vacation
from games.privacy import retention
from notifications.clock import present
from notifications.models import Endpoint
from tests.games.api.conftest import Program

HOOK = {"url": "https://hooks.example.org/x"}
MAKING: list[tuple[str, dict[str, Any], Callable[[], int]]] = [
    ("games/", {"rules": "cave-of-wonders", "seat_count": 2}, Game.objects.count),
    ("games/{table}/invitations/", {"address": "eva@example.org"}, Invitation.objects.count),
    ("games/{game}/talk/", {"text": "Well played, @Ben"}, Comment.objects.count),
    ("games/{game}/reports/", {"text": "rude", "seat": None}, Report.objects.count),
    ("me/vacations/", {"first_day": "2026-12-24", "last_day": "2026-12-31"}, Vacation.objects.count),
    ("me/webhooks/", HOOK, Endpoint.objects.count),
    ("games/{game}/webhooks/", HOOK, Endpoint.objects.count),
    ("me/bots/", {"name": "Robo"}, User.objects.count),
    ("me/clubs/", {"name": "Lamp"}, Club.objects.count),
]


@pytest.fixture(autouse=True)
def clock(now: dt.datetime) -> Iterator[list[dt.datetime]]:
    """What time it is; tests move it on."""
    at = [now]
    with present.going_by(lambda: at[0]):
        yield at


@pytest.mark.parametrize(("path", "body", "count"), MAKING, ids=[path for path, *_more in MAKING])
def test_the_same_request_under_the_same_key_makes_one_thing(
    annas: Program, game: Game, table: Game, path: str, body: Any, count: Callable[[], int], clock: list[dt.datetime]
) -> None:
    path, before = path.format(game=game.ref, table=table.ref), count()
    first = annas.post(path, body, 201, Idempotency_Key="one")
    clock[0] += dt.timedelta(minutes=2)
    assert annas.post(path, body, 201, Idempotency_Key="one") == first
    assert count() == before + 1
    refused = annas.post(path, {**body, "title": "x"} if path == "games/" else OTHERS, 422, Idempotency_Key="one")
    assert refused["code"] in ("key-reused", "invalid") and count() == before + 1


OTHERS = {"text": "something else", "first_day": "2026-01-01"}


def test_another_request_under_the_same_key_is_refused(annas: Program, game: Game) -> None:
    annas.post(f"games/{game.ref}/talk/", {"text": "One"}, 201, Idempotency_Key="k")
    for path, body in ((f"games/{game.ref}/talk/", {"text": "Two"}), ("me/bots/", {"name": "Robo"})):
        assert annas.post(path, body, 422, Idempotency_Key="k")["code"] == "key-reused"
    assert Comment.objects.count() == 1 and not User.objects.filter(name="Robo").exists()


def test_a_key_is_its_persons_own(annas: Program, ben: User, game: Game) -> None:
    path = f"games/{game.ref}/talk/"
    bens = Program(ben)
    refs = {one.post(path, {"text": "Hello"}, 201, Idempotency_Key="k")["ref"] for one in (annas, bens, annas)}
    assert len(refs) == 2


def test_what_was_refused_is_tried_again(annas: Program, table: Game) -> None:
    path = f"games/{table.ref}/reports/"
    annas.post(path, {"text": "rude"}, 409, Idempotency_Key="k")
    assert not Keyed.objects.exists()
    Game.objects.filter(pk=table.pk).update(status=Game.Status.RUNNING)
    made = annas.post(path, {"text": "rude"}, 201, Idempotency_Key="k")
    Game.objects.filter(pk=table.pk).update(status=Game.Status.FINISHED)
    assert annas.post(path, {"text": "rude"}, 201, Idempotency_Key="k") == made


def test_what_is_gone_is_not_made_again(annas: Program) -> None:
    made = annas.post("me/webhooks/", HOOK, 201, Idempotency_Key="k")
    annas.delete(f"me/webhooks/{made['ref']}/")
    assert annas.post("me/webhooks/", HOOK, 409, Idempotency_Key="k")["code"] == "conflict"
    assert not Endpoint.objects.exists()


def test_without_a_key_it_is_made_each_time_and_a_key_too_long_is_refused(annas: Program) -> None:
    body = {"rules": "cave-of-wonders", "seat_count": 2}
    assert annas.post("games/", body, 201)["ref"] != annas.post("games/", body, 201)["ref"]
    annas.post("games/", body, 422, Idempotency_Key="k" * 201)
    assert Game.objects.count() == 2 and not Keyed.objects.exists()


def test_a_key_is_forgotten_after_its_days(annas: Program, now: dt.datetime) -> None:
    body = {"rules": "cave-of-wonders", "seat_count": 2}
    first = annas.post("games/", body, 201, Idempotency_Key="k")
    while retention.clear_some(now + dt.timedelta(days=5)):
        pass
    assert annas.post("games/", body, 201, Idempotency_Key="k")["ref"] != first["ref"]
