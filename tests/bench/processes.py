"""Processes that a part starts beside its own, and the processor time they use: receivers, a database."""

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PARENT, USED = 1, slice(11, 15)  # fields of /proc/PID/stat behind the name (proc(5)): with ended children


def processor_time_of(*pids: int) -> Callable[[], float]:
    """Returns what tells the seconds of processor time these processes and all below them have used so far."""
    return lambda: sum(_used(_with_children(pids)))


def memory_of(pid: int) -> dict[int, float]:
    """MB of a process and of all below it, by their ids, the first one first: its own and its part of what it shares
    (PSS), where the kernel says that, else all that is resident."""
    found = {}
    for one in _with_children([pid]):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found[one] = _megabytes(Path("/proc") / str(one))
    return dict(sorted(found.items(), key=lambda item: (item[0] != pid, item[0])))


def descendants_of(pid: int) -> list[int]:
    """A process and all below it."""
    return list(_with_children([pid]))


def _megabytes(folder: Path) -> float:
    rollup = folder / "smaps_rollup"
    text, name = (rollup.read_text(), "Pss:") if rollup.exists() else ((folder / "status").read_text(), "VmRSS:")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(name)) / 1000


def _with_children(pids: Iterable[int]) -> dict[int, list[str]]:
    stats = dict(filter(None, map(_stat, Path("/proc").iterdir())))
    found = {pid for pid in pids if pid in stats}
    while more := {pid for pid, fields in stats.items() if int(fields[PARENT]) in found} - found:
        found |= more
    return {pid: stats[pid] for pid in found}


def _stat(folder: Path) -> tuple[int, list[str]] | None:
    if not folder.name.isdigit():
        return None
    try:
        text = (folder / "stat").read_text()
    except OSError:  # it has ended meanwhile
        return None
    return int(folder.name), text.rpartition(")")[2].split()


def _used(stats: dict[int, list[str]]) -> Iterable[float]:
    """Each one's own, and that of its children that have ended."""
    for fields in stats.values():
        yield sum(map(int, fields[USED])) / TICKS


def parent_of(pid: int) -> int:
    """Who started it."""
    found = _stat(Path("/proc") / str(pid))
    assert found is not None, pid
    return int(found[1][PARENT])
