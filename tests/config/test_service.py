"""The launcher's children: started, watched, started again, stopped, and gone when the launcher is."""

import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from config import services
from config.launcher import __main__ as launcher
from config.launcher import service
from config.launcher.children import CHILD, Child
from config.launcher.service import Service, ServiceProblem, free_port, host_and_port, listen_at
from tests.waiting import until

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def is_running(pid):
    """Whether the process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def make_child(tmp_path):
    """Makes a child from a command; what it reports is in its `said`. All are stopped afterwards."""
    made = []

    def make(command, **options):
        said = []
        child = Child("worker", command, dict(os.environ), tmp_path / "worker.log", said.append, **options)
        child.said = said
        made.append(child)
        return child

    yield make
    for child in made:
        child.stop()


def test_a_child_that_dies_is_started_again_and_said_to_be(make_child, monkeypatch):
    monkeypatch.setattr("config.launcher.children.FIRST_PAUSE", 0.0)
    child = make_child(SLEEPER, _pause=0.0)
    child.start()
    first = child.process.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: child.watch() or child.process.pid != first, "a second process")
    assert child.process.poll() is None
    assert child.deaths == 1
    assert "worker was killed by signal 9; starting it again" in child.said[0]


def test_the_pause_before_the_next_start_grows_to_a_bound(make_child):
    child = make_child(SLEEPER)
    child.start()
    child.stop()
    pauses = []
    for _ in range(9):
        pauses.append(child._pause)
        child._note_death(1)
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_a_stopped_child_takes_what_it_started_with_it(make_child, tmp_path):
    note = tmp_path / "pid"
    code = (
        "import subprocess, sys, time, pathlib;"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"pathlib.Path({str(note)!r}).write_text(str(p.pid)); time.sleep(600)"
    )
    child = make_child([sys.executable, "-c", code])
    child.start()
    until(lambda: note.exists() and note.read_text(), "the grandchild")
    child.stop()
    until(lambda: not is_running(int(note.read_text())), "the grandchild's end")


def test_a_child_that_ignores_sigterm_is_killed_after_its_patience(make_child, tmp_path):
    deaf = (
        "import signal, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"pathlib.Path({str(tmp_path / 'up')!r}).touch(); time.sleep(600)"
    )
    child = make_child([sys.executable, "-c", deaf], patience=0.05)
    child.start()
    until((tmp_path / "up").exists, "the start")
    child.stop()
    assert child.process.returncode == -signal.SIGKILL


def test_errors_in_a_log_are_shown_and_the_rest_is_not(make_child):
    child = make_child(SLEEPER)
    child.start()
    with child.log.open("a") as log:
        log.write("INFO all is well\n2026-03-04 ERROR games: broken\n")
    child.watch()
    assert child.said == ["worker: 2026-03-04 ERROR games: broken"]


def test_a_flood_of_errors_is_cut_short(make_child):
    child = make_child(SLEEPER)
    child.start()
    with child.log.open("a") as log:
        log.write("ERROR again\n" * 100)
    child.watch()
    assert len(child.said) == 6
    assert child.said[-1].startswith("worker: and more trouble, see ")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_a_child_ends_when_its_parent_is_killed(tmp_path):
    note = tmp_path / "pid"
    # Deaf to SIGTERM, as a worker whose broker is gone can be.
    deaf = "import os, signal, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    sleeper = f"{deaf} pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(600)"
    code = (
        "import os, subprocess, sys, time;"
        f"subprocess.Popen([sys.executable, {str(CHILD)!r}, str(os.getpid()), sys.executable, '-c', {sleeper!r}]);"
        "time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    until(lambda: note.exists() and note.read_text(), "the child")
    assert is_running(int(note.read_text()))
    parent.kill()
    parent.wait()
    until(lambda: not is_running(int(note.read_text())), "the child's end")


def test_a_child_whose_parent_is_gone_already_never_begins():
    done = subprocess.run([sys.executable, str(CHILD), "1", *SLEEPER], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "parent was gone" in done.stderr


@pytest.fixture
def environment(tmp_path):
    """A machine with nothing set but its folder."""
    return {"VAR_DIR": str(tmp_path / "var"), "PATH": os.environ["PATH"], "PORT": "0"}


def test_the_address_follows_host_and_port(environment):
    assert Service(environment | {"PORT": "8123"}).url == "http://localhost:8123"
    assert Service(environment | {"PORT": "8123", "HOST": "192.0.2.7"}).url == "http://192.0.2.7:8123"
    assert Service(environment | {"HOST": "0.0.0.0", "PORT": "1234"}).url == f"http://{socket.gethostname()}:1234"
    assert Service(environment | {"SITE_URL": "https://play.example.org"}).url == "https://play.example.org"


def test_a_broker_is_started_only_where_none_is_named(environment):
    services.find_broker_binary() or pytest.fail("no broker among the packages")
    assert list(Service(environment)._make_children()) == ["broker", "worker", "web", "listener"]
    named = Service(environment | {"REDIS_URL": "redis://127.0.0.1/0"})
    assert list(named._make_children()) == ["worker", "web", "listener"]


def test_account_streams_have_the_port_above_the_webs_and_programs_are_told(environment):
    made = Service(environment | {"PORT": "8123"})
    assert made.environment["EVENTS_URL"] == "http://localhost:8124/api/v1/me/events/"
    assert made._make_children()["listener"].environment["EVENTS_LISTEN"] == "127.0.0.1:8124"


def test_programs_are_told_the_port_that_was_chosen_for_streams(environment):
    made = Service(environment | {"EVENTS_LISTEN": "127.0.0.1:9001"})
    assert made.environment["EVENTS_URL"] == "http://localhost:9001/api/v1/me/events/"


def test_the_greeting_names_the_address_of_account_streams(environment):
    made = Service(environment | {"PORT": "8123"})
    assert "http://localhost:8124/api/v1/me/events/" in launcher._greeting(made, "")


def was_connected(port):
    """Leave a port as a server leaves it that ended while a program was connected: the kernel still waits there."""
    with listen_at("127.0.0.1", port) as server:
        program = socket.create_connection(server.getsockname())
        server.accept()[0].close()
        program.recv(1)
        program.close()
        return server.getsockname()[1]


@pytest.mark.parametrize("above", [0, 1, 25])
def test_a_port_at_which_a_program_was_connected_is_taken_again(environment, above):
    port = was_connected(0) - above
    made = Service(environment | {"PORT": str(port)}, has_door=True)
    assert [made.port, host_and_port(made.streams)[1], host_and_port(made.listens)[1]] == [port, port + 1, port + 25]
    name = {0: "PORT", 1: "EVENTS_LISTEN", 25: "MAIL_LISTEN"}[above]
    with service._listen_as(name, f"127.0.0.1:{port + above}"):
        pass


@pytest.mark.parametrize("more", [{"EVENTS_LISTEN": "off"}, {"SITE_URL": "https://play.example.org"}])
def test_without_a_port_for_streams_web_processes_send_them(environment, more):
    made = Service(environment | more)
    assert "listener" not in made._make_children() and "EVENTS_URL" not in made.environment


def test_behind_a_proxy_streams_are_where_it_is_said(environment):
    made = Service(environment | {"SITE_URL": "https://play.example.org", "EVENTS_LISTEN": "127.0.0.1:9001"})
    assert made._make_children()["listener"].environment["EVENTS_LISTEN"] == "127.0.0.1:9001"


def test_without_any_broker_it_is_said_what_to_install(environment, monkeypatch):
    monkeypatch.setattr(services, "find_broker_binary", lambda: None)
    with pytest.raises(ServiceProblem, match="install redis-server"):
        Service(environment).start()


def answering(status):
    """A web server that answers everything with this status."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            """Nothing on the screen."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.mark.parametrize(("status", "is_ready"), [(200, True), (302, True), (404, True), (500, False)])
