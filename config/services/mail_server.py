"""Reads EMAIL_URL and the mail provider's settings into what Django and django-anymail expect."""

import json
from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured

PORTS = {"EMAIL_USE_TLS": 587, "EMAIL_USE_SSL": 465}


def server_at(url: str, parse: Callable[[str], dict[str, object]]) -> dict[str, object]:
    """Django's settings for the mail server in EMAIL_URL. Raises ImproperlyConfigured, without the password.

    Arguments:
        parse: django-environ's `email_url_config`.
    """
    try:
        found = parse(url)
    except (ValueError, ImproperlyConfigured):
        found = {}
    if not found.get("EMAIL_HOST"):
        raise ImproperlyConfigured(
            "EMAIL_URL cannot be read. It is like smtp+tls://user:password@mail.example.org:587, or begins with "
            "smtp+ssl:// or smtp://. In the user and the password write # / ? % : as %23 %2F %3F %25 %3A."
        )
    usual = next((port for name, port in PORTS.items() if found.get(name)), 25)
    return found | {"EMAIL_PORT": found.get("EMAIL_PORT") or usual}


def object_of(name: str, text: str) -> dict[str, object]:
    """The JSON object in an environment variable. Raises ImproperlyConfigured."""
    try:
        made = json.loads(text or "{}")
    except ValueError:
        made = None
    if not isinstance(made, dict):
        raise ImproperlyConfigured(f'{name} must be a JSON object, such as {{"POSTMARK_SERVER_TOKEN": "..."}}.')
    return made
