"""The measuring process of `sweep`: `python -m tests.bench.sweeping`.

The database itself says how long its statements took. Beside a tick's claim stands the least that finds and locks what
is due: one statement on a bare cursor, for one question at a time and for a hundred.
"""

import contextlib
import statistics
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

import django

from tests.bench.report import Goal, heading, note

if TYPE_CHECKING:
    from tests.bench.counted import Counted

PENDING, DUE = 1_000_000, 1_000
AT_A_TABLE = 4
TICKS = 20
HELD = 900  # of those that are due, by other workers at the same moment
EXPIRED = 100  # of those that are due: passing them all would tell nothing else
FIND = """
SELECT id FROM games_decision WHERE due_at <= now() AND status = 'open' AND NOT is_automatic
ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED
"""
CLAIM = '%ORDER BY "games_decision"."due_at" ASC%'


def main() -> None:
    """Prints the part."""
    django.setup()
    from games import ticks
    from games.play import deadlines
    from notifications.clock import present
    from tests.bench import counted

    heading(f"Ticks beside {PENDING:,} questions that wait for somebody")
    _fill()
    ticks.tick()
    empty = [_counted(ticks.tick) for _ in range(TICKS)]
    median = statistics.median(found.milliseconds for found in empty)
    note(f"nothing due: {median:.2f} ms in the database, {empty[0].statements} statements, {empty[0].blocks} blocks")
    note(Goal("P9", most=1).verdict(round(median, 2)))

    _come_due()
    hundred = statistics.median(_bare(100) for _ in range(TICKS))
    with _held(HELD):
        beside = statistics.median(_bare(1) for _ in range(TICKS))
    bare, claims, wholes = [], [], []
    for _ in range(EXPIRED):  # in turns: what has been passed leaves both of them something to step over
        bare.append(_bare(1))
        counted.begin()
        assert deadlines.expire_one(present.now() + timedelta(minutes=5))
        claims.append(counted.about(CLAIM))
        wholes.append(counted.end())
    one, each = statistics.median(bare), statistics.median(claim.milliseconds for claim in claims)
    ratio = statistics.median(claim.milliseconds / least for claim, least in zip(claims, bare, strict=True))
    note(f"{DUE:,} due: the claim {each:.3f} ms, {statistics.median(claim.blocks for claim in claims):.0f} blocks")
    note(f"a bare one of one question {one:.3f} ms, of a hundred {hundred / 100:.3f} ms a question")
    note(f"beside {HELD} that others hold: a bare one of one question {beside:.3f} ms")
    note(f"claim / bare: {ratio:.2f}  {Goal('P9', most=2).verdict(round(ratio, 2))}")
    whole, statements = (statistics.median(getattr(one, of) for one in wholes) for of in ("milliseconds", "statements"))
    note(f"with all that follows (passing, telling, asking the next): {whole:.1f} ms, {statements:.0f} statements")


def _counted(do: Callable[[], object]) -> "Counted":
    from tests.bench import counted

    counted.begin()
    do()
    return counted.end()


def _fill() -> None:
    """Tables at which four people are asked for their plans, in three days; a few of them some minutes ago."""
    from tests.bench import crowd
    from tests.bench.grown import asking_all

    table = asking_all()
    crowd.invite(table.host)
    crowd.ask(table, 1, PENDING // AT_A_TABLE, "now() + interval '3 days' + n * interval '1 second'", DUE)
    crowd.settle()


def _come_due() -> None:
    """The first of them."""
    from django.utils.timezone import now

    from games.models import Decision
    from tests.bench import crowd

    rows = Decision.objects.filter(game_id__gt=crowd.SWEPT, game_id__lte=crowd.SWEPT + DUE // AT_A_TABLE)
    assert rows.update(due_at=now() - timedelta(minutes=1)) == DUE


@contextlib.contextmanager
def _held(rows: int) -> Iterator[None]:
    """As so many workers hold them who look at one each."""
    from django.db import connection

    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor:
            cursor.execute(FIND, [rows])
            assert len(cursor.fetchall()) == rows
            yield
    finally:
        other.close()


def _bare(most: int) -> float:
    """Milliseconds in the database for one statement."""
    from django.db import connection, transaction

    from tests.bench import counted

    counted.begin()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(FIND, [most])
        assert len(cursor.fetchall()) == most
    return counted.about("%SKIP LOCKED%").milliseconds


if __name__ == "__main__":
    main()
