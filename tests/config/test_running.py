"""`caravanserai check`: a line for each part of the running service, that it works or what to do."""

import datetime as dt
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from config.management.commands import check
from games.models import Heartbeat
from games.play.deadline_rule import HEART
from notifications import worker_hints
from notifications.clock import present
from notifications.models import MailboxPosition


@pytest.fixture
def well(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes every part answer well; gives the newest backup."""
    Heartbeat.objects.create(name=HEART, beat_at=present.now())
    monkeypatch.setattr(worker_hints, "queue_depths", dict)
    monkeypatch.setattr(check.shutil, "which", lambda _name: None)
    settings.BACKUP_DIR = settings.VAR_DIR = tmp_path
    settings.REPLY_ADDRESS = settings.BOUNCE_ADDRESS = ""
    backup = tmp_path / "2026-03-04T12-00-00.backup"
    backup.touch()
    return backup


def lines() -> tuple[str, list[str]]:
    """The failure, "" if there is none, and the line of each part."""
    said, failure = StringIO(), ""
    try:
        call_command("check", "--running", stdout=said)
    except CommandError as error:
        failure = str(error)
    return failure, said.getvalue().splitlines()[2:]


def test_each_part_that_works_has_one_line(well: Path) -> None:
    failure, parts = lines()
    assert failure == ""
    names = ["database", "tables", "worker", "mail", "Redis", "mail out", "mail in", "clock", "disk", "backup", "TLS"]
    assert [line.partition(": ok")[0] for line in parts] == names


def test_what_does_not_work_says_what_to_do(well: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Heartbeat.objects.all().delete()
    well.unlink()
    monkeypatch.setattr(worker_hints, "queue_depths", lambda: None)
    monkeypatch.setattr(check, "LEAST_ROOM", 1 << 60)
    settings.SITE_URL = "https://127.0.0.1:1"
    settings.REPLY_ADDRESS, settings.MAIL_LISTEN = "reply+{token}@example.org", "lmtp://127.0.0.1:1"
    failure, parts = lines()
    assert failure == "6 of 11 do not work."
    wrong = dict(line.split(": ", 1) for line in parts if ": ok" not in line)
    for name, remedy in {
        "worker": "Start the workers", "Redis": "REDIS_URL", "mail in": "Start the listener",
        "disk": "Make room", "backup": "`caravanserai backup`", "TLS": "ports 80 and 443",
    }.items():  # fmt: skip
        assert remedy in wrong[name]


def test_a_mailbox_is_well_while_somebody_looks_into_it(well: Path, settings: Any) -> None:
    settings.REPLY_ADDRESS, settings.REPLY_MAILBOX = "anna@example.org", "imaps://anna:secret@localhost/INBOX"
    position = MailboxPosition.objects.create(
        name="anna@localhost/INBOX", validity=1, last_uid=0, looked_at=present.now()
    )
    assert lines()[0] == ""
    position.looked_at -= dt.timedelta(hours=1)
    position.save()
    assert any("nobody looks into the mailbox" in line for line in lines()[1])


def test_a_unit_that_failed_tells_the_operator_how_the_service_fares(well: Path, settings: Any) -> None:
    with pytest.raises(CommandError, match="OPERATOR_ADDRESS isn't set"):
        call_command("check", "--tell", "web failed", stdout=StringIO())
    settings.OPERATOR_ADDRESS = "op@example.org"
    call_command("check", "--tell", "web failed", stdout=StringIO())
    assert mail.outbox[0].to == ["op@example.org"]
    assert mail.outbox[0].subject.endswith(": web failed") and "backup: ok" in mail.outbox[0].body
