"""Reports errors to Sentry, if SENTRY_DSN is set, without secrets and personal data."""

from typing import Any

from django.conf import settings

from config.logging.formatters import redact

REPORTED = ("method", "url")  # of a request, without its body, cookies and headers


def install() -> None:
    """Starts Sentry's client if SENTRY_DSN is set."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk  # here: its import takes a third of a second

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        environment=settings.SITE_HOST,
        include_local_variables=False,  # they hold states and seeds
        max_request_body_size="never",
        max_breadcrumbs=0,  # they hold queries and log lines
        before_send=scrub,
    )


def scrub(event: Any, hint: object = None) -> Any:
    """Returns the event without requests' contents, people and tokens.

    Arguments:
        event: as Sentry describes it, a tree of plain data.
        hint: what it was made from; not used.
    """
    event = {name: value for name, value in event.items() if name not in ("user", "extra", "breadcrumbs")}
    if "request" in event:
        event["request"] = {name: event["request"][name] for name in REPORTED if name in event["request"]}
    return {name: _redacted(value) for name, value in event.items()}


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {name: _redacted(inner) for name, inner in value.items()}
    return [_redacted(inner) for inner in value] if isinstance(value, list | tuple) else value
