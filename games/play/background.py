"""Work in the background of a worker: a processor does it when nothing that people wait for wants one."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
NICE = 10  # as of the process that makes a review


def in_background(work: Callable[[], T]) -> T:
    """Returns what the work returns, done by a thread that steps back. It must not ask the database, nor hold a lock
    that others wait for."""
    with ThreadPoolExecutor(1, initializer=_step_back) as thread:
        return thread.submit(work).result()


def _step_back() -> None:
    """Lowers the priority of this thread alone, which only Linux does: elsewhere it would be that of the process."""
    if sys.platform == "linux":
        os.nice(NICE)
