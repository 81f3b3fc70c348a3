"""PostgreSQL may plan what is asked often once, for all values: each such plan is good in a database that is full."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from games import ticks
from games.models import Game
from notifications.channels.base import CHANNELS, Answer
from notifications.delivery.sending import deliver_due
from notifications.models import Attempt, Delivery, Endpoint, Notice
from tests.bench import crowd
from tests.bench.answered import Request, Supply, by_api, by_link, by_page
from tests.games.conftest import deliveries

pytestmark = [pytest.mark.postgres, pytest.mark.slow, pytest.mark.both, pytest.mark.django_db(transaction=True)]
GAMES, TOLD = 1_500, 10_000
MANY = 1_000  # rows from which on it matters how they are found
FAR = 50_000_000  # keys of what is copied
DOORS = (by_link, by_page, by_api)


def send(request: Request) -> None:
    """It, as a program of its own would."""
    headers: Any = {name: value for name, value in request.headers.items() if name != "Content-Type"}
    web = Client(SERVER_NAME="127.0.0.1", headers=headers)
    said = web.post(request.path, request.body, content_type=request.headers["Content-Type"])
    assert said.status_code in (200, 303), (request.path, said.status_code)


def use(supply: Supply) -> None:
    """What a service does all day: it takes answers at every door, shows a table, tells, and looks what is due."""
    for door in DOORS:
        for request in supply.requests(door):
            send(request)
    reader = Client(SERVER_NAME="127.0.0.1")
    reader.force_login(next(iter(supply.people.values())).user)
    for _ in range(2):
        assert reader.get(reverse("table", args=[Game.objects.get(pk=supply.games[0]).ref])).status_code == 200
    while deliver_due():
        pass
    ticks.tick()


def fill(supply: Supply) -> None:
    """Other games, and what was told in them."""
    crowd.invite(next(iter(supply.people.values())).user)
    crowd.run(Game.objects.get(pk=supply.games[0]), 1, GAMES)
    told = deliveries().filter(channel="mail", state="accepted").latest("pk")
    key, somebody = f"{FAR} + n", f"{crowd.RUNNING} + 1 + n % {crowd.PEOPLE}"
    words = {"ref": "'r' || n", "dedupe_key": "'k' || n", "recipient_id": somebody}
    crowd.copy(Notice, f"t.id = {told.notice_id}", 1, TOLD, {"id": key, **words})
    to = {"notice_id": key, "recipient_id": somebody, "message_id": "'m' || n"}
    crowd.copy(Delivery, f"t.id = {told.pk}", 1, TOLD, {"id": key, **to})
    crowd.copy(Attempt, f"t.delivery_id = {told.pk}", 1, TOLD, {"id": key, "delivery_id": key})
    address = {"ref": "'r' || n", "recipient_id": somebody, "target": "'t' || n", "id": key}
    crowd.copy(Endpoint, f"t.id = {Endpoint.objects.latest('pk').pk}", 1, TOLD, address)
    crowd.settle()


def plans() -> dict[str, str]:
    """Of each statement that the database keeps, how it does it when it has one plan for all values."""
    found = {}
    with connection.cursor() as cursor:
        cursor.execute("SET plan_cache_mode = force_generic_plan")
        cursor.execute("SELECT name, statement, cardinality(parameter_types) FROM pg_prepared_statements")
        for name, statement, count in cursor.fetchall():
            values = f"({', '.join(['NULL'] * count)})" if count else ""
            cursor.execute(f"EXPLAIN EXECUTE {name} {values}")
            found[statement] = "\n".join(line for (line,) in cursor.fetchall())
    return found


def large_tables() -> set[str]:
    """Those with many rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [MANY])
        return {name for (name,) in cursor.fetchall()}


def test_none_of_our_own_statements_reads_the_whole_of_a_table_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    for channel in CHANNELS.values():
        monkeypatch.setattr(type(channel), "send", lambda self, delivery, message: Answer("200"))
    supply = Supply(size=2)
    supply.answers()
    for person in supply.people.values():
        Endpoint.objects.create(recipient=person.user.recipient, url=f"https://hooks.example.org/{person.user.ref}")
    use(supply)
    fill(supply)
    connection.close()
    use(supply)
    large, found = large_tables(), plans()
    assert len(found) > 20 and large >= {"games_decision", "games_game", "games_seat", "notifications_delivery"}
    read = {name: words for words, plan in found.items() for name in re.findall(r"Seq Scan on (\w+)", plan)}
    assert not {name: words for name, words in read.items() if name in large}