def test_the_web_is_ready_when_a_page_comes(environment, status, is_ready):
    with answering(status) as server:
        made = Service(environment | {"PORT": str(server.server_port)})
        made.tick_file.parent.mkdir()
        made.tick_file.touch()
        made.children = made._make_children()
        if is_ready:
            made.wait_ready()
        else:
            with pytest.raises(ServiceProblem, match="web answers with errors"):
                made.wait_ready(timeout=0)
        server.shutdown()


@pytest.mark.parametrize(
    ("name", "form", "what"),
    [
        ("PORT", "{}", "the web"),
        ("EVENTS_LISTEN", "127.0.0.1:{}", "account streams"),
        ("MAIL_LISTEN", "lmtp://127.0.0.1:{}", "replies by email"),
        ("HEALTH_LISTEN", "127.0.0.1:{}", "health checks"),
    ],
)
def test_a_taken_port_is_refused_in_words_and_no_other_one_tried(environment, name, form, what):
    with listen_at("127.0.0.1", 0) as other:
        port = other.getsockname()[1]
        why = (
            f"Cannot listen on port {port} of 127.0.0.1 for {what}: another program does. "
            f"Choose another one: {name}={form.format(port + 1)} ./script/server"
        )
        with pytest.raises(ServiceProblem, match=re.escape(why)):
            Service(environment | {name: form.format(port)}).prepare()


