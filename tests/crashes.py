"""A process that dies at a numbered step: before each statement, before and after each commit and what leaves it.

(After a statement is before the next one: nobody can tell the two apart.) In a test's own transaction every `atomic`
block is a savepoint, so that its RELEASE is the commit; and everything a run has done can be undone before the next
one, which dies one step later.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection, transaction

CLEANING = ("ROLLBACK TO SAVEPOINT", "RELEASE SAVEPOINT")  # what a database does by itself when a process is gone


class Crash(BaseException):
    """The process died here; not an Exception, so that nothing in the product can catch it."""


class Steps:
    """Counts the steps of what runs within `watching`, and dies at one of them, for good.

    Arguments:
        death: the number of the step, counted from 0; None to count and live.
    """

    current: "Steps | None" = None

    def __init__(self, death: int | None = None) -> None:
        self.death = death
        self.names: list[str] = []
        self.is_dead = False

    def step(self, name: str) -> None:
        """Something that could be the last thing the process did. Raises Crash if it is."""
        self.names.append(name)
        if self.is_dead or len(self.names) - 1 == self.death:
            self.is_dead = True
            raise Crash(name)

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Django's wrapper of statements."""
        if self.is_dead:
            return execute(sql, params, many, context) if sql.startswith(CLEANING) else self.step(sql)
        try:
            self.step(f"before {sql[:70]}")
        except Crash:
            if sql.startswith("RELEASE"):  # died before its commit: the database takes the block back
                execute(sql.replace("RELEASE", "ROLLBACK TO"), params, many, context)
            raise
        result = execute(sql, params, many, context)
        if sql.startswith("RELEASE"):
            self.step("after the commit")
        return result

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Within `with` every statement is a step, and what calls `step` below."""
        Steps.current = self
        try:
            with connection.execute_wrapper(self):
                yield
        finally:
            Steps.current = None


def step(name: str) -> None:
    """For what stands in for the outside world: a step of whatever is watched."""
    if Steps.current is not None:
        Steps.current.step(name)


@contextlib.contextmanager
def undone() -> Iterator[None]:
    """Nothing of what is done within `with` remains."""
    savepoint = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(savepoint)
        transaction.savepoint_commit(savepoint)


def deaths(work: Callable[[], object], least: int = 6) -> Iterator[str]:
    """Let `work` die at each of its steps in turn, always from the same beginning; yields where, after each death.

    Whoever takes from this looks at what is left, and may go on as the next process would: that is undone too.
    """
    whole = Steps()
    with undone(), whole.watching():
        work()
    assert len(whole.names) >= least, whole.names
    for number, name in enumerate(whole.names):
        with undone():
            dying = Steps(number)
            with contextlib.suppress(Crash), dying.watching():
                work()
            assert dying.is_dead, f"it went another way the second time: {name}"
            yield f"step {number}: {name}"
