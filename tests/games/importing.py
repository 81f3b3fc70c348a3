"""What a worker's ticker does with records that wait, until none does."""

import datetime as dt
import time

from games.archive import records
from games.models import Import

PATIENCE = 120.0  # seconds


def check_all(now: dt.datetime) -> None:
    """Checks every record that waits, each in a process of its own."""
    stop = time.monotonic() + PATIENCE
    while Import.objects.filter(settled_at=None).exists():
        assert time.monotonic() < stop, "a record is not settled"
        records.check_next_import(now)
        time.sleep(0.02)
