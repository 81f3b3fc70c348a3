"""The whole service on one machine: broker, worker and web as children, with their ports and command lines."""

import contextlib
import errno
import http.client
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import services
from config.launcher.children import ROOT, Child, begin, load, load_pages

# Ports of this machine: which are free, and listening at an address as servers do.


def address_of(host: str, port: int) -> str:
    """Returns "host:port", an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def host_and_port(address: str) -> tuple[str, int]:
    """Reads "host:port" or "scheme://host:port". Raises ValueError."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    if not parts.hostname or parts.port is None or parts.path:
        raise ValueError(address)
    return parts.hostname, parts.port


def listen_at(host: str, port: int) -> socket.socket:
    """Returns a listening socket. Connections of a server that has ended do not stand in the way. Raises OSError."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def free_port() -> int:
    """A port nobody listens on."""
    with listen_at("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])


# The command lines of the programs that serve: web, listener, worker.


def web_command(host: str, port: int) -> list[str]:
    """Gunicorn, without an access log: addresses hold tokens."""
    bind = ["--bind", address_of(host, port)]
    return [sys.executable, "-m", "gunicorn", "config.wsgi", "--config", "python:config.web_server", *bind]


def listener_command() -> list[str]:
    """Account streams and replies by email, in one process."""
    return [sys.executable, "-m", "config.listener"]


def worker_command() -> list[str]:
    """A Celery worker for every queue. Its ticker is its clock; Beat is not needed."""
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    return [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", "play,deliver,sweep", *quiet]


WATCH_SECONDS = 1.0
READY_SECONDS = 45.0
READY_PAUSE = 0.1
BROKER_SECONDS = 10.0
ANSWERS_ABOVE = 25  # the port for answers by mail lies so far above the web's
STREAMS_ABOVE = 1  # and that of the account streams
LARGEST_PORT = 65_535 - ANSWERS_ABOVE
EVENTS_PATH = "/api/v1/me/events/"
LISTENERS = {
    "PORT": ("the web", "8000"),
    "EVENTS_LISTEN": ("account streams", "127.0.0.1:8001"),
    "MAIL_LISTEN": ("replies by email", "lmtp://127.0.0.1:8024"),
    "HEALTH_LISTEN": ("health checks", "127.0.0.1:8100"),
}
"""The listeners whose address a setting names, and an example of each."""


class ServiceProblem(RuntimeError):
    """The service cannot start; the message says why and what helps."""


class Service:
    """Broker (unless the environment names one), worker, web, and what listens: for account streams, and where it is
    wanted for answers by mail.

    Arguments:
        environment: as for the programs themselves; see docs/configuration.md. PORT "0" takes any
            free ports. What is missing is filled in: HOST, PORT, SITE_URL, VAR_DIR,
            DATABASE_URL, REDIS_URL.
        log_dir: the folder for one log per program.
        report: told, line by line, what a person at the screen should know.
        has_door: while it is tried out, answers by mail are received too, though nobody has said where.

    Raises:
        ServiceProblem: PORT is not the number of a port.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        log_dir: Path | None = None,
        report: Callable[[str], None] = print,
        *,
        has_door: bool = False,
    ) -> None:
        self.environment = dict(environment)
        self.report = report
        self.host = self.environment.setdefault("HOST", "127.0.0.1")
        self._takes_any_port = self.environment.get("PORT") == "0"
        self.port = free_port() if self._takes_any_port else _read_port(self.environment.get("PORT") or "8000")
        self.var_dir = Path(self.environment.get("VAR_DIR") or ROOT / "var").resolve()
        self.log_dir = log_dir or self.var_dir / "log"
        self.tick_file = self.var_dir / "tick"
        self.starts_broker = not self.environment.get("REDIS_URL")
        self.streams = self._streams_address()
        self._complete_environment()
        self.listens = self.environment.setdefault("MAIL_LISTEN", self._usual_door() if has_door else "")
        self.children: dict[str, Child] = {}
        self._stopping = threading.Event()
        self._problem: str | None = None
        self._status = 0
        self._supervisor: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address people use: SITE_URL."""
        return self.environment["SITE_URL"]

    @property
    def has_mailbox(self) -> bool:
        """Whether mails go to the mailbox page."""
        return not self.is_production and (self.environment.get("EMAIL_URL") or "mailbox:").startswith("mailbox:")

    @property
    def is_production(self) -> bool:
        """Returns whether people really play here, by the same rule as config/settings.py."""
        said = self.environment.get("PRODUCTION", "").lower()
        return said in ("1", "true", "yes", "on") if said else self.url.startswith("https://")

    def prepare(self, *, demo: bool = False) -> str:
        """Make folders and database ready; returns what the demo command printed.

        Raises:
            ServiceProblem: the port is taken, there is no broker to start, or the database could not be made ready.
        """
        self._refuse_taken_ports()
        for folder in (self.var_dir, self.log_dir):
            folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "config.prepare", *(["--demo"] if demo else [])]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            status = begin(command, self.environment, ROOT, out, err).wait()
            for file in (out, err):
                file.seek(0)
            said, errors = out.read().decode(errors="replace"), err.read().decode(errors="replace")
        (self.log_dir / "prepare.log").write_text(said + errors)
        if status:
            # Without the traceback, which is in the log: what the last lines say is for the person at the screen.
            lines = [line for line in errors.splitlines() if line and not line.startswith((" ", "Traceback"))]
            log = self.log_dir / "prepare.log"
            raise ServiceProblem("\n".join(["The database could not be made ready:", *lines[-3:], f"More in {log}"]))
        return said.strip()

    def load(self) -> None:
        """Load what the programs need, which are copies of this process then: for a process that does nothing else,
        and has one thread.

        Raises:
            ServiceProblem: a setting is wrong.
        """
        try:
            load(self.environment)
        except ImproperlyConfigured as error:
            raise ServiceProblem(f"{error}") from None

    def start(self) -> None:
        """Start everything and watch over it until `stop`, in a thread. Returns at once; see `wait_ready`.

        Raises:
            ServiceProblem: there is no broker to start.
        """
        self._begin()
        self._supervisor = threading.Thread(target=self._supervise, name="supervisor", daemon=True)
        self._supervisor.start()

    def run(self, when_ready: Callable[[], None]) -> None:
        """Start everything and watch over it in this thread, until KeyboardInterrupt ends it.

        Raises:
            ServiceProblem: there is no broker to start, or the service did not become ready; it has been stopped.
        """
        load_pages()
        self._begin()
        self._supervise(when_ready)
        if self._problem:
            raise ServiceProblem(self._problem)

    def wait_ready(self, timeout: float = READY_SECONDS) -> None:
        """Wait until the web answers and the worker has ticked.

        Raises:
            ServiceProblem: it took longer; with the end of the log of what was missing.
        """
        end = time.monotonic() + timeout
        while (name := self._missing()) is not None:
            if self._problem or time.monotonic() > end:
                raise ServiceProblem(self._problem or self._why_not_ready(name))
            time.sleep(READY_PAUSE)

    def kill(self, name: str) -> None:
        """SIGKILL to "web", "worker" or "broker", with all its processes; it is started again by itself."""
        self.children[name].kill()

    def kill_all(self) -> None:
        """SIGKILL to everything: for who cannot wait for a clean stop."""
        for child in self.children.values():
            child.kill()

    def stop(self) -> None:
        """End web, worker and broker, in this order. May be called twice."""
        self._stopping.set()
        if self._supervisor is not None:
            self._supervisor.join()
            self._supervisor = None
        self.tick_file.unlink(missing_ok=True)

    def _begin(self) -> None:
        self.children = self._make_children()
        self._stopping.clear()
        self.tick_file.unlink(missing_ok=True)

    def _supervise(self, when_ready: Callable[[], None] | None = None) -> None:
        started: list[Child] = []
        try:
            for name, child in self.children.items():
                child.start()
                started.append(child)
                if name == "broker":
                    self._wait_for_broker()
            self._watch(started, when_ready)
        except OSError as error:
            self._problem = f"A program could not be started: {error}"
            self.report(self._problem)
        except KeyboardInterrupt:
            self.report("\nStopping ... (once more to stop at once)")
        finally:
            for child in reversed(started):
                child.stop()

    def _watch(self, children: list[Child], when_ready: Callable[[], None] | None) -> None:
        end = time.monotonic() + READY_SECONDS
        while not self._stopping.wait(READY_PAUSE if when_ready else WATCH_SECONDS):
            for child in children:
                child.watch()
            if when_ready is None:
                continue
            if (name := self._missing()) is None:
                when_ready()
                when_ready = None
            elif time.monotonic() > end:
                self._problem = self._why_not_ready(name)
                return

    def _missing(self) -> str | None:
        """Names the first of web and worker that is not ready yet; None once both are."""
        if not self._web_answers():
            return "web"
        return None if self.tick_file.exists() else "worker"

    def _wait_for_broker(self) -> None:
        """Celery waits seconds before its second try, so let its first one succeed."""
        path = str(services.socket_path(self.var_dir))
        end = time.monotonic() + BROKER_SECONDS
        while time.monotonic() < end and not self._stopping.is_set():
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
                client.connect(path)
                return
            time.sleep(0.01)

    def _streams_address(self) -> str:
        """Where account streams are served; "" for nowhere. Behind a proxy only where it is said: the proxy has to lead
        their address there. Programs remember it, so it is the same at every start."""
        address = self.environment.get("EVENTS_LISTEN", "")
        if self.environment.get("SITE_URL") or address == "off":
            return "" if address == "off" else address
        address = address or address_of(self.host, self._port_above(STREAMS_ABOVE))
        with contextlib.suppress(ValueError):  # refused by `prepare`
            host, port = host_and_port(address)
            self.environment.setdefault("EVENTS_URL", f"http://{_reachable_name(host)}:{port}{EVENTS_PATH}")
        return address

    def _port_above(self, number: int) -> int:
        return free_port() if self._takes_any_port else self.port + number

    def _complete_environment(self) -> None:
        defaults = {
            "SITE_URL": f"http://{_reachable_name(self.host)}:{self.port}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{quote(str(self.var_dir / 'caravanserai.sqlite3'))}",
        }
        for key, value in defaults.items():
            self.environment[key] = self.environment.get(key) or value
        self.environment |= {
            "PORT": str(self.port),
            "VAR_DIR": str(self.var_dir),
            "TICK_FILE": str(self.tick_file),
            "EVENTS_LISTEN": self.streams,
            "PYTHONUNBUFFERED": "1",
            "REMAP_SIGTERM": "SIGQUIT",  # Celery: SIGTERM gives running tasks time and puts unfinished ones back
        }
        if self.starts_broker:
            self.environment["REDIS_URL"] = services.socket_url(self.var_dir)

    def _usual_door(self) -> str:
        """Where answers by mail are received while the service is tried out; "" where people really play."""
        return f"smtp://127.0.0.1:{self._port_above(ANSWERS_ABOVE)}" if self.has_mailbox else ""

    def _make_children(self) -> dict[str, Child]:
        commands = {"worker": worker_command(), "web": web_command(self.host, self.port)}
        if self.streams or self.listens or self.environment.get("REPLY_MAILBOX"):
            commands["listener"] = listener_command()
        if self.starts_broker:
            commands = {"broker": self._broker_command()} | commands
        patience = {"worker": 45.0}  # longer than Celery's soft shutdown
        # A check asks the web alone.
        environments = {"listener": self.environment | {"HEALTH_LISTEN": ""}}
        return {
            name: Child(
                name,
                command,
                environments.get(name, self.environment),
                self.log_dir / f"{name}.log",
                self.report,
                patience.get(name, 10.0),
            )
            for name, command in commands.items()
        }

    def _broker_command(self) -> list[str]:
        binary = services.find_broker_binary()
        if binary is None:
            raise ServiceProblem("There is no broker: install redis-server or valkey-server, or set REDIS_URL.")
        path, folder = services.socket_path(self.var_dir), self.var_dir / "broker"
        services.make_socket_folder(path)
        folder.mkdir(parents=True, exist_ok=True)
        return services.broker_command(binary, path, folder)

    def _refuse_taken_ports(self) -> None:
        addresses = {
            "PORT": address_of(self.host, self.port),
            "EVENTS_LISTEN": self.streams,
            "MAIL_LISTEN": self.listens,
            "HEALTH_LISTEN": self.environment.get("HEALTH_LISTEN", ""),
        }
        with contextlib.ExitStack() as listeners:  # all at once: two of them may have been given one port
            for name, address in addresses.items():
                if address:
                    listeners.enter_context(_listen_as(name, address))

    def _why_not_ready(self, name: str) -> str:
        why = "web answers with errors" if name == "web" and self._status else f"{name} did not become ready"
        return f"{why}. The end of its log:\n{self.children[name].last_lines()}"

    def _web_answers(self) -> bool:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104  # compared, not bound
        connection = http.client.HTTPConnection(host, self.port, timeout=5)
        try:
            connection.request("GET", "/", headers={"Host": self.url.split("://", 1)[1]})
            self._status = connection.getresponse().status
            return self._status < http.HTTPStatus.INTERNAL_SERVER_ERROR
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def _read_port(text: str) -> int:
    if not text.isdecimal() or int(text) > LARGEST_PORT:
        raise ServiceProblem(f"PORT must be a number up to {LARGEST_PORT}, or 0 for any free ports, not {text!r}.")
    return int(text)


def _reachable_name(host: str) -> str:
    """The name under which others reach this machine where something listens on `host`."""
    names = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname(), "127.0.0.1": "localhost"}  # noqa: S104  # the person chose to listen everywhere
    return names.get(host, f"[{host}]" if ":" in host else host)


def _listen_as(name: str, address: str) -> socket.socket:
    """A socket that listens where the setting `name` says. Raises ServiceProblem with what helps."""
    what, example = LISTENERS[name]
    try:
        host, port = host_and_port(address)
    except ValueError:
        raise ServiceProblem(f"{name} must be like {example}, not {address!r}.") from None
    try:
        return listen_at(host, port)
    except OSError as error:
        where = f"port {port} of {host} for {what}"
        if error.errno != errno.EADDRINUSE:
            raise ServiceProblem(f"Cannot listen on {where}: {error.strerror}.") from error
        another = str(port + 1) if name == "PORT" else address.removesuffix(str(port)) + str(port + 1)
        raise ServiceProblem(
            f"Cannot listen on {where}: another program does. Choose another one: {name}={another} ./script/server"
        ) from error
