"""Nothing that is read depends on the order in which the database happens to return rows.

Rows that nobody sorts come as they were last written, on PostgreSQL, and so tell which of them somebody has answered.
"""

import contextlib
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import connection

from tests.secrecy import acting
from tests.secrecy.collecting import Share, differences, everything
from tests.secrecy.worlds import open_house, world

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

ALL = Share(0, 1)
READERS = ("player", "staff")  # of the same rows as the others, and of more of them


def test_what_is_read_is_the_same_when_unsorted_rows_come_the_other_way_round(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    options = {"version": "magic", "tally": "plan", "placing": "waves", "tokens_per_turn": "8"}
    with open_house(monkeypatch, settings, "sheet", options=options) as house:
        acting.play_to(house, "sheet")
        for act in acting.in_secret(Random(0)):
            house.do("Ben acts", partial(act, house))
        house.wait(2)
        with world(house):
            as_written = everything(house, "read", ALL, READERS)
        with world(house), reversed_rows():
            reversed_ = everything(house, "read", ALL, READERS)
    assert not differences(as_written, reversed_)


@contextlib.contextmanager
def reversed_rows() -> Iterator[None]:
    """Has SQLite return rows that nobody sorts the other way round (a pragma it has for such tests)."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA reverse_unordered_selects = ON")
        try:
            yield
        finally:
            cursor.execute("PRAGMA reverse_unordered_selects = OFF")
