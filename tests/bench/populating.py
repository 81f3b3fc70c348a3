"""A measuring process of `growth`: `python -m tests.bench.populating RUNNING FINISHED LOGGED FILE`.

Without arguments it plays two games in an empty database. With them it makes a whole service of these, asks for pages,
lists and searches, runs ticks and retention, and writes into the file what each cost the database: blocks and
milliseconds.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from django.db.models import Model
    from django.test import Client

    from games.models import Game
    from tests.bench.populated import Population

HALF = 300  # moves of a game that goes on
PAGES = ("home", "my_games", "lobby", "archive", "people", "told", "settings", "new_table", "tournaments")
TABLE_PAGES = ("table", "history", "orders")
LONG_AGO = timedelta(days=3 * 365)  # nothing is as old: what a pass costs that finds nothing
Steps = Iterator[tuple[str, Callable[[], object]]]


def main(running: int, finished: int, logged: int, file: str) -> None:
    """Writes the file: {what: [blocks, milliseconds]}."""
    django.setup()
    from django.conf import settings

    from games.models import Heartbeat
    from notifications.clock import present
    from tests.bench import counted
    from tests.bench.populated import Population, Size

    settings.STAFF_SECOND_FACTOR = False
    population = Population(*_played(), Size(running, finished, logged))
    steps = list(_steps(population))  # accounts and tokens first: the database learns of them with all the rest
    population.fill()
    Heartbeat.objects.update(beat_at=present.now())  # that this took minutes is no outage
    costs: dict[str, tuple[float, float]] = {}
    for name, step in steps:
        step()
        counted.begin()
        step()
        found = counted.end()
        costs[name] = found.blocks, found.milliseconds
        figures = f"{found.statements:>7,} statements {found.blocks:>12,} blocks {found.milliseconds:>10,.1f} ms"
        print(f"  {name[:60]:<60}{figures}", flush=True)
    Path(file).write_text(json.dumps(costs))


def play() -> None:
    """Plays the two games."""
    django.setup()
    from tests.bench.grown import four_people, played

    users = four_people()
    played(users, HALF, tally="plan")
    played(users, None, tally="plan")


def _played() -> "tuple[Game, Game]":
    from games.models import Game
    from tests.bench.answered import NAMES

    games = Game.objects.filter(host__name=NAMES[0])
    return games.get(status=Game.Status.RUNNING), games.get(status=Game.Status.FINISHED)


def _steps(population: "Population") -> Steps:
    from django.contrib import admin
    from django.test import Client

    from games.people import staff

    moderator = Client(SERVER_NAME="127.0.0.1")
    moderator.force_login(staff.make_administrator("admin@bench.example.org"))
    yield from _pages(population)
    yield from _passes()
    yield from _desk(population, moderator)
    for model in sorted(admin.site._registry, key=lambda one: one.__name__):  # as tests find all lists
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield f"admin: {model.__name__}", partial(_follow, moderator, path)
        if admin.site.get_model_admin(model).search_fields:
            yield f"admin: {model.__name__}, searched", partial(_search, moderator, path, population)


def _desk(population: "Population", moderator: "Client") -> Steps:
    """The start page of moderators, their search, and the pages on which they act."""
    from games.moderation import reports
    from notifications.clock import present

    game = population.running
    report = reports.file_report(game=game, by=game.host, text="Ben never answers.", now=present.now())

    def look(load: "Callable[[], Model]", page: str) -> None:
        _get(moderator, reports.page_of(load()).replace("moderate/", page))

    yield "desk", partial(_get, moderator, "/admin/")
    yield "desk: search", partial(_search, moderator, "/admin/find/", population)
    for name, load in (("person", population.player), ("report", lambda: report), ("table, over", population.over)):
        yield f"desk: {name}", partial(look, load, "moderate/")
    for page in ("moderate/", "steps/", "steps/100/", "forecast/"):
        yield f"desk: table, {page}", partial(look, population.table, page)


def _pages(population: "Population") -> Steps:
    from django.test import Client
    from django.urls import reverse

    player = Client(SERVER_NAME="127.0.0.1")

    def look(name: str, *args: object) -> None:
        if "_auth_user_id" not in player.session:
            player.force_login(population.player())
        _get(player, reverse(name, args=args))

    for name in PAGES:
        yield f"page: {name}", partial(look, name)
    yield "page: ranking", partial(look, "ranking", population.running.rules_name)
    for name in TABLE_PAGES:
        yield f"page: {name}", lambda name=name: look(name, population.table().ref)  # type: ignore[misc]


def _passes() -> Steps:
    from games import ticks
    from games.privacy import retention
    from games.web import metrics
    from notifications.clock import present

    def settle() -> None:
        for _ in range(20):  # what the minutes in which the database was filled have left
            ticks.tick()

    yield "ticks that catch up", settle
    yield "tick, nothing due", ticks.tick
    yield "metrics", lambda: metrics.render_metrics(present.now())
    for rule in retention.EXPIRIES:
        yield f"retention: {rule.words}", lambda rule=rule: rule.apply(present.now() - LONG_AGO)  # type: ignore[misc]


def _get(client: "Client", path: str, **query: str) -> str:
    response = client.get(path, query, follow=True)  # a search with a single hit leads on
    assert response.status_code == 200, (path, query, response.status_code)
    return response.content.decode()


def _follow(client: "Client", path: str) -> None:
    """A list, its last page and each choice of its filters."""
    for query in {unescape(one) for one in re.findall(r'href="\?([^"]*)"', _get(client, path))}:
        assert client.get(f"{path}?{query}").status_code == 200, (path, query)


def _search(client: "Client", path: str, population: "Population") -> None:
    """By reference, address, beginning of a name, and in vain."""
    table, player = population.table(), population.player()
    for words in (table.ref, player.email, player.name, table.title[:9], "zzz"):
        _get(client, path, q=words)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        play()
    else:
        _running, _finished, _logged = map(int, sys.argv[1:4])
        main(_running, _finished, _logged, sys.argv[4])
