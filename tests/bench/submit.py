"""Accepted moves through link, page and API, beside a bare transaction and a minimal view: on SQLite and PostgreSQL.

Both services run under the same web server, with as many processes and threads as in production; the view as Gunicorn
does it by itself, and once more as ours (`config/web_server.py`). What asks and measures: `submitting.py`.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from config.launcher.service import web_command
from tests.bench.surroundings import on_each_database, prepare_both, surroundings
from tests.bench.waiting import until_listening
from tests.servers import free_port


def run() -> None:
    """Prints the part."""
    on_each_database(_run_on)


def _run_on(name: str, database_url: str) -> None:
    with surroundings(database_url) as environment:
        minimal = prepare_both(environment)
        with (
            _served(web_command, environment) as ours,
            _served(_view_command, minimal) as theirs,
        ):
            measure = [sys.executable, "-m", "tests.bench.submitting", name]
            servers = map(str, (*ours, *theirs))
            subprocess.run([*measure, *servers], env=environment, check=True)


@contextlib.contextmanager
def _served(command: Callable[[str, int], list[str]], environment: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Runs a web server; gives its process and its port."""
    port = free_port()
    with subprocess.Popen([*command("127.0.0.1", port), "--log-level", "warning"], env=environment) as process:
        try:
            until_listening(port)
            yield process.pid, port
        finally:
            process.terminate()


def _view_command(host: str, port: int) -> list[str]:
    words = ["tests.bench.minimal.wsgi" if word == "config.wsgi" else word for word in web_command(host, port)]
    at = words.index("--config")  # it has no heart to beat
    alike = ["--workers", "1", "--threads", "8", "--preload", "--no-control-socket", "--worker-class", "gthread"]
    return [*words[:at], *words[at + 2 :], *alike]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    run()
