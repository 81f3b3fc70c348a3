"""The web's threads: one job after another on one of them, another one where that is held up."""

import gc
import threading
import time
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import thread_pool
from config.thread_pool import OneAtATime
from tests.waiting import until

MOST = 3
LONG = 30  # seconds until a test gives up


class Held:
    """A job that somebody holds up until he lets go."""

    def __init__(self):
        self.has_begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self):
        self.has_begun.set()
        assert self.may_end.wait(2 * LONG)
        return threading.get_ident()


@pytest.fixture
def pool():
    pool = OneAtATime(MOST)
    yield pool
    pool.shutdown()


class Clock:
    """In place of `time`. However busy the machine is, nothing takes any time while it stands still."""

    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)

    def stand_still(self):
        now = time.monotonic()
        self.monotonic = lambda: now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(thread_pool, "time", clock)
    return clock


@pytest.fixture
def patient(clock):
    clock.stand_still()


@pytest.fixture
def holding(pool):
    """Has jobs begun that are held up; all are let go at the end."""
    held = []

    def hold(number):
        for _ in range(number):
            held.append(Held())
            pool.submit(held[-1])
            assert held[-1].has_begun.wait(LONG)
        return held

    yield hold
    for job in held:
        job.may_end.set()


def done(future):
    return future.result(LONG)


@pytest.mark.usefixtures("patient")
def test_jobs_are_done_in_their_order_by_one_thread(pool):
    order = []
    futures = [pool.submit(lambda number=number: order.append(number) or threading.get_ident()) for number in range(50)]
    threads = {done(future) for future in futures}
    assert order == list(range(50))
    assert threads == {done(pool.submit(threading.get_ident))}
    assert threading.get_ident() not in threads


@pytest.mark.usefixtures("patient")
def test_as_long_as_one_gets_on_nothing_is_done_beside_it(pool, holding):
    first, *_ = holding(1)
    second = pool.submit(threading.get_ident)
    time.sleep(5 * thread_pool.PATIENCE)
    assert not second.done()
    assert pool.is_busy
    first.may_end.set()
    assert done(second)


def test_a_long_row_of_jobs_that_take_little_is_done_by_one_thread(pool, clock):
    clock.stand_still()
    now = clock.monotonic()

    def take_a_moment(number):
        clock.monotonic = lambda: now + number * thread_pool.PATIENCE * 0.9
        time.sleep(thread_pool.PATIENCE / 5)
        return threading.get_ident()

    futures = [pool.submit(take_a_moment, number) for number in range(30)]
    assert len({done(future) for future in futures}) == 1


def test_what_waits_behind_one_that_is_held_up_is_done_by_another_thread(pool, holding):
    (held,) = holding(1)
    others = {done(pool.submit(threading.get_ident)) for _ in range(5)}
    assert len(others) == 1
    held.may_end.set()


def test_one_that_was_held_up_rests_when_it_is_done(pool, clock):
    held = Held()
    first = pool.submit(held)
    assert held.has_begun.wait(LONG)
    other = done(pool.submit(threading.get_ident))
    clock.stand_still()
    held.may_end.set()
    assert done(first) != other
    assert {done(pool.submit(threading.get_ident)) for _ in range(5)} == {other}


def test_one_that_was_held_up_rests_though_something_waits_for_who_gets_on(pool, clock, holding):
    left_behind, active = holding(2)
    clock.stand_still()
    waiting = pool.submit(threading.get_ident)
    left_behind.may_end.set()
    time.sleep(5 * thread_pool.PATIENCE)
    assert not waiting.done()
    active.may_end.set()
    assert done(waiting)


def test_where_all_threads_are_held_up_the_first_that_is_done_goes_on(pool, holding):
    held = holding(MOST)
    waiting = [pool.submit(threading.get_ident) for _ in range(5)]
    held[1].may_end.set()
    threads = {done(future) for future in waiting}
    assert len(threads) == 1
    assert not held[0].may_end.is_set()


def test_no_more_threads_than_were_said(pool, holding):
    held = holding(MOST)
    future = pool.submit(int)
    time.sleep(5 * thread_pool.PATIENCE)
    assert not future.done()
    held[0].may_end.set()
    assert done(future) == 0


