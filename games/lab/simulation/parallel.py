"""Plays many games, each in a process and database of its own, so that a seed always gives the same game."""

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

from games.lab.simulation.reports.figures import GameFigures
from games.lab.simulation.scenario import Scenario
from games.lab.simulation.simulated_game import play_one
from games.lab.simulation.timeline import InvariantBroken


class Task(NamedTuple):
    """One game to play."""

    scenario: Scenario
    seed: int


class Played(NamedTuple):
    """A played game: its figures, or the invariant that was broken."""

    task: Task
    figures: GameFigures | None
    fault: str = ""


def play_all(tasks: Sequence[Task], jobs: int, seconds: float = inf) -> Iterator[Played]:
    """Plays the games, `jobs` at a time, and yields them as they end; starts none after `seconds`.

    Child processes inherit the empty in-memory database of SQLite. On PostgreSQL the games run one after the other in
    this process and share the database.
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
