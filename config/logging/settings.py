"""Django's LOGGING."""


def logging_settings(form: str, level: str) -> dict[str, object]:
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
        "filters": {"outage": {"()": "config.logging.outages.OutageFilter"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": form, "filters": ["outage"]}},
        "root": {"handlers": ["console"], "level": level},
    }
