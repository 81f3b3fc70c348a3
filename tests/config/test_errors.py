"""What Sentry is told of an error."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import logging
from tests.notifications.web import running_web

BREAK = """
import sentry_sdk
def play():
    hand = "a hand of 3, 5 and 9"
    raise RuntimeError("broke at /act/abcdefgh12345678ijkl/")
try:
    play()
except RuntimeError:
    sentry_sdk.capture_exception()
"""


def run(code: str, folder: Path, **environment: str) -> None:
    """Runs it in a process of its own: what Sentry wraps stays wrapped as long as a process runs."""
    subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
        env=os.environ | {"VAR_DIR": str(folder)} | environment,
        check=True,
    )


def test_without_an_address_sentry_is_not_even_loaded(tmp_path):
    run("import sys; assert 'sentry_sdk' not in sys.modules", tmp_path, SENTRY_DSN="")


@pytest.mark.slow
def test_an_error_is_told_without_what_its_code_held(tmp_path):
    with running_web() as web:
        run(BREAK, tmp_path, SENTRY_DSN=f"http://public@127.0.0.1:{web.port}/1")
    ((_path, headers, body),) = web.requests
    assert headers["Content-Encoding"] == "gzip"
    said = gzip.decompress(body).decode()
    assert json.loads(said.splitlines()[-1])["exception"]["values"][0]["type"] == "RuntimeError"
    assert "/act/abcd***/" in said
    assert "a hand of 3, 5 and 9" not in said


def test_of_a_request_only_its_address_is_told_and_that_without_its_token():
    request = {"method": "POST", "url": "https://x.org/act/abcdefgh12345678ijkl/", "data": {"token": 9}, "cookies": {}}
    event = {"request": request, "user": {"email": "anna@example.org"}, "extra": {"state": "..."}}
    assert logging.scrub(event) == {"request": {"method": "POST", "url": "https://x.org/act/abcd***/"}}
