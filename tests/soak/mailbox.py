"""`python -m tests.soak.mailbox`: 2,000 replies in a real mailbox, whose readers are killed and whose server stops.

Two readers read one Dovecot by IMAP. One of them is killed every few seconds; the server is frozen or loses its
connections now and then; some mails come twice. At the end each reply must be there once. Prints how long it took from
a mail's arrival to its row, of those that came while nothing was broken.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from tests.servers import children_of, running_dovecot

READERS, BATCH = 2, 20
TWICE = 0.05  # of the mails
KILL_EVERY, STOP_EVERY, FROZEN = 10.0, 25.0, 4.0  # seconds
LONGEST = 3600.0  # seconds to the last mail
TOKEN = "k3v9pq2mzt7a-aaaaaaaaaaaaaaaaaaaaaaaaaa"
READER = [sys.executable, "-m", "tests.soak.mailbox", "--read"]


class Product:
    """Knows one address, of whoever is there."""

    def whose(self, token: str) -> Any:
        from notifications.models import Recipient

        recipient = Recipient.objects.first()
        return ("thing:1", recipient) if token == TOKEN and recipient else None

    def line_for(self, token: str, line: str) -> str:
        return line

    def is_clear(self, token: str, line: str) -> bool:
        return True


def start_django() -> None:
    """Loads the service in this process, with the product above instead of the games."""
    import django

    django.setup()
    from django.conf import settings

    from notifications.inbound import receiving

    settings.WORKER_HINTS_ENABLED = False
    receiving._handlers[:] = [Product()]  # type: ignore[list-item]


def read() -> None:
    """One reader, until it is killed."""
    start_django()
    from django.conf import settings

    from notifications.inbound import mailbox

    mailbox.PAUSES = (1, 1, 2, 5)
    mailbox.SILENCE = 10
    mailbox.read(mailbox.parse(settings.REPLY_MAILBOX), threading.Event())


class Storm(threading.Thread):
    """Kills readers, freezes the server and breaks its connections until it is told to stop."""

    def __init__(self, server: int, dice: Random) -> None:
        super().__init__(daemon=True)
        self.readers = [subprocess.Popen(READER) for _ in range(READERS)]
        self.kills = self.stops = 0
        self.over = threading.Event()
        self.broken_at: list[float] = []
        self._server, self._dice = server, dice

    def run(self) -> None:
        next_stop = time.monotonic() + STOP_EVERY
        while not self.over.wait(self._dice.uniform(0.5, 2) * KILL_EVERY):
            self.broken_at.append(time.time())
            number = self._dice.randrange(READERS)
            self.readers[number].kill()
            self.readers[number].wait()
            self.readers[number] = subprocess.Popen(READER)
            self.kills += 1
            if time.monotonic() > next_stop:
                self._stop_server()
                next_stop = time.monotonic() + STOP_EVERY
            self.broken_at.append(time.time())

    def _stop_server(self) -> None:
        self.stops += 1
        parts = [part for part in children_of(self._server) if _is_of_imap(part)]
        how = signal.SIGKILL if self._dice.random() < 0.5 else signal.SIGSTOP
        _send(parts, how)
        if how == signal.SIGSTOP:
            time.sleep(FROZEN)
            _send(parts, signal.SIGCONT)


def _is_of_imap(part: int) -> bool:
    with contextlib.suppress(OSError):
        return b"imap" in Path(f"/proc/{part}/comm").read_bytes()
    return False


def _send(parts: list[int], what: signal.Signals) -> None:
    for part in parts:
        with contextlib.suppress(ProcessLookupError):
            os.kill(part, what)


def soak(mails: int, seed: int) -> dict[str, object]:
    """Runs it all; returns what was lost and doubled, and figures."""
    start_django()
    from django.conf import settings
    from django.core.management import call_command
    from imapclient import IMAPClient

    from notifications.inbound import mailbox
    from notifications.models import Inbound, MailboxPosition, Recipient

    call_command("migrate", verbosity=0)
    Recipient.objects.create(address="anna@example.org", name="Anna")
    place = mailbox.parse(settings.REPLY_MAILBOX)
    server = next(part for part in children_of(os.getpid()) if b"dovecot" in Path(f"/proc/{part}/comm").read_bytes())
    dice, sent = Random(seed), dict[str, float]()
    storm = Storm(server, dice)
    while not MailboxPosition.objects.exists():
        time.sleep(0.2)  # it begins with what comes from now on
    storm.start()
    number = 0
    while number < mails:
        try:
            with IMAPClient(place.host, place.port, timeout=20) as client:
                client.login(place.user, place.password)
                while number < mails:
                    sent.setdefault(str(number), time.time())
                    for _ in range(2 if dice.random() < TWICE else 1):
                        client.append("INBOX", mail(number))
                    number += 1
                    if number % BATCH == 0:
                        time.sleep(3)  # so that the storm has some minutes
        except Exception as error:  # the server was frozen or has hung up: this mail is brought once more
            print(type(error).__name__, "at", number, flush=True)
            time.sleep(1)
    end = time.monotonic() + LONGEST
    storm.over.set()
    storm.join()
    while Inbound.objects.count() < mails and time.monotonic() < end:
        time.sleep(1)
    time.sleep(5)  # for what is doubled
    for reader in storm.readers:
        reader.kill()
    rows = Counter(Inbound.objects.values_list("line", flat=True))
    delays = {
        line: received_at.timestamp() - sent[line]
        for line, received_at in Inbound.objects.values_list("line", "received_at")
    }
    calm = [delay for line, delay in delays.items() if not any(at - 5 < sent[line] < at + 15 for at in storm.broken_at)]
    return {
        "mails": mails,
        "lost": mails - len(rows),
        "doubled": sum(rows.values()) - len(rows),
        "kills": storm.kills,
        "stops": storm.stops,
        "p50_seconds": round(median(delays.values()), 1),
        "p50_seconds_in_calm": round(median(calm), 1) if calm else None,
        "in_calm": len(calm),
    }


def mail(number: int) -> bytes:
    sender = "anna@example.org"
    head = f"Return-Path: <{sender}>\nFrom: {sender}\nTo: reply+{TOKEN}@play.example.org\n"
    return f"{head}Message-ID: <{number}@example.org>\n\n{number}\n".replace("\n", "\r\n").encode()


def main() -> None:
    """Prints the figures as JSON; the exit status is 0 if nothing was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--read", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        read()
        return
    with tempfile.TemporaryDirectory() as folder, running_dovecot() as dovecot:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{folder}/soak.sqlite3",
            "VAR_DIR": folder,
            "REPLY_MAILBOX": dovecot.url,
            "REPLY_ADDRESS": "reply+{token}@play.example.org",
            "SSL_CERT_FILE": str(dovecot.authority),
        }
        figures = soak(options.mails, options.seed)
    print(json.dumps(figures))
    sys.exit(bool(figures["lost"] or figures["doubled"]))


if __name__ == "__main__":
    main()
