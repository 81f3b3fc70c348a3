"""System checks of the site itself: its address, its keys, what suits one's own machine alone."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

from config.checks.hosts import is_here
from engine.registry import LEFT_OUT


@checks.register
def check_games(**_: object) -> Iterator[checks.CheckMessage]:
    """W020: a game from another package that is not offered, and why."""
    for name, reason in LEFT_OUT.items():
        yield checks.Warning(
            f"The game {name!r} of another package is left out: {reason}",
            hint="Everything else is served. Its author can try it with script/test-game.",
            id="config.W020",
        )


@checks.register
def check_site(**_: object) -> Iterator[checks.CheckMessage]:
    """E001: every link we mail starts with SITE_URL."""
    parts = urlsplit(settings.SITE_URL)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        yield checks.Error(
            f"SITE_URL must be a whole address, not {settings.SITE_URL!r}.",
            hint="Such as https://play.example.org",
            id="config.E001",
        )


@checks.register
def check_references(**_: object) -> Iterator[checks.CheckMessage]:
    """E021: the proxy finds the database of a table by one letter."""
    if not re.fullmatch("[a-z]?", settings.REF_PREFIX):
        yield checks.Error("REF_PREFIX must be one small letter, or nothing.", id="config.E021")


@checks.register
def check_production(**_: object) -> Iterator[checks.CheckMessage]:
    """E003, E004, E009, E011, E014, W005: settings that suit one's own machine and are wrong on a public one."""
    if not settings.IS_PRODUCTION:
        return
    if settings.EMAIL_URL.startswith("mailbox:") and not settings.MAIL_PROVIDER:
        yield checks.Error(
            "In production mails must leave the house: no player would see the mailbox page.",
            hint="Set EMAIL_URL, such as smtp+tls://user:password@mail.example.org:587, or MAIL_PROVIDER.",
            id="config.E003",
        )
    if settings.SECRET_KEY_IS_GENERATED:
        yield checks.Error(
            "In production the secret key must come from the environment, the same on every machine.",
            hint="Set SECRET_KEY to 50 random characters and keep it.",
            id="config.E004",
        )
    if not settings.SITE_URL.startswith("https://"):
        yield checks.Error(
            "In production SITE_URL must start with https://: without it nobody could stay signed in.",
            hint="Put a proxy in front that speaks HTTPS; deploy/README.md shows one.",
            id="config.E009",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield checks.Error(
            "In production ALLOWED_HOSTS must name the hosts: a made-up Host header would be believed.",
            id="config.E011",
        )
    if settings.WEBHOOK_ALLOW_INSECURE:
        yield checks.Error(
            "WEBHOOK_ALLOW_INSECURE lets webhooks reach this machine itself: it is for tests alone.",
            id="config.E014",
        )
    if not settings.STAFF_SECOND_FACTOR:
        yield checks.Warning("STAFF_SECOND_FACTOR is off: a mailbox alone opens the admin site.", id="config.W005")


@checks.register
def check_reach(**_: object) -> Iterator[checks.CheckMessage]:
    """E005, W001: a site that others can reach without PRODUCTION."""
    is_reached = settings.IS_PRODUCTION or not is_here(urlsplit(settings.SITE_URL).hostname)
    if settings.DEBUG and is_reached:
        yield checks.Error("DEBUG shows secrets to everybody who meets an error.", id="config.E005")
    is_open = settings.SITE_URL.startswith("http://") and not settings.EMAIL_URL.startswith("mailbox:")
    if is_reached and is_open and not settings.IS_PRODUCTION:
        yield checks.Warning(
            "SITE_URL starts with http://: sign-in links and sessions can be read on the way.",
            hint="Speak HTTPS, and set SITE_URL to https://...",
            id="config.W001",
        )


KEYS = ("SECRET_KEY", "LINK_KEY", "SUPPRESSION_KEY")
SHORTEST_KEY, FEWEST_LETTERS = 32, 10  # 32 random hexadecimal digits have 128 bits
SHORTEST_SECRET = 16
EXAMPLE = "fifty-random-characters"  # how the placeholder in deploy/env.example begins


@checks.register
def check_keys(**_: object) -> Iterator[checks.CheckMessage]:
    """E010, E013, E017: secrets that can be guessed."""
    if not settings.IS_PRODUCTION:
        return
    keys = [(name, getattr(settings, name)) for name in KEYS] + [("SEALING_KEYS", key) for key in settings.SEALING_KEYS]
    for name in sorted({name for name, key in keys if _is_weak(key)}):
        yield checks.Error(
            f"{name} can be guessed: it needs {SHORTEST_KEY} random characters.",
            hint='Such as python -c "import secrets; print(secrets.token_urlsafe(50))" prints.',
            id="config.E010",
        )
    _name, colon, password = settings.MAIL_EVENTS_SECRET.partition(":")
    if settings.MAIL_EVENTS_SECRET and not colon:
        yield checks.Error("MAIL_EVENTS_SECRET must be a name and a password, name:password.", id="config.E017")
        return
    for name, secret in (("METRICS_TOKEN", settings.METRICS_TOKEN), ("MAIL_EVENTS_SECRET", password)):
        if getattr(settings, name) and len(secret) < SHORTEST_SECRET:
            yield checks.Error(
                f"{name} can be guessed: it needs {SHORTEST_SECRET} random characters.", id="config.E013"
            )


def _is_weak(key: str) -> bool:
    return len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_LETTERS or key.startswith((EXAMPLE, "django-insecure-"))
