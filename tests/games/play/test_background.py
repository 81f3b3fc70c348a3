"""Work that a processor does when nothing that people wait for wants one."""

import os
import sys

import pytest

from games.play.proposals import NICE, in_background


def niceness() -> int:
    """That of the thread that asks; of the whole process where threads have none of their own."""
    return os.nice(0)


def test_only_the_work_steps_back_and_not_who_waits_for_it() -> None:
    before = niceness()
    own = NICE if sys.platform == "linux" else 0
    assert in_background(niceness) == min(before + own, 19)
    assert niceness() == before


def test_what_the_work_raises_reaches_who_waits_for_it() -> None:
    with pytest.raises(ZeroDivisionError):
        in_background(lambda: 1 // 0)
