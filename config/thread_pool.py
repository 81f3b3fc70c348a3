"""The threads of a web process: one request after another on one of them, another one where that takes its time.

Threads that answer side by side hand Python's lock to each other at each statement, and each of them has a connection
of its own, with what that has planned and read, and its own part of the processor's caches: on PostgreSQL an eighth of
what a move costs ([ADR 19](../docs/adr/0019-a-web-process-answers-one-request-after-another.md)).
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any

PATIENCE = 0.02  # seconds for which what waits leaves alone the job before it

Job = tuple[Future[Any], Callable[[], Any]]
Bell = threading.Lock  # a thread's own, by which it is called; taken while it is silent


class OneAtATime(Executor):
    """Does jobs in their order, on the thread that did the last one.

    Where something waits and the job before it has taken longer than `PATIENCE` (a database that holds it up, a slow
    line, an event stream, a picture), another thread goes on, and the first one rests once it is done. So what hangs
    keeps up one of the threads, as in any pool.

    Arguments:
        most: how many jobs may be done side by side, at least 1.
    """

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()  # for all that follows; nobody holds it for long
        self._waiting: deque[Job] = deque()
        self._resting = [_bell() for _ in range(most)]  # who worked last is called first
        self._ended: list[Bell] = []
        self._active: Bell | None = None  # whose thread takes the next job; None: nothing waits
        self._since = 0.0  # when one was taken last: seconds of the monotonic clock
        self._is_over = False
        self._some_wait = threading.Event()
        lives = [partial(self._work, bell) for bell in self._resting]
        self._threads = [_started(life, "request") for life in lives]
        _started(self._watch, "requests that wait")

    def submit(self, call: Callable[..., Any], /, *values: Any, **named: Any) -> Future[Any]:
        """Has a call made; see `concurrent.futures.Executor`. Raises RuntimeError after `shutdown`."""
        future: Future[Any] = Future()
        with self._lock:
            if self._is_over:
                raise RuntimeError("this pool has been shut down")
            self._waiting.append((future, partial(call, *values, **named)))
            if self._active is None:
                self._call_another()
            else:
                self._some_wait.set()
        return future

    @property
    def is_busy(self) -> bool:
        """Whether a job is being done that is not held up, or waits."""
        return self._active is not None

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more jobs, and ends the threads when those there are have been done.

        Arguments:
            wait: return when all have ended. Python itself does not wait for them when it ends.
            cancel_futures: what nobody has begun is left undone.
        """
        with self._lock:
            self._is_over = True
            while cancel_futures and self._waiting:
                self._waiting.popleft()[0].cancel()
            for bell in self._resting:
                bell.release()
            self._resting = []
        self._some_wait.set()
        for thread in self._threads if wait else ():
            thread.join()

    def _call_another(self) -> None:
        """One that rests goes on; nobody where all are held up. Needs the lock."""
        if self._resting:
            self._active = self._resting.pop()
            self._active.release()

    def _work(self, bell: Bell) -> None:
        """A thread's life, which ends when `_next` says so: who has been called must come."""
        while bell not in self._ended:
            bell.acquire()
            while job := self._next(bell):
                _do(*job)

    def _next(self, bell: Bell) -> Job | None:
        """The next job for a thread that has none. None: it rests until it is called, or has ended."""
        with self._lock:
            if self._waiting and (self._active is bell or self._is_over or self._is_held_up()):
                self._active, self._since = bell, time.monotonic()
                return self._waiting.popleft()
            was_active = self._active is bell
            if was_active:
                self._active = None
            if self._is_over:
                self._ended.append(bell)
            else:
                self._resting.insert(len(self._resting) if was_active else 0, bell)
            return None

    def _is_held_up(self) -> bool:
        return time.monotonic() - self._since >= PATIENCE

    def _watch(self) -> None:
        """Sleeps while nothing waits."""
        while True:
            self._some_wait.wait()
            spent = time.monotonic() - self._since
            time.sleep(PATIENCE - spent if 0 < spent < PATIENCE else PATIENCE)
            with self._lock:
                if self._waiting and self._is_held_up():
                    self._call_another()
                elif not self._waiting:
                    if self._is_over:
                        return
                    self._some_wait.clear()


def _bell() -> Bell:
    bell = threading.Lock()
    bell.acquire()
    return bell


def _started(life: Callable[[], None], name: str) -> threading.Thread:
    thread = threading.Thread(target=life, name=name, daemon=True)
    thread.start()
    return thread


def _do(future: Future[Any], call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        said = call()
    except BaseException as error:  # noqa: BLE001  # the future's, whatever it is: whoever asks it is told
        future.set_exception(error)
        del future, call  # of which the error knows in turn
    else:
        future.set_result(said)
