"""Runs a program that ends with its parent. Usage: child.py PARENT PROGRAM [ARGUMENT ...]

The launcher starts its children through this file, by path and in an interpreter of its own, because nothing else may
run between fork and exec in a process with threads. Where there is no prctl (macOS) the program simply runs.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(parent: int, program: list[str]) -> None:
    """Ask the kernel to send SIGTERM when `parent` dies, then become the program."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the parent was gone before the program began")
    os.execvp(program[0], program)  # noqa: S606  # no shell is wanted


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
