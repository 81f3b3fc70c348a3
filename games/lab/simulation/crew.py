"""Many games, each in a process and a database of its own: a seed gives the same game whatever was played before it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from itertools import takewhile
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic
from traceback import print_exception
from typing import NamedTuple

from django.db import connection

from games.lab.simulation.doors import InvariantBroken
from games.lab.simulation.figures import SimulatedFigures
from games.lab.simulation.model import Scenario
from games.lab.simulation.trial import play_one


class Task(NamedTuple):
    """One game to play."""

    scenario: Scenario
    seed: int


class Played(NamedTuple):
    """What became of it: its figures, or the promise that was broken."""

    task: Task
    figures: SimulatedFigures | None
    fault: str = ""


def play_all(tasks: Sequence[Task], jobs: int, seconds: float = inf) -> Iterator[Played]:
    """Plays the games, several at a time, and yields them as they end; begins none after so many seconds.

    A child process inherits the empty database, which lives in memory; so this is for SQLite. On PostgreSQL the games
    follow one another in this process and share the database.
    """
    stop = monotonic() + seconds
    if connection.vendor != "sqlite":
        yield from map(_play, takewhile(lambda task: monotonic() < stop, tasks))
        return
    left, running = list(reversed(tasks)), dict[Connection, Task]()
    while left or running:
        while left and len(running) < jobs:
            if monotonic() >= stop:
                left.clear()
                break
            task = left.pop()
            running[_begin(task)] = task
        for pipe in wait(list(running)) if running else ():
            assert isinstance(pipe, Connection)
            yield _end(pipe, running.pop(pipe))


def _begin(task: Task) -> Connection:
    mine, theirs = multiprocessing.Pipe(duplex=False)
    multiprocessing.get_context("fork").Process(target=_play_into, args=(theirs, task)).start()
    theirs.close()
    return mine


def _play_into(pipe: Connection, task: Task) -> None:
    pipe.send(_play(task))


def _end(pipe: Connection, task: Task) -> Played:
    try:
        played: Played = pipe.recv()
    except EOFError:
        played = Played(task, None, "its process died; what it said is above")
    pipe.close()
    return played


def _play(task: Task) -> Played:
    try:
        return Played(task, play_one(task.scenario, task.seed))
    except InvariantBroken as error:
        if not isinstance(error.__cause__, InvariantBroken):
            print_exception(error.__cause__)
        return Played(task, None, str(error))
