"""Mails and webhooks through the whole outbox, beside the same messages without it: on SQLite and on PostgreSQL.

Each database has a process of its own, since Django is told of one when it starts. What is done there: `delivering.py`.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import capabilities
from tests.bench.receivers import Receivers, receiving
from tests.bench.report import note
from tests.servers import running_postgres


def run() -> None:
    """Prints the part."""
    with receiving() as receivers:
        _run_on("SQLite", "", receivers)
        if capabilities.postgres_bin() is None:
            note("no PostgreSQL here")
            return
        with running_postgres(is_durable=True) as url:
            _run_on("PostgreSQL", url, receivers)


def _run_on(name: str, url: str, receivers: Receivers) -> None:
    with _surroundings(url, receivers) as environment:
        command = [sys.executable, "-m", "tests.bench.delivering", name, str(receivers.pid), str(receivers.web_port)]
        subprocess.run(command, env=environment, check=True)


@contextlib.contextmanager
def _surroundings(database_url: str, receivers: Receivers) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="bench-", dir=_disk()) as folder:
        yield os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "EMAIL_URL": f"smtp://127.0.0.1:{receivers.mail_port}",
            "REPLY_ADDRESS": "reply+{token}@bench.example.org",
            "SITE_URL": "http://bench.example.org",
            "SECRET_KEY": "bench" * 16,
            "VAR_DIR": folder,
            "WAKER_ENABLED": "0",
            "WEBHOOK_ALLOW_INSECURE": "1",
        }


def _disk() -> Path:
    """A folder on the disk that holds the sources: /tmp may be in memory, where a commit waits for nothing."""
    folder = Path(__file__).resolve().parents[2] / "var"
    folder.mkdir(exist_ok=True)
    return folder
