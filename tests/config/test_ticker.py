"""The worker's own clock: it ticks without a broker, survives errors, and leaves nothing to forked processes."""

import threading
from concurrent.futures import wait
from types import SimpleNamespace

import pytest
from django.db import connections

from config import ticker
from config.celery import app
from config.database import limits
from notifications.channels.base import CHANNELS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ticks(monkeypatch, settings):
    """What happens in place of a tick: `calls` counts, `again` waits for the next one, `error` is raised."""
    settings.TICK_SECONDS = 0.01
    seen = SimpleNamespace(calls=0, error=None, threads=set(), happened=threading.Semaphore(0))

    def tick(deliver, is_whole):
        seen.calls += 1
        seen.threads.add(threading.current_thread().name)
        seen.happened.release()
        if seen.error:
            raise seen.error

    monkeypatch.setattr("games.ticks.tick", tick)
    return seen


@pytest.fixture
def running(ticks, monkeypatch):
    """A started ticker, stopped afterwards; its limits on waiting are those of a process, which goes on."""
    monkeypatch.setattr(limits, "limit_process", lambda: None)
    step = ticker.Ticker(SimpleNamespace())
    step.start(None)
    yield step
    step.stop(None)


def again(ticks):
    """Wait until a tick that begins after this moment has ended and the next one begun."""
    enough = ticks.calls + 2
    while ticks.calls < enough:
        assert ticks.happened.acquire(timeout=20), "no tick came"


def test_it_ticks_again_and_again_in_a_thread_of_its_own(running, ticks):
    again(ticks)
    again(ticks)
    assert ticks.threads == {"ticker"}


def test_an_error_does_not_stop_it(running, ticks, caplog):
    ticks.error = RuntimeError("broken")
    again(ticks)
    again(ticks)
    assert "tick failed" in caplog.text


def test_a_stopped_ticker_ticks_no_more(running, ticks):
    again(ticks)
    running.stop(None)
    before = ticks.calls
    assert not running._thread.is_alive()
    assert ticks.calls == before


def test_it_starts_with_the_worker_after_the_pool_and_before_the_broker_is_needed():
    """The consumer is the last step and waits for the broker in its start: what comes before it runs without one."""
    names = [type(step).__name__ for step in app.WorkController(pool="solo").steps]
    assert names.index("Pool") < names.index("Ticker") < names.index("Consumer")


@pytest.mark.parametrize("processes", [0, 2])
def test_a_tick_leaves_no_connection_open_where_the_process_forks(ticks, monkeypatch, settings, processes):
    def query(deliver, is_whole):
        connections["default"].cursor().execute("SELECT 1")

    settings.WORKER_PROCESSES = processes
    monkeypatch.setattr("games.ticks.tick", query)
    closed = []
    monkeypatch.setattr(ticker.connections, "close_all", lambda: closed.append(True))
    assert ticker.tick_once()
    assert len(closed) == bool(processes)


def test_one_tick_of_five_looks_for_what_nobody_waits_for(ticks, monkeypatch):
    wholes = []
    monkeypatch.setattr("games.ticks.tick", lambda _deliver, is_whole: wholes.append(is_whole))
    assert all(ticker.tick_once() for _ in range(10))
    assert wholes.count(True) == 2


def test_a_tick_closes_its_connections_even_when_it_fails(ticks, monkeypatch):
    closed = []
    monkeypatch.setattr(ticker.connections, "close_all", lambda: closed.append(True))
    ticks.error = RuntimeError("broken")
    assert not ticker.tick_once()
    assert closed == [True]


def test_a_fork_waits_for_the_tick_to_end(ticks, monkeypatch):
    """A process forked in mid tick would inherit an open connection and held locks."""
    begun, go_on, order = threading.Event(), threading.Event(), []

    def slow(deliver, is_whole):
        begun.set()
        go_on.wait(20)
        order.append("tick ended")

    monkeypatch.setattr("games.ticks.tick", slow)
    guard = ticker.ForkGuard()
    thread = threading.Thread(target=ticker.tick_once)
    thread.start()
    begun.wait(20)

    def fork():
        guard.before()
        order.append("forked")
        guard.after()

    forking = threading.Thread(target=fork)
    forking.start()
    go_on.set()
    forking.join()
    thread.join()
    assert order == ["tick ended", "forked"]


def test_a_hanging_tick_does_not_hold_a_fork_back_for_ever(ticks, monkeypatch):
    monkeypatch.setattr(ticker, "FORK_WAIT_SECONDS", 0.01)
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def hanging(deliver, is_whole):
        begun.set()
        go_on.wait(20)
        ended.set()

    monkeypatch.setattr("games.ticks.tick", hanging)
    thread = threading.Thread(target=ticker.tick_once)
    thread.start()
    begun.wait(20)
    guard = ticker.ForkGuard()
    guard.before()
    assert not ended.is_set()
    guard.after()
    go_on.set()
    thread.join()


def test_the_tick_file_is_touched_by_a_tick_that_worked(ticks, settings, tmp_path):
    settings.TICK_FILE = str(tmp_path / "tick")
    ticks.error = RuntimeError("broken")
    ticker.tick_once()
    assert not (tmp_path / "tick").exists()
    ticks.error = None
    ticker.tick_once()
    assert (tmp_path / "tick").exists()


def test_the_threads_that_deliver_wait_for_the_database_no_longer_than_the_tick(monkeypatch):
    limited = {}

    def deliver(_now, _most, channel, **_more):
        limited[channel] = limits.is_limited()
        return 0

    monkeypatch.setattr("notifications.delivery.sending.deliver", deliver)
    monkeypatch.setattr("notifications.delivery.claims.is_any_due", lambda _now: True)
    assert ticker.tick_once()
    wait(ticker._sending)
    assert limited == dict.fromkeys(CHANNELS, True)


def test_a_worker_in_which_a_task_never_ends_is_ended_and_no_other_one(monkeypatch, caplog):
    ends = []
    monkeypatch.setattr(ticker.os, "_exit", ends.append)
    ticker.note_begin("quick")
    ticker.note_begin("endless")
    ticker.note_end("quick", sender="whoever")
    ticker.end_if_stuck()
    assert ends == []
    monkeypatch.setattr(ticker, "STUCK_SECONDS", -1)
    ticker.end_if_stuck()
    ticker.note_end("endless")
    assert ends == [1] and "endless has not ended" in caplog.text
