"""Mails and webhooks through the whole outbox, beside the same messages without it: on SQLite and on PostgreSQL.

Each database has a process of its own, since Django is told of one when it starts. What is done there: `delivering.py`.
"""

import subprocess
import sys

from tests import capabilities
from tests.bench.receivers import Receivers, receiving
from tests.bench.report import note
from tests.bench.surroundings import surroundings
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
    told_to = {"EMAIL_URL": f"smtp://127.0.0.1:{receivers.mail_port}", "WEBHOOK_ALLOW_INSECURE": "1"}
    with surroundings(url, **told_to) as environment:
        command = [sys.executable, "-m", "tests.bench.delivering", name, str(receivers.pid), str(receivers.web_port)]
        subprocess.run(command, env=environment, check=True)
