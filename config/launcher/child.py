"""Runs a program that ends with its parent. Usage: child.py PARENT PROGRAM [ARGUMENT ...]

The launcher starts its children through this file, by path and in an interpreter of its own, because nothing else may
run between fork and exec in a process with threads. Where there is no prctl (macOS) the program simply runs.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Ask the kernel for SIGKILL when the thread that started this process ends.

    Not SIGTERM: the broker dies in the same moment, and a Celery worker that is told to stop while its broker is gone
    may wait for it for ever. What a killed process was doing is in the database and is taken up by the next one.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def main(parent: int, program: list[str]) -> None:
    """Become the program, unless `parent` is gone already."""
    end_with_parent()
    if os.getppid() != parent:
        sys.exit("the parent was gone before the program began")
    os.execvp(program[0], program)  # noqa: S606  # no shell is wanted


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
