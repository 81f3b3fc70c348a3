"""An outage of the database is one line in the log when it begins, and one when it ends."""

import logging
import sys
from typing import Any

import django.db
import psycopg
import pytest
from django.test import RequestFactory

from config.logging import OutageFilter, logging_settings

AWAY: list[BaseException] = [
    psycopg.OperationalError("connection refused"),
    psycopg.errors.AdminShutdown("terminating connection"),
    django.db.InterfaceError("connection already closed"),
]
HERE: list[BaseException] = [ValueError("a mistake of ours"), psycopg.errors.LockNotAvailable("canceling statement")]


def record_of(error: BaseException) -> logging.LogRecord:
    try:
        raise error
    except type(error):
        return logging.LogRecord("django.request", logging.ERROR, __file__, 1, "Error: %s", ("/x/",), sys.exc_info())


def as_of_django(error: BaseException) -> BaseException:
    """As Django raises what its driver did."""
    made = django.db.OperationalError(*error.args)
    made.__cause__ = error
    return made


@pytest.mark.parametrize("error", [*AWAY, *map(as_of_django, AWAY[:2])])
def test_an_outage_is_one_line_without_a_traceback(error: BaseException) -> None:
    outages = OutageFilter()
    first = record_of(error)
    assert outages.filter(first)
    assert first.exc_info is None and "database is away" in first.getMessage() and str(error) in first.getMessage()
    assert [outages.filter(record_of(error)) for _ in range(100)] == [False] * 100


def test_its_end_is_one_line_and_the_next_outage_is_written_again(caplog: Any) -> None:
    outages = OutageFilter()
    for number in range(1, 3):
        assert outages.filter(record_of(AWAY[0]))
        for _ in range(5):
            outages.end()
        assert [line.getMessage().partition(" after")[0] for line in caplog.records] == [
            "The database is back"
        ] * number


@pytest.mark.parametrize("error", [*HERE, *map(as_of_django, HERE[1:])])
def test_other_errors_keep_their_tracebacks_also_in_an_outage(error: BaseException) -> None:
    outages = OutageFilter()
    outages.filter(record_of(AWAY[0]))
    record = record_of(error)
    assert outages.filter(record) and record.exc_info and record.getMessage() == "Error: /x/"


def test_lines_without_an_error_are_written(settings: Any) -> None:
    assert OutageFilter().filter(logging.LogRecord("x", logging.INFO, __file__, 1, "all is well", (), None))
    assert settings.LOGGING["handlers"]["console"]["filters"] == ["outage"]


def test_a_health_check_that_hears_what_is_wrong_writes_no_line() -> None:
    settings = logging_settings("line", "INFO")
    (passes,) = (settings["filters"][name]["callback"] for name in settings["loggers"]["django.request"]["filters"])
    for path, is_written in (("/readyz", False), ("/games/", True)):
        record = logging.LogRecord(
            "django.request", logging.ERROR, __file__, 1, "Service Unavailable: %s", (path,), None
        )
        record.request = RequestFactory().get(path)
        assert passes(record) == is_written
    assert passes(logging.LogRecord("django.request", logging.ERROR, __file__, 1, "%s", ("/readyz",), None))
