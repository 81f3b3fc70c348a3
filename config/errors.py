"""Errors told to Sentry, where SENTRY_DSN names one: what broke and where, and nothing that anybody keeps secret."""

from typing import Any

from django.conf import settings

from config.logs import redact

TOLD = ("method", "url")  # of a request; its body, cookies and headers stay here


def install() -> None:
    """Begin to tell, if there is somebody to tell."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk  # here, because it takes a third of a second that nobody else should wait

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        environment=settings.SITE_HOST,
        include_local_variables=False,  # they hold states and seeds
        max_request_body_size="never",
        max_breadcrumbs=0,  # they hold queries and log lines
        before_send=scrub,
    )


def scrub(event: Any, hint: Any = None) -> Any:
    """The event without requests' contents, people and tokens.

    Arguments:
        event: as Sentry describes it, a tree of plain data.
        hint: what it was made from; not looked at.
    """
    event = {name: value for name, value in event.items() if name not in ("user", "extra", "breadcrumbs")}
    if "request" in event:
        event["request"] = {name: event["request"][name] for name in TOLD if name in event["request"]}
    return _redacted(event)


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {name: _redacted(inner) for name, inner in value.items()}
    return [_redacted(inner) for inner in value] if isinstance(value, list | tuple) else value
