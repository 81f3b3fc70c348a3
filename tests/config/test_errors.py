"""What Sentry is told of an error."""

import json

import pytest
import sentry_sdk
from sentry_sdk.transport import Transport

from config import logging


class Kept(Transport):
    """Keeps what would be sent."""

    def __init__(self):
        super().__init__()
        self.envelopes = []

    def capture_envelope(self, envelope):
        self.envelopes.append(envelope)


@pytest.fixture
def told(settings, monkeypatch):
    kept = Kept()
    begin = sentry_sdk.init
    monkeypatch.setattr(sentry_sdk, "init", lambda **options: begin(**options, transport=kept))
    settings.SENTRY_DSN = "https://public@sentry.example.org/1"
    logging.start_sentry()
    yield kept
    sentry_sdk.get_client().close()
    begin()


def test_without_an_address_nobody_is_told(settings, monkeypatch):
    settings.SENTRY_DSN = ""
    monkeypatch.setattr(sentry_sdk, "init", lambda **options: pytest.fail("told somebody"))
    logging.start_sentry()


@pytest.mark.slow
def test_an_error_is_told_without_what_its_code_held(told):
    hand = "a hand of 3, 5 and 9"
    try:
        raise RuntimeError("broke at /act/abcdefgh12345678ijkl/")
    except RuntimeError:
        sentry_sdk.capture_exception()
    (event,) = (envelope.get_event() for envelope in told.envelopes)
    said = json.dumps(event, default=str)
    assert "RuntimeError" in said
    assert "test_errors.py" in said
    assert "/act/abcd***/" in said
    assert "vars" not in said, hand


def test_of_a_request_only_its_address_is_told_and_that_without_its_token():
    request = {"method": "POST", "url": "https://x.org/act/abcdefgh12345678ijkl/", "data": {"token": 9}, "cookies": {}}
    event = {"request": request, "user": {"email": "anna@example.org"}, "extra": {"state": "..."}}
    assert logging.scrub(event) == {"request": {"method": "POST", "url": "https://x.org/act/abcd***/"}}
