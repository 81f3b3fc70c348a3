"""What deploy/compose.yaml describes, on this machine: its commands, in the image's folder, behind TLS."""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import redis

from config.launcher.children import Child
from tests import capabilities
from tests.deployment import DEPLOY, lay_out, ours
from tests.servers import free_port

WEB, WORKER, LISTENER = "web", "worker", "listener"
WEBS, WORKERS = (WEB,), (WORKER,)
PATIENCE = 240.0  # seconds for anything that is to happen by itself: all is well within ninety
PROGRAMS = Path(sys.executable).parent


def until(condition: Callable[[], object], what: str) -> float:
    """Wait for something that other processes do; returns how many seconds it took."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < PATIENCE, f"never happened: {what}"
        time.sleep(0.1)
    return time.monotonic() - begun


class Running:
    """All services of the compose file but the servers, which are given.

    Arguments:
        folder: for everything it writes; the image's folder is in it.
        database_url, redis_url, mail_url: the servers.
    """

    def __init__(self, folder: Path, database_url: str, redis_url: str, mail_url: str) -> None:
        self.image, self.folder, self.redis_url = folder / "app", folder, redis_url
        self.image.mkdir()
        lay_out(self.image)
        self.ports = {name: free_port() for name in (WEB, LISTENER, "mail", "proxy", "plain")}
        self.health_ports = {name: free_port() for name in (WEB, LISTENER)}
        self.url = f"https://localhost:{self.ports['proxy']}"
        self.certificate = folder / "caddy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SITE_URL": self.url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "EMAIL_URL": mail_url,
            "DEFAULT_FROM_EMAIL": "Caravanserai <games@play.example.org>",
            "BEHIND_PROXY": "true",
            "LOOKING_SECONDS": "0",
            "REVIEW_SECONDS": "0",
            "VAR_DIR": str(folder / "var"),
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "REMAP_SIGTERM": "SIGQUIT",
        }
        self.children = {name: self._child(name, ours()[name]) for name in (WORKER, WEB, LISTENER)}
        caddy = [
            capabilities.caddy_binary() or "",
            "run",
            "--adapter",
            "caddyfile",
            "--config",
            str(DEPLOY / "Caddyfile"),
        ]
        self.children["proxy"] = self._child("proxy", caddy)

    def _child(self, name: str, command: list[str]) -> Child:
        own = {"TICK_FILE": str(self.tick_file(name)), "XDG_DATA_HOME": str(self.folder / "caddy")}
        own |= {"WEBS": " ".join(f"127.0.0.1:{self.ports[web]}" for web in WEBS), "HTTP_PORT": str(self.ports["plain"])}
        own["STREAMS"] = own["EVENTS_LISTEN"] = f"127.0.0.1:{self.ports[LISTENER]}"
        own["MAIL_LISTEN"] = f"lmtp://127.0.0.1:{self.ports['mail']}"
        if name in self.health_ports:
            own["HEALTH_LISTEN"] = f"127.0.0.1:{self.health_ports[name]}"
        words = list(command)
        if words[0] in ("gunicorn", "celery"):
            words[0] = str(PROGRAMS / words[0])
        if "--bind" in words:  # a machine has one port 8000, and one of each name
            words[words.index("--bind") + 1] = f"127.0.0.1:{self.ports[name]}"
        if "worker" in words:
            words += ["-n", f"{name}@%h"]
        if words[0] == "python":
            words[0] = sys.executable
        log = self.folder / f"{name}.log"
        return Child(name, words, self.environment | own, log, lambda _line: None, patience=45.0, folder=self.image)

    def tick_file(self, name: str) -> Path:
        """What a worker touches after each round."""
        return self.folder / f"tick of {name}"

    @contextlib.contextmanager
    def up(self) -> Iterator[None]:
        """Everything, in the order of the compose file; until the end of `with`."""
        self.run(*ours()["prepare"])
        try:
            for child in self.children.values():
                child.start()
            for name in WEBS:
                self.wait_for(name)
            until(self.certificate.exists, "a certificate")
            yield
        finally:
            for child in reversed(self.children.values()):
                child.stop()

    def run(self, program: str, *arguments: str) -> str:
        """A command of ours; returns what it prints."""
        assert program == "python"
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=self.image, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def wait_for(self, name: str) -> None:
        """Until a web says of itself that all is well, or a worker has done a round."""
        if name in WEBS:
            until(lambda: self.readiness(name) == 200, f"{name} is ready: {self.children[name].last_lines()}")
        elif name in WORKERS:
            until(self.tick_file(name).exists, f"{name} ticks: {self.children[name].last_lines()}")

    def readiness(self, name: str) -> int:
        """What /readyz of one web says; 0 if nobody answers."""
        return self._status(self.ports[name], "readyz")

    def health(self, name: str) -> int:
        """What /healthz of one web says at its own port; 0 if nobody answers."""
        return self._status(self.health_ports[name], "healthz")

    def _status(self, port: int, path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def replace(self, name: str) -> None:
        """Stop one and start it anew, as docs/upgrading.md has it; returns when it is ready."""
        self.tick_file(name).unlink(missing_ok=True)
        self.children[name].stop()
        self.children[name].start()
        self.wait_for(name)

    def another(self, name: str) -> Child:
        """One more of a worker, as on another machine; whoever asked for it starts and stops it."""
        return self._child(f"{name}-elsewhere", ours()[name])

    def signal(self, name: str, number: signal.Signals) -> None:
        """To a program and all processes of its pool."""
        process = self.children[name].process
        assert process is not None
        os.killpg(process.pid, number)

    def broker(self) -> "redis.Redis[Any]":
        """A connection of ours to Redis."""
        return redis.Redis.from_url(self.redis_url)

    def ask(self, code: str) -> Any:
        """What a few lines of Python print as JSON, within the service."""
        return json.loads(self.run("python", "manage.py", "shell", "-v", "0", "-c", code).strip().splitlines()[-1])
