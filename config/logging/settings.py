"""Django's LOGGING."""

import logging
from typing import Any


def logging_settings(form: str, level: str) -> dict[str, Any]:
    """Everything to the standard error stream, without tokens.

    Arguments:
        form: "line" for people, "json" for programs.
        level: the lowest that is written, such as "INFO".
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "config.logging.formatters.LineFormatter"},
            "json": {"()": "config.logging.formatters.JsonLineFormatter"},
        },
        "filters": {
            "outage": {"()": "config.logging.outages.OutageFilter"},
            "probes": {"()": "django.utils.log.CallbackFilter", "callback": is_no_probe},
        },
        "loggers": {"django.request": {"filters": ["probes"]}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": form, "filters": ["outage"]}},
        "root": {"handlers": ["console"], "level": level},
    }


def is_no_probe(record: logging.LogRecord) -> bool:
    """Leave out what a health check was told, every few seconds: what is wrong has a line of its own."""
    return getattr(getattr(record, "request", None), "path", "") != "/readyz"
