"""Runs a program that ends with its parent. Usage: child.py PARENT PROGRAM [ARGUMENT ...]

The launcher starts its children through this file, by path and in an interpreter of its own, because nothing else may
run between fork and exec in a process with threads. Where there is no prctl (macOS) the program simply runs.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15


def end_with_parent(parent: int = 0, name: str = "") -> None:
    """Ask the kernel for SIGKILL when the thread that started this process ends; end now if `parent` is gone already.

    Arguments:
        name: what lists of processes show for a copy of its parent, whose command line it has.

    Not SIGTERM: the broker dies in the same moment, and a Celery worker that is told to stop while its broker is gone
    may wait for it for ever. What a killed process was doing is in the database and is taken up by the next one.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if name:
            ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)
    if parent and os.getppid() != parent:
        sys.exit("the parent was gone before the program began")


def main(parent: int, program: list[str]) -> None:
    """Become the program, unless `parent` is gone already."""
    end_with_parent(parent)
    os.execvp(program[0], program)  # noqa: S606  # no shell is wanted


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
