"""The web's process under a real Gunicorn: what hangs keeps up nobody else."""

import contextlib
import http.client
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from gunicorn.app.wsgiapp import WSGIApplication

from config.launcher.service import web_command
from config.web_server import BoundedWorker
from tests.bench.waiting import until_listening
from tests.deployment import image_command, unit_commands
from tests.servers import free_port
from tests.waiting import until

pytestmark = pytest.mark.slow
THREADS, LONG = 3, 50
COMMAND = [sys.executable, "-m", "gunicorn", "tests.config.hanging"]


@contextlib.contextmanager
def running(*options):
    """A web of one process, which tells no heartbeat, and its port."""
    port = free_port()
    size = ["--workers", "1", "--threads", str(THREADS), "--bind", f"127.0.0.1:{port}"]
    command = [*COMMAND, *(options or ("--worker-class", "gthread")), *size]
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


@pytest.mark.parametrize(
    "sent",
    [b"G", b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf"],
    ids=["a letter", "half a head", "half a body"],
)
def test_requests_that_do_not_get_on_end_and_the_threads_are_free_again(sent):
    with running("--config", "python:tests.config.hurried") as (_web, port):
        slow = [socket.create_connection(("127.0.0.1", port), LONG) for _ in range(2 * THREADS)]
        for connection in slow:
            connection.sendall(sent)
        assert ask(port)
        for connection in slow:
            with contextlib.suppress(ConnectionResetError):
                while connection.recv(1000):
                    pass


def test_whoever_sends_letter_by_letter_is_cut_off_as_well():
    with running("--config", "python:tests.config.hurried") as (_web, port):
        slow = socket.create_connection(("127.0.0.1", port), LONG)
        slow.settimeout(0.1)
        until(lambda: is_cut_off(slow), "the connection is cut off")
        assert ask(port)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a\r\n"], ids=["nothing", "half a head"])
def test_the_server_of_streams_ends_connections_without_a_request_and_no_stream(sent):
    port = free_port()
    with subprocess.Popen([sys.executable, "-m", "tests.config.hurried_streams", f"127.0.0.1:{port}"]) as streams:
        try:
            until_listening(port)
            stream = connected(port)
            stream.request("GET", "/")
            answer = stream.getresponse()
            silent = socket.create_connection(("127.0.0.1", port), LONG)
            silent.sendall(sent)
            with contextlib.suppress(ConnectionResetError):
                assert silent.recv(1) == b""
            for _piece in range(20):
                assert answer.read(2) == b"a\n"
        finally:
            streams.terminate()


def is_cut_off(connection):
    try:
        connection.sendall(b"G")
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


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


def test_while_a_web_is_restarted_on_a_socket_of_systemds_nobody_is_refused():
    with socket.create_server(("127.0.0.1", 0), backlog=64) as kept, ThreadPoolExecutor(1) as pool:
        port = kept.getsockname()[1]
        words = [*COMMAND, "--no-control-socket"]
        given = (
            f"import os; os.dup2({kept.fileno()}, 3); os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()));"
            f"os.execv({words[0]!r}, {words!r})"
        )

        def start():
            return subprocess.Popen([sys.executable, "-c", given], pass_fds=[kept.fileno()])

        first = start()
        try:
            assert ask(port)
            first.terminate()
            assert first.wait(LONG) == 0
            waiting = pool.submit(ask, port)
            first = start()
            assert waiting.result(LONG)
        finally:
            first.terminate()
            first.wait(LONG)


@pytest.mark.parametrize("command", [web_command("127.0.0.1", 8000), image_command(), unit_commands()["web@1"]])
def test_wherever_the_web_runs_it_has_such_processes(command, monkeypatch):
    monkeypatch.setattr("sys.argv", command[command.index("config.wsgi") - 1 :])
    told = WSGIApplication().cfg
    assert told.worker_class is BoundedWorker
    assert (told.workers, told.threads, told.preload_app, told.control_socket_disable) == (1, 8, True, True)
