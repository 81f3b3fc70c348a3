"""What no log may say."""

import json
import logging
import sys
from datetime import datetime

import pytest

from config.logging import JsonLineFormatter, LineFormatter, redact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/act/abcdefgh12345678ijkl/", "/act/abcd***/"),
        ("/sign-in/?sesame=AAABBBCCCDDDEEEFFFGGG", "/sign-in/?sesame=AAAB***"),
        ("/never/eyJhIjoxfQ:1tRk2X:abcdefghijklmnop", "/never/eyJh***"),
        ("/tables/new/", "/tables/new/"),
        ("/static/board.css", "/static/board.css"),
        ('File "/srv/games/a_rather_long_name_of_a_file.py"', 'File "/srv/games/a_rather_long_name_of_a_file.py"'),
    ],
)
def test_tokens_are_cut_out_of_addresses(text, expected):
    assert redact(text) == expected


@pytest.mark.parametrize("formatter", [LineFormatter(), JsonLineFormatter()])
def test_djangos_note_of_a_refused_request_holds_no_token(formatter):
    arguments = ("Not Found", "/act/abcdefgh12345678ijkl/")
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "%s: %s", arguments, None)
    assert "Not Found: /act/abcd***/" in formatter.format(record)


@pytest.mark.parametrize("formatter", [LineFormatter(), JsonLineFormatter()])
def test_a_traceback_holds_no_token_either(formatter):
    try:
        raise ValueError("no answer from https://example.org/hook/abcdefgh12345678ijkl")
    except ValueError:
        record = logging.LogRecord("games", logging.ERROR, "", 0, "A part broke", (), sys.exc_info())
    said = formatter.format(record)
    assert "ValueError" in said
    assert "abcd***" in said
    assert "abcdefgh" not in said


def test_what_is_logged_beside_the_message_holds_no_token_either():
    record = logging.makeLogRecord({"msg": "sent", "target": "https://example.org/hook/abcdefgh12345678ijkl"})
    assert json.loads(JsonLineFormatter().format(record))["target"] == "https://example.org/hook/abcd***"


def test_a_json_line_says_when_where_and_how_bad_it_is():
    record = logging.LogRecord("games.ticks", logging.ERROR, "", 0, "A part of the tick broke", (), None)
    said = json.loads(JsonLineFormatter().format(record))
    assert (said["level"], said["logger"], said["message"]) == ("ERROR", "games.ticks", "A part of the tick broke")
    assert datetime.fromisoformat(said["time"]).tzinfo is not None


def test_one_of_these_writes_our_log(settings):
    assert settings.LOGGING["formatters"]["line"]["()"] == "config.logging.LineFormatter"
    assert settings.LOGGING["handlers"]["console"]["formatter"] in settings.LOGGING["formatters"]


def test_a_message_is_one_line_whatever_a_stranger_wrote_into_it():
    name = "Anna\r\n2026-03-04 ERROR games: forged\x1b[2J\u2028\u202e"
    record = logging.LogRecord("games", logging.INFO, "", 0, "Hello %s", (name,), None)
    said = LineFormatter().format(record)
    assert said.isprintable()
    assert said.endswith(r"Hello Anna\r\n2026-03-04 ERROR games: forged\x1b[2J\u2028\u202e")


def test_no_line_of_a_traceback_looks_like_one_of_the_log():
    try:
        raise ValueError("wrong\n2026-03-04 ERROR games: forged")
    except ValueError:
        record = logging.LogRecord("games", logging.ERROR, "", 0, "A part broke", (), sys.exc_info())
    _first, *others = LineFormatter().format(record).splitlines()
    assert any("forged" in line for line in others)
    assert all(line.startswith("  ") for line in others)
