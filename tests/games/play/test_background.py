"""Work that a processor does when nothing that people wait for wants one."""

import os
import sys
import threading

import pytest

from games.play.background import NICE, in_background


def niceness() -> int:
    """That of the thread that asks."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_only_the_work_steps_back_and_not_who_waits_for_it() -> None:
    before = niceness()
    assert in_background(niceness) == min(before + NICE, 19)
    assert niceness() == before


def test_what_the_work_raises_reaches_who_waits_for_it() -> None:
    with pytest.raises(ZeroDivisionError):
        in_background(lambda: 1 // 0)