def test_two_listeners_are_not_given_one_port(environment):
    port = free_port()
    with pytest.raises(ServiceProblem, match=f"port {port} of 127.0.0.1 for health checks"):
        Service(environment | {"EVENTS_LISTEN": f"127.0.0.1:{port}", "HEALTH_LISTEN": f"127.0.0.1:{port}"}).prepare()


@pytest.mark.parametrize("port", ["many", "-1", "65536", "65535", "80.5"])
def test_a_port_that_is_none_is_refused_in_words(environment, port):
    with pytest.raises(ServiceProblem, match=f"PORT must be a number up to 65510, .* not '{port}'"):
        Service(environment | {"PORT": port})


@pytest.mark.parametrize(
    ("name", "address", "why"),
    [
        ("MAIL_LISTEN", "127.0.0.1", "MAIL_LISTEN must be like lmtp://127.0.0.1:8024"),
        ("MAIL_LISTEN", "lmtp://127.0.0.1:many", "must be like"),
        ("MAIL_LISTEN", "lmtp://192.0.2.1:8024", "Cannot assign"),
        ("MAIL_LISTEN", "lmtp://no-such-host.invalid:8024", "Cannot listen on port 8024 of no-such-host.invalid"),
        ("EVENTS_LISTEN", "8001", "EVENTS_LISTEN must be like 127.0.0.1:8001"),
        ("EVENTS_LISTEN", "127.0.0.1:70000", "must be like"),
        ("HEALTH_LISTEN", "on", "HEALTH_LISTEN must be like 127.0.0.1:8100"),
    ],
)
def test_an_address_at_which_nobody_can_listen_is_refused_in_words(environment, name, address, why):
    with pytest.raises(ServiceProblem, match=why):
        Service(environment | {name: address}).prepare()


def test_no_mailbox_and_no_demo_where_it_is_public(environment):
    assert Service(environment).has_mailbox
    assert not Service(environment | {"SITE_URL": "https://play.example.org"}).has_mailbox
    assert not Service(environment | {"EMAIL_URL": "smtp://mail.example.org"}).has_mailbox
    assert Service(environment | {"EMAIL_URL": ""}).has_mailbox  # as a file of variables may leave it
    assert Service(environment | {"PRODUCTION": "true"}).is_production


def test_two_launchers_do_not_share_a_folder(tmp_path):
    with launcher._only_one(tmp_path), pytest.raises(ServiceProblem, match="running already"):
        launcher._only_one(tmp_path).__enter__()


def test_a_socket_path_the_kernel_would_refuse_moves_to_a_short_folder(tmp_path):
    assert services.socket_path(Path("/srv/game")) == Path("/srv/game/broker.sock")
    deep = tmp_path / ("d" * 120)
    path = services.socket_path(deep)
    assert len(os.fsencode(path)) < 104
    assert path == services.socket_path(deep)
    assert path != services.socket_path(tmp_path / ("e" * 120))


def test_a_socket_folder_of_somebody_else_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(PermissionError):
        services.make_socket_folder(tmp_path / "broker.sock")


def test_the_broker_writes_everything_down_and_listens_on_no_network():
    command = services.broker_command("valkey-server", Path("/srv/b.sock"), Path("/srv"))
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert options["--port"] == "0"
    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "everysec"
    assert options["--maxmemory-policy"] == "noeviction"
    assert options["--unixsocketperm"] == "600"


def test_the_web_server_keeps_no_log_of_addresses():
    """Addresses hold tokens."""
    assert not [word for word in service.web_command("127.0.0.1", 8000) if "access" in word]


def test_the_worker_is_given_time_on_sigterm(environment):
    made = Service(environment)
    assert made.environment["REMAP_SIGTERM"] == "SIGQUIT"
    from django.conf import settings

    assert made._make_children()["worker"].patience > settings.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT


LOADED = """
import gc, json
from gunicorn.app.wsgiapp import WSGIApplication
app = WSGIApplication()
app.wsgi()
app.cfg.when_ready(None)
print(json.dumps([app.cfg.preload_app, gc.get_freeze_count(), len(gc.get_objects()), gc.get_threshold()[0]]))
"""


def test_what_the_web_has_loaded_is_never_looked_through_again():
    """Or one request in some hundreds waits for a tenth of a second."""
    command = [sys.executable, "-c", LOADED, *service.web_command("127.0.0.1", 8000)[3:]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    comes_first, frozen, left, most_young = json.loads(done.stdout.splitlines()[-1])
    assert comes_first
    assert frozen > 50_000
    assert left < frozen / 50
    assert most_young > 5_000
