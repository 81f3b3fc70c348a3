"""Waiting for what other threads and processes do."""

import time
from collections.abc import Callable

PATIENCE = 30.0  # seconds


def until(condition: Callable[[], object], what: str) -> None:
    """Returns when it is so. Raises AssertionError, which says what never happened."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.01)
