"""System checks: settings that do not fit together are said at start-up, by number."""

from collections.abc import Iterator
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks


@checks.register
def check_site(**_: Any) -> Iterator[checks.CheckMessage]:
    """E001: every link we mail starts with SITE_URL."""
    parts = urlsplit(settings.SITE_URL)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        yield checks.Error(
            f"SITE_URL must be a whole address, not {settings.SITE_URL!r}.",
            hint="Such as https://play.example.org",
            id="config.E001",
        )


@checks.register
def check_sender(**_: Any) -> Iterator[checks.CheckMessage]:
    """E002: a mail server refuses what comes from nobody."""
    name, at, host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].partition("@")
    if not (name and at and host):
        yield checks.Error(
            f"DEFAULT_FROM_EMAIL holds no mail address: {settings.DEFAULT_FROM_EMAIL!r}.",
            hint='Such as "Caravanserai <games@example.org>"',
            id="config.E002",
        )


@checks.register
def check_production(**_: Any) -> Iterator[checks.CheckMessage]:
    """E003, E004, E005, W001: what is comfortable on one's own machine and wrong on a public one."""
    if not settings.IS_PRODUCTION:
        return
    if settings.EMAIL_URL.startswith("mailbox:") and not settings.MAIL_PROVIDER:
        yield checks.Error(
            "In production mails must leave the house: no player would see the mailbox page.",
            hint="Set EMAIL_URL, such as smtp+tls://user:password@mail.example.org:587",
            id="config.E003",
        )
    if settings.SECRET_KEY_IS_GENERATED:
        yield checks.Error(
            "In production the secret key must come from the environment, the same on every machine.",
            hint="Set SECRET_KEY to 50 random characters and keep it.",
            id="config.E004",
        )
    if settings.DEBUG:
        yield checks.Error("DEBUG shows secrets to everybody who meets an error.", id="config.E005")
    if not settings.SITE_URL.startswith("https://"):
        yield checks.Warning("In production SITE_URL should start with https://.", id="config.W001")


@checks.register
def check_mailbox(**_: Any) -> Iterator[checks.CheckMessage]:
    """W002: whoever reads the mailbox page can sign in as anybody."""
    is_open = settings.EMAIL_URL.startswith("mailbox:") and not settings.IS_PRODUCTION
    if is_open and not _is_here(urlsplit(settings.SITE_URL).hostname):
        yield checks.Warning(
            "The mailbox page shows everybody's mails, sign-in links too, to all who can reach SITE_URL.",
            hint="Set EMAIL_URL, or PRODUCTION=on.",
            id="config.W002",
        )


@checks.register
def check_sharing(**_: Any) -> Iterator[checks.CheckMessage]:
    """E006: SQLite's file is one machine's; a broker elsewhere says that there are several."""
    is_sqlite = str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")
    if is_sqlite and _is_elsewhere(settings.REDIS_URL):
        yield checks.Error(
            "REDIS_URL is on another machine while the database is a file of this one.",
            hint="Several machines share a PostgreSQL: set DATABASE_URL.",
            id="config.E006",
        )


@checks.register
def check_answers(**_: Any) -> Iterator[checks.CheckMessage]:
    """E008, W003: what answers by mail need."""
    address = settings.REPLY_ADDRESS
    if address and (address.count("{token}") != 1 or "@" not in address or len(address.split("@")[0]) > 64 - 32):
        yield checks.Error(
            "REPLY_ADDRESS must be an address with {token} in it, and at most 32 letters before its @.",
            hint="Such as reply+{token}@example.org",
            id="config.E008",
        )
    if address and settings.IS_PRODUCTION and not settings.MAIL_AUTHSERV_ID:
        yield checks.Warning(
            "Without MAIL_AUTHSERV_ID no answer by mail is believed: each must be confirmed by a link.",
            hint="Set it to the name our mail server writes into Authentication-Results.",
            id="config.W003",
        )


@checks.register
def check_ticks(**_: Any) -> Iterator[checks.CheckMessage]:
    """E007: the ticker's pace."""
    if not 0 < settings.TICK_SECONDS <= 60:
        yield checks.Error("TICK_SECONDS must be above 0 and at most 60.", id="config.E007")


@checks.register
def check_keeping(**_: Any) -> Iterator[checks.CheckMessage]:
    """E009: for how long what is kept is kept."""
    wrong = [name for name, days in settings.KEEP_DAYS.items() if type(days) is not int or days < 1]
    unknown = sorted(set(settings.KEEP_DAYS) - set(settings.KEPT))
    if wrong or unknown or settings.ERASURE_GRACE_DAYS < 0:
        yield checks.Error(
            f"KEEP_DAYS and ERASURE_GRACE_DAYS must be numbers of days: {', '.join(wrong + unknown) or 'below 0'}.",
            hint=f"KEEP_DAYS is a JSON object of {', '.join(settings.KEPT)}.",
            id="config.E009",
        )


def _is_elsewhere(url: str) -> bool:
    host = urlsplit(url).hostname
    return bool(host) and not _is_here(host)


def _is_here(host: str | None) -> bool:
    return host in ("localhost", "127.0.0.1", "::1")