def test_an_error_is_told_to_who_asked_and_ends_no_thread(pool):
    def break_off():
        raise SystemExit("no")

    with pytest.raises(SystemExit):
        done(pool.submit(break_off))
    assert done(pool.submit(int, "7", base=8)) == 7


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_kept_of_what_was_done(pool, fails):
    class Call:
        def __call__(self):
            if fails:
                raise ValueError("no")

    call = Call()
    known = weakref.ref(call)
    gc.disable()
    try:
        assert bool(pool.submit(call).exception(LONG)) == fails
        del call
        until(lambda: known() is None, "the call is forgotten")
    finally:
        gc.enable()


def test_what_was_called_off_is_not_done(pool, holding):
    held = holding(MOST)
    never = Held()
    future, last = pool.submit(never), pool.submit(threading.get_ident)
    assert future.cancel()
    held[0].may_end.set()
    assert done(last)
    assert not never.has_begun.is_set()


def test_a_pool_with_nothing_to_do_is_not_busy(pool):
    assert not pool.is_busy
    done(pool.submit(int))
    done(pool.submit(int))
    until(lambda: not pool.is_busy, "the pool has nothing to do")


def test_who_watches_sleeps_while_nothing_waits(pool, clock, holding):
    (held,) = holding(1)
    assert done(pool.submit(threading.get_ident))
    held.may_end.set()
    until(lambda: not pool.is_busy, "the pool has nothing to do")
    pauses = []
    clock.sleep = lambda seconds: pauses.append(seconds) or time.sleep(seconds)
    time.sleep(10 * thread_pool.PATIENCE)
    assert len(pauses) <= 2


@pytest.mark.parametrize("jobs", [0, 1, 20])
def test_at_its_end_all_is_done_and_no_thread_is_left(jobs):
    before = set(threading.enumerate())
    pool = OneAtATime(MOST)
    futures = [pool.submit(threading.get_ident) for _ in range(jobs)]
    pool.shutdown()
    assert all(future.done() for future in futures)
    until(lambda: set(threading.enumerate()) <= before, "the threads have ended")
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(int)


def test_who_is_called_just_before_the_end_comes():
    class Pausing(OneAtATime):
        rests, may_go_on = threading.Event(), threading.Event()

        def _next(self, bell):
            job = super()._next(bell)
            if job is None:
                self.rests.set()
                assert self.may_go_on.wait(LONG)
            return job

    pool = Pausing(1)
    done(pool.submit(int))
    assert pool.rests.wait(LONG)
    last = pool.submit(int, "7")
    pool.shutdown(wait=False)
    pool.may_go_on.set()
    assert done(last) == 7


def test_at_its_end_what_waits_can_be_left_undone(pool, holding):
    held = holding(MOST)
    never = pool.submit(Held())
    pool.shutdown(wait=False, cancel_futures=True)
    assert never.cancelled()
    for job in held:
        job.may_end.set()


def test_at_its_end_one_that_is_held_up_keeps_nothing_from_being_done(pool, holding):
    held = holding(1)
    waiting = [pool.submit(threading.get_ident) for _ in range(5)]
    pool.shutdown(wait=False)
    assert len({done(future) for future in waiting}) == 1
    held[0].may_end.set()


def test_at_its_end_those_that_rest_do_what_waits(pool, clock, holding):
    first, second = holding(2)
    first.may_end.set()
    clock.stand_still()
    waiting = pool.submit(threading.get_ident)
    assert not waiting.done()
    pool.shutdown(wait=False)
    assert done(waiting)
    assert not second.may_end.is_set()


@given(jobs=st.lists(st.sampled_from(["quick", "error", "held"]), max_size=12), most=st.integers(1, 3))
def test_every_job_is_done_once_and_never_more_side_by_side_than_were_said(jobs, most):
    pool, lock, may_end = OneAtATime(most), threading.Lock(), threading.Event()
    calls, sides, now = [], [], set()

    def do(number, kind):
        with lock:
            calls.append(number)
            now.add(number)
            sides.append(len(now))
        if kind == "held":
            assert may_end.wait(2 * LONG)
        with lock:
            now.discard(number)
        if kind == "error":
            raise ValueError(number)
        return number

    futures = [pool.submit(do, number, kind) for number, kind in enumerate(jobs)]
    if jobs.count("held") < most:  # what is held up keeps nothing else waiting
        for future, kind in zip(futures, jobs, strict=True):
            if kind != "held":
                assert future.exception(LONG) is None or kind == "error"
    may_end.set()
    for number, (future, kind) in enumerate(zip(futures, jobs, strict=True)):
        assert (future.exception(LONG) is not None) == (kind == "error")
        assert kind == "error" or done(future) == number
    pool.shutdown()
    assert sorted(calls) == list(range(len(jobs)))
    assert max(sides, default=0) <= most
