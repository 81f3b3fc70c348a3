"""The measuring process of `stored`: `python -m tests.bench.storing NAME`.

Bots play whole games of four in people's place, with all that is written for these: questions, notices, deliveries.
Sizes are taken when the database has no free room left in its tables.
"""

import os
import random
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timedelta

import django

from tests.bench.report import Goal, heading, note

GAMES = int(os.environ.get("STORED_GAMES", "3"))  # of each kind
KINDS = {"aladdins-dragons": {"version": "magic"}, "cave-of-wonders": {}}
LEDGER = (
    "notifications_notice", "notifications_delivery", "notifications_attempt", "notifications_foldednotices",
)  # fmt: skip
GOALS = {"PostgreSQL": Goal("P16", most=120), "SQLite": Goal("P16", most=90)}
LOG = ("games_move", "games_decision", "games_extension", "games_snapshot", "games_packedlog", "games_packedactor")


def main(database: str) -> None:
    """Prints the part for one database."""
    django.setup()
    from games.models import User
    from games.play import stored_moves
    from notifications import ledger
    from notifications.clock import present
    from notifications.delivery.claims import make_deliveries
    from notifications.models import Notice

    users = [User.objects.create_user(f"{name}@stored.test".lower(), name=name) for name in ("Anna", "Ben", "Cy", "Di")]
    heading(f"kB on the disk of a finished game of four, with indexes: {database}, {GAMES} games of each kind")
    for rules, options in KINDS.items():
        empty = sizes()
        games = [_played(users, rules, options) for _ in range(GAMES)]
        while make_deliveries(present.now()):
            pass
        tell_all(present.now())
        _line(f"{rules}: in rows", empty, sizes(), games)
        begun = time.process_time()
        assert all(stored_moves.pack_log(key, present.now()) for key, _moves in games)
        spent = time.process_time() - begun
        _line(f"{rules}: packed", empty, sizes(), games)
        begun = time.process_time()
        while ledger.fold_some(Notice.objects.filter(thread__startswith="game:")):
            pass
        folding = time.process_time() - begun
        _line(f"{rules}: folded", empty, sizes(), games, GOALS[database])
        note(f"folding one took {1000 * folding / GAMES:.0f} ms")
        note(f"packing one took {1000 * spent / GAMES:.0f} ms of processor time (without the database's own process)")


def tell_all(now: datetime) -> None:
    """All of it was sent, each at the first attempt."""
    from notifications.models import Attempt, Delivery

    waiting = list(Delivery.objects.filter(attempt_after__isnull=False))
    Delivery.objects.filter(attempt_after__isnull=False).update(
        state="accepted", attempt_after=None, accepted_at=now, tries=1, reason="250"
    )
    dice = random.Random(1)
    tries = [
        Attempt(delivery=row, started_at=now + timedelta(seconds=dice.random()), outcome="accepted", code="250")
        for row in waiting
    ]
    for one in tries:
        one.ended_at = one.started_at + timedelta(seconds=dice.random())
    Attempt.objects.bulk_create(tries)


def _line(
    name: str,
    before: dict[str, int],
    after: dict[str, int],
    games: Sequence[tuple[int, int]],
    goal: Goal | None = None,
) -> None:
    kilobytes = {table: (after[table] - before[table]) / 1000 / len(games) for table in after}
    log, ledger = (sum(kilobytes.get(table, 0.0) for table in tables) for tables in (LOG, LEDGER))
    rest = sum(kilobytes.values()) - log - ledger
    moves = sum(count for _key, count in games) / len(games)
    found = f"log {log:>7.1f}   all else {rest:>6.1f}   notices, for a year {ledger:>7.1f}"
    verdict = goal.verdict(round(sum(kilobytes.values()))) if goal else ""
    print(f"  {name:<28}{found}   ({moves:.0f} moves)  {sum(kilobytes.values()):.1f} in all  {verdict}")
    largest = sorted(kilobytes.items(), key=lambda pair: -pair[1])
    note(", ".join(f"{table} {size:.1f}" for table, size in largest if size > 0.5))


def sizes(*, is_vacuumed: bool = True) -> dict[str, int]:
    """Bytes of each table with its indexes; SQLite counts its pages by `dbstat`, if that was compiled in."""
    from django.apps import apps
    from django.db import connection

    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    with connection.cursor() as cursor:
        if is_vacuumed:
            cursor.execute("VACUUM FULL" if connection.vendor == "postgresql" else "VACUUM")
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relname = ANY(%s)", [tables]
            )
            return {name: int(size) for name, size in cursor.fetchall()}
        cursor.execute(
            "SELECT m.tbl_name, sum(s.pgsize) FROM dbstat s JOIN sqlite_master m ON m.name = s.name GROUP BY m.tbl_name"
        )
        found = {name: int(size) for name, size in cursor.fetchall()}
        return {name: found.get(name, 0) for name in tables}


def _played(users: Sequence[object], rules: str, options: dict[str, str]) -> tuple[int, int]:
    """A game that bots have played to its end on the people's behalf: its key, and how many moves it has."""
    from games.lobby import lifecycle
    from games.models import Decision, Game, Move
    from games.play import automatic_answers, game_moves
    from games.tables.settings import TablePlan
    from notifications.clock import present

    plan, now = TablePlan("Stored", rules, len(users), options=options, is_listed=True), present.now()
    host, *guests = users
    game = lifecycle.open_table(host=host, plan=plan, now=now)
    for guest in guests:
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    lifecycle.start(game_id=game.pk, host=host, now=now)
    while True:
        while game_moves.advance_one(present.now()) or automatic_answers.answer_one(present.now()):
            pass
        game = Game.objects.get(pk=game.pk)
        if game.is_over:
            return game.pk, game.seq
        row = Decision.objects.filter(game=game, status="open").select_related("seat__user").order_by("pk")[0]
        answer = automatic_answers.bot_action(game, row, automatic_answers.SUBSTITUTE)
        facts = {"game_id": game.pk, "seat": row.seat.number, "decision": row.code, "actor": row.seat.user}
        game_moves.submit(**facts, action=answer, source=Move.Source.LINK, received_at=present.now())


if __name__ == "__main__":
    main(sys.argv[1])
