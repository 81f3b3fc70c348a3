"""An error of a program is a fault of the run, even if every email came and every answer counted."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from config.launcher.service import Service
from games.lab.play_by_mail.game import MailGame, Plan
from games.lab.play_by_mail.service import PrivateService, SmtpServer
from games.management.commands.play_by_mail import Command

ERROR = "2026-03-04 12:00:00,000 ERROR games.play.pictures: The board of game k3v9 could not be drawn"


def test_errors_in_the_logs_are_troubles_and_warnings_are_none(tmp_path: Path) -> None:
    service = PrivateService(Service({"PORT": "0", "VAR_DIR": str(tmp_path)}, tmp_path, lambda line: None))
    assert service.troubles() == []
    (tmp_path / "web.log").write_text("2026-03-04 12:00:00,000 WARNING django.request: Not Found: /x\n")
    (tmp_path / "worker.log").write_text(f"ready\n{ERROR}\nTraceback\n  File\nValueError: not a board\n")
    assert service.troubles() == [f"worker: {ERROR}", "worker: ValueError: not a board"]


def test_a_run_with_trouble_says_so_and_fails() -> None:
    with SmtpServer(0) as smtp_server:
        mail_game = MailGame(Plan(), "http://127.0.0.1", smtp_server, print)
        with pytest.raises(CommandError, match=r"1 things were wrong:\n- worker: .* could not be drawn"):
            Command()._conclude(mail_game, None, [f"worker: {ERROR}"])
        Command()._conclude(mail_game, None, [])
