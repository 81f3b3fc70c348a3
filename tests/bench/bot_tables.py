"""The measuring process of `bots`: `python -m tests.bench.bot_tables NAME WORKER`, beside a running service
with a worker of this process id.

Tables at which bots alone play: one who opens it has to sit there, and gives up at once; then a bot answers for that
seat too.
"""

import sys
import time
from collections.abc import Sequence
from typing import TypeAlias

import django
from django.db.models import Max

from tests.bench.processes import processor_time_of
from tests.bench.report import Goal, heading, note

BOT = "sultan"  # the one that thinks
AT_ONCE = 4  # tables
PATIENCE = 600  # seconds
PAUSE = 0.1
BotTable: TypeAlias = tuple[str, int, dict[str, str]]
"""The name of its rules, its seats and its options."""

TABLES: dict[str, BotTable] = {
    "Aladdin's Dragons, magic, 5 seats": ("aladdins-dragons", 5, {"version": "magic"}),
    "Aladdin's Dragons, basic, 5 seats": ("aladdins-dragons", 5, {"version": "basic"}),
    "Cave of Wonders, 4 seats": ("cave-of-wonders", 4, {}),
}
OVER = Goal("over", most=60)


def main(database: str, worker: int) -> None:
    """Prints the figures of one database."""
    django.setup()
    heading(f"Tables of bots on the embedded service, {database}, by the clock until they are over")
    for name, table in TABLES.items():
        _line(name, [table], worker)
    _line(f"{AT_ONCE} magic ones at once", [next(iter(TABLES.values()))] * AT_ONCE, worker)


def _line(name: str, tables: Sequence[BotTable], worker: int) -> None:
    used = processor_time_of(worker)
    before = used()
    seconds, moves = _played(tables)
    each = 1000 * (used() - before) / moves
    verdict = OVER.verdict(round(seconds, 1)) if len(tables) == 1 else ""
    note(f"{name:<36}{seconds:>6.1f} s  {moves:>5,} moves, {each:>4.1f} ms of the worker's processors each  {verdict}")


def _played(tables: Sequence[BotTable]) -> tuple[float, int]:
    """Seconds until the last of the tables is over, and how many moves were made at all of them."""
    from games.models import Game, Move

    begun = time.monotonic()
    games = [open_table(*table) for table in tables]
    while Game.objects.filter(pk__in=games, status=Game.Status.RUNNING).exists():
        assert time.monotonic() - begun < PATIENCE, "the workers do not work"
        time.sleep(PAUSE)
    ended = Game.objects.filter(pk__in=games).aggregate(last=Max("finished_at"))["last"]
    began = min(Game.objects.filter(pk__in=games).values_list("started_at", flat=True))
    return (ended - began).total_seconds(), Move.objects.filter(game__in=games).count()


def open_table(rules: str, seats: int, options: dict[str, str]) -> int:
    """A table that has begun; returns its key."""
    from games.lobby import lifecycle
    from games.models import Game, Move, User
    from games.play import game_moves
    from games.tables.settings import TablePlan
    from notifications.clock import present

    number, now = User.objects.count(), present.now()
    host = User.objects.create_user(f"host{number}@bench.example.org", name=f"Host {number}")
    plan = TablePlan(
        f"Table {number}", rules, seats, options=options, bots=(BOT,) * (seats - 1), absent_seats=Game.AbsentSeats.BOT
    )
    game = lifecycle.open_table(host=host, plan=plan, now=now)
    lifecycle.start(game_id=game.pk, host=host, now=now)
    seat = game.seats.get(user=host).number
    game_moves.resign(game_id=game.pk, seat=seat, actor=host, source=Move.Source.WEB, now=now)
    return game.pk


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
