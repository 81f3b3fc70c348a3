"""Worker hints leave from a thread of its own, and no broker can delay or fail the caller."""

import os
import socket
import threading

import pytest
import redis

from notifications import worker_hints
from notifications.worker_hints import HintSender

LONG = 10  # seconds a test waits for a thread before it fails


class SlowBroker:
    """A broker that answers when the test says so."""

    def __init__(self):
        self.asked = threading.Event()
        self.answer = threading.Event()
        self.sent = []

    def send(self, task):
        self.asked.set()
        assert self.answer.wait(LONG)
        self.sent.append(task)


@pytest.fixture
def slow():
    made = HintSender()
    made._broker = SlowBroker()
    yield made
    made._broker.answer.set()


def test_the_caller_goes_on_while_the_broker_keeps_its_answer_back(slow):
    slow.add("play")
    assert slow._broker.asked.wait(LONG)
    slow.add("deliver")
    slow.add("play")
    assert slow._broker.sent == [], "we are back and the broker has not answered yet"


def test_hints_that_come_meanwhile_are_merged(slow):
    slow.add("play")
    assert slow._broker.asked.wait(LONG)
    for _ in range(100):
        slow.add("deliver")
    assert slow._names == {"deliver"}
    slow._broker.answer.set()
    slow._broker.asked.clear()
    slow.add("play")
    _wait_for(lambda: len(slow._broker.sent) >= 3)
    assert slow._broker.sent.count("notifications.deliver") == 1


def test_an_outage_of_the_broker_is_one_line_and_its_end_another(monkeypatch, caplog):
    monkeypatch.setattr(worker_hints, "QUIET", 0.0)
    answers = [OSError("gone"), OSError("gone"), OSError("gone"), None, None, OSError("gone")]

    class Broker:
        def send(self, task):
            if error := answers.pop(0):
                raise error

    monkeypatch.setattr(worker_hints, "Broker", Broker)
    one = HintSender()
    while answers:
        one.send({"play"})
    said = ["takes hints again" if "again" in line else "took no hint" for line in caplog.messages]
    assert said == ["took no hint", "takes hints again", "took no hint"]


def test_one_daemon_thread_serves_all(slow):
    for _ in range(5):
        slow.add("play")
    assert slow._thread.daemon
    assert sum(thread is slow._thread for thread in threading.enumerate()) == 1


def _wait_for(condition):
    waited = threading.Event()
    for _ in range(LONG * 100):
        if condition():
            return
        waited.wait(0.01)
    raise AssertionError("it never happened")


def test_nothing_is_sent_where_waking_is_off(settings, monkeypatch):
    settings.WORKER_HINTS_ENABLED = False
    monkeypatch.setattr(HintSender, "add", _must_not_be_called)
    worker_hints.hint_workers("play")


def _must_not_be_called(*args):
    raise AssertionError


def test_a_broker_that_is_down_costs_a_hint_and_no_error(settings, caplog):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{unused.getsockname()[1]}/0"
        made = HintSender()
        made.send({"play"})
    assert "took no hint" in caplog.text


def test_a_frozen_broker_is_left_alone_after_the_first_silence(settings, caplog, monkeypatch):
    with socket.socket() as frozen:  # it listens, and never says a word
        frozen.bind(("127.0.0.1", 0))
        frozen.listen()
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{frozen.getsockname()[1]}/0"
        made = HintSender()
        made.send({"play"})
        assert "took no hint" in caplog.text
        monkeypatch.setattr(worker_hints.Broker, "send", _must_not_be_called)
        made.send({"play", "deliver"})


def test_after_the_silence_the_broker_is_asked_again(monkeypatch):
    made = HintSender()
    clock = [100.0]
    asked = []

    def fails(self, task):
        asked.append(task)
        raise OSError

    monkeypatch.setattr(worker_hints.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(worker_hints.Broker, "send", fails)
    for at in (100.0, 100.0 + worker_hints.QUIET - 0.1, 100.0 + worker_hints.QUIET):
        clock[0] = at
        made.send({"play"})
    assert asked == ["games.play"] * 2


def test_an_unknown_name_is_survived(caplog):
    HintSender().send({"nonsense"})
    assert "KeyError" in caplog.text


def test_every_broker_of_ours_has_short_timeouts():
    assert worker_hints.TIMEOUT <= 0.2
    options = worker_hints.TRANSPORT_OPTIONS
    assert options["max_retries"] == 0, "else kombu waits two seconds and tries again"
    assert options["socket_timeout"] == options["socket_connect_timeout"] == worker_hints.TIMEOUT


def test_a_forked_process_gets_a_sender_of_its_own(monkeypatch):
    ours = HintSender.of_this_process()
    assert HintSender.of_this_process() is ours
    ours._changed.acquire()  # as another thread may hold it at the moment of the fork
    try:
        monkeypatch.setattr(os, "getpid", lambda: ours.pid + 1)
        child = HintSender.of_this_process()
        assert child is not ours and child._thread is None
        child._broker = SlowBroker()
        child.add("play")
        child._broker.answer.set()
    finally:
        ours._changed.release()
        monkeypatch.setattr(HintSender, "_current", None)


def test_a_real_broker_gets_the_tasks_by_name(redis_url, settings):
    settings.CELERY_BROKER_URL = redis_url
    made = HintSender()
    made.send({"play", "deliver"})
    made.send({"deliver"})
    with redis.Redis.from_url(redis_url) as server:
        assert (server.llen("play"), server.llen("deliver")) == (1, 2)
        assert b'"notifications.deliver"' in server.lindex("deliver", 0)
        assert b'"expires"' in server.lindex("deliver", 0)
    assert worker_hints.queue_depths() == {"play": 1, "deliver": 2, "sweep": 0}


def test_a_hint_for_each_of_ten_thousand_games_that_nobody_takes_fits_into_64_megabytes(redis_url, settings):
    settings.CELERY_BROKER_URL = redis_url
    made = HintSender()
    with redis.Redis.from_url(redis_url) as server:
        made.send({"play", "deliver"})
        before = server.info("memory")["used_memory"]
        for _ in range(100):
            made.send({"play", "deliver"})
        each = (server.info("memory")["used_memory"] - before) / 100
        print(f"{before / 1e6:.1f} MB, and {each:,.0f} bytes for each game")
        assert server.llen("play") == 101
    assert before + 10_000 * each < 64e6


def test_of_a_broker_that_is_gone_no_depth_is_told(settings):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert worker_hints.queue_depths() is None
