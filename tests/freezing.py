"""A PostgreSQL server that is frozen for a while: its processes live, and answer nothing."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg


def processes_of(url: str) -> list[int]:
    """The server's main process, by whose file of processes it is known, and all that it has started."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    main = int((Path(row[0]) / "postmaster.pid").read_text().split()[0])
    return [main, *children_of(main)]


def children_of(parent: int) -> list[int]:
    """The processes that one has started and that still live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


@contextlib.contextmanager
def frozen(url: str) -> Iterator[None]:
    """Nothing of the server runs until the end of `with`."""
    main = processes_of(url)[0]
    os.kill(main, signal.SIGSTOP)  # first: it starts no more of them
    stopped = [main, *children_of(main)]
    try:
        for process in stopped[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        yield
    finally:
        for process in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
