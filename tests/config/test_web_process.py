"""The web's process under a real Gunicorn: what hangs keeps up nobody else."""

import contextlib
import http.client
import signal
import subprocess
import sys
import time

import pytest
from gunicorn.app.wsgiapp import WSGIApplication
from gunicorn.workers.gthread import ThreadWorker

from config.launcher.programs import web_command
from tests.bench.waiting import until_listening
from tests.deployment import image_command, unit_commands
from tests.servers import free_port
from tests.waiting import until

THREADS, LONG = 3, 50
COMMAND = [sys.executable, "-m", "gunicorn", "tests.config.hanging", "--worker-class", "gthread"]


@contextlib.contextmanager
def running():
    """A web of one process, which tells no heartbeat, and its port."""
    port = free_port()
    command = [*COMMAND, "--workers", "1", "--threads", str(THREADS), "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen([*command, "--no-control-socket"]) as web:
        until_listening(port)
        try:
            yield web, port
        finally:
            web.terminate()


@pytest.fixture
def port():
    with running() as (_web, port):
        yield port
        ask(port, "/let-go")


def connected(port):
    return http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)


def ask(port, path="/"):
    connection = connected(port)
    connection.request("GET", path)
    return connection.getresponse().read()


def test_answers_that_hang_keep_up_nobody_as_long_as_a_thread_is_left(port):
    held = [connected(port) for _ in range(THREADS - 1)]
    for connection in held:
        connection.request("GET", "/hold")
    others = {ask(port) for _ in range(10)}
    ask(port, "/let-go")
    assert {connection.getresponse().read() for connection in held}.isdisjoint(others)


def test_what_is_sent_slowly_keeps_up_nobody(port):
    slow = [connected(port) for _ in range(THREADS - 1)]
    for connection in slow:
        connection.request("POST", "/", body=b"half", headers={"Content-Length": "8"})
    assert all(ask(port) for _ in range(10))
    for connection in slow:
        connection.send(b"half")
        assert connection.getresponse().status == http.client.OK


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_what_has_been_begun_is_answered_before_a_web_ends(how, tmp_path):
    with running() as (web, port):
        connection = connected(port)
        connection.request("GET", f"/held-by?{tmp_path}")
        until((tmp_path / "begun").exists, "an answer was begun")
        web.send_signal(how)
        time.sleep(1)  # one that does not wait for its answers has ended by then
        (tmp_path / "may-end").touch()
        assert connection.getresponse().status == http.client.OK
        assert web.wait(LONG) == 0


@pytest.mark.parametrize("command", [web_command("127.0.0.1", 8000), image_command(), unit_commands()["web@1"]])
def test_wherever_the_web_runs_it_has_such_processes(command, monkeypatch):
    monkeypatch.setattr("sys.argv", command[command.index("config.wsgi") - 1 :])
    told = WSGIApplication().cfg
    assert told.worker_class is ThreadWorker
    assert (told.workers, told.threads) == (2, 4)
