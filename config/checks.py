"""System checks: each reports at start-up, by number, settings that do not fit together."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.utils import getaddresses
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection
from django.db import Error, connections
from django.db.models import Count

from engine.registry import LEFT_OUT
from notifications.inbound import mailbox

# Which hosts are this machine.


def is_elsewhere(url: str) -> bool:
    """Whether an address names a host, and another one than this machine."""
    host = urlsplit(url).hostname
    return bool(host) and not is_here(host)


def is_here(host: str | None) -> bool:
    """Whether a host is this machine."""
    return host in ("localhost", "127.0.0.1", "::1")


# System checks of the site itself: its address, its keys, what suits one's own machine alone.


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


# System checks of what is stored: the database, the broker beside it, how long rows are kept.

FLEETING = ("/tmp", "/var/tmp", "/dev/shm", "/run")  # noqa: S108  # named to be refused


@checks.register
def check_files(**_: object) -> Iterator[checks.CheckMessage]:
    """E012: a database that the next restart of the machine throws away."""
    database = settings.DATABASES["default"]
    if not settings.IS_PRODUCTION or not str(database["ENGINE"]).endswith("sqlite3"):
        return
    if any(Path(str(database["NAME"])).is_relative_to(folder) for folder in FLEETING):
        yield checks.Error(
            f"The database would be in {database['NAME']}, where machines tidy up.",
            hint="Set VAR_DIR to a folder that stays, or DATABASE_URL.",
            id="config.E012",
        )


@checks.register(deploy=True)
def check_database(**_: object) -> Iterator[checks.CheckMessage]:
    """W006: SQLite on a public site."""
    if settings.IS_PRODUCTION and str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3"):
        yield checks.Warning(
            "The database is SQLite: one process writes at a time, and all have to be on this machine.",
            hint="That is enough for a club. For more set DATABASE_URL to a PostgreSQL.",
            id="config.W006",
        )


@checks.register(checks.Tags.database)
def check_release(*, databases: Sequence[str] | None = None, **_: object) -> Iterator[checks.CheckMessage]:
    """E022: a database that a release before 1.0.0rc1 made."""
    for alias in databases or ():
        try:
            connections[alias].ensure_connection()
        except ImproperlyConfigured as error:
            yield checks.Error(f"{error}", id="config.E022")


@checks.register
def check_sharing(**_: object) -> Iterator[checks.CheckMessage]:
    """E006: SQLite with a broker on another machine: several machines cannot share its file."""
    is_sqlite = str(settings.DATABASES["default"]["ENGINE"]).endswith("sqlite3")
    if is_sqlite and is_elsewhere(settings.REDIS_URL):
        yield checks.Error(
            "REDIS_URL is on another machine while the database is a file of this one.",
            hint="Several machines share a PostgreSQL: set DATABASE_URL.",
            id="config.E006",
        )


@checks.register
def check_ticks(**_: object) -> Iterator[checks.CheckMessage]:
    """E007: a tick interval out of range."""
    if not 0 < settings.TICK_SECONDS <= 60:
        yield checks.Error("TICK_SECONDS must be above 0 and at most 60.", id="config.E007")


@checks.register
def check_keeping(**_: object) -> Iterator[checks.CheckMessage]:
    """E016: retention times that are not numbers of days."""
    wrong = [name for name, days in settings.KEEP_DAYS.items() if type(days) is not int or days < 1]
    unknown = sorted(set(settings.KEEP_DAYS) - set(settings.KEPT))
    if wrong or unknown or settings.ERASURE_GRACE_DAYS < 0:
        yield checks.Error(
            f"KEEP_DAYS and ERASURE_GRACE_DAYS must be numbers of days: {', '.join(wrong + unknown) or 'below 0'}.",
            hint=f"KEEP_DAYS is a JSON object of {', '.join(settings.KEPT)}.",
            id="config.E016",
        )


# System checks of the machine: whether memory and disk do for the games that the database holds. Figures as measured by
# `script/bench memory`, `stored` and `carry` (docs/scaling.md).

MB, KB = 1_000_000, 1_000
SET_MB = 560  # one web, one worker and one listener at work
MORE_MB = 120  # each process more of web or worker
POSTGRES_MB, SYSTEM_MB = 320, 150  # a PostgreSQL on this machine; Redis, proxy and system
STORED_KB = {"aladdins-dragons": (465, 913, 87), "cave-of-wonders": (58, 106, 26)}
"""kB on the disk that a game takes while it runs, within 30 days after its end, and later; of others the largest."""
GAME_DAYS, YEAR_DAYS, FRESH_DAYS = 25, 365, 30  # a game takes so long; one that is over stays as rows so long
MOST_FULL = 0.9  # of a disk
CGROUPS = Path("/sys/fs/cgroup")
Held = dict[str, tuple[int, int]]


@checks.register(deploy=True)
def check_machine(**_: object) -> Iterator[checks.CheckMessage]:
    """W025, W026: memory or a disk that will not do for the games that run and a year of finished ones."""
    try:
        held, stored, folder = _games_held(), *_database_size()
    except (Error, ImproperlyConfigured):  # other checks, and starting, say that
        return
    running = sum(count for count, _over in held.values())
    memory, wanted = memory_limit() / MB, _memory_wanted()
    if memory < wanted:
        yield checks.Warning(
            f"This machine has {memory:,.0f} MB of memory; the processes that it runs take {wanted:,.0f} MB at work.",
            hint="Add memory, or set WEB_PROCESSES and WORKER_PROCESSES lower; docs/scaling.md has the figures.",
            id="config.W025",
        )
    if folder is None:
        return
    room, needed = (stored + shutil.disk_usage(folder).free) / MB, sum(map(_megabytes_a_year, held, held.values()))
    if room * MOST_FULL < needed:
        yield checks.Warning(
            f"The disk has room for a database of {room:,.0f} MB. {running:,} running games and those that end within a"
            f" year take {needed:,.0f} MB.",
            hint="Make the disk larger, or shorten what KEEP_DAYS keeps.",
            id="config.W026",
        )


def _games_held() -> Held:
    """Counts by rules how many games run, and how many have ended within a year."""
    from games.tables.models import Game  # models are loaded by now
    from notifications.clock import present

    count = Count("pk")
    running = Game.objects.filter(status=Game.Status.RUNNING).values_list("rules_name").annotate(count)
    year = present.now() - timedelta(days=YEAR_DAYS)
    over = Game.objects.filter(status=Game.Status.FINISHED, finished_at__gte=year).values_list("rules_name")
    runs, ended = dict(running.order_by()), dict(over.annotate(count).order_by())
    return {rules: (runs.get(rules, 0), ended.get(rules, 0)) for rules in runs | ended}


def _megabytes_a_year(rules: str, counts: tuple[int, int]) -> float:
    """Returns what games of these rules take once they, and those that follow them, have gone on for a year."""
    running, ended = counts
    of_running, fresh, folded = STORED_KB.get(rules, max(STORED_KB.values()))
    a_year = max(ended, running * YEAR_DAYS / GAME_DAYS)
    of_over = (fresh * FRESH_DAYS + folded * (YEAR_DAYS - FRESH_DAYS)) / YEAR_DAYS
    return (running * of_running + a_year * of_over) * KB / MB


def _database_size() -> tuple[int, Path | None]:
    """Returns the database's bytes and a folder on its disk; None where that is another machine's or is not told."""
    connection = connections["default"]
    if connection.vendor != "postgresql":
        path = Path(str(connection.settings_dict["NAME"]))
        return (path.stat().st_size, path.parent) if path.exists() else (0, None)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_database_size(current_database()), (SELECT setting FROM pg_settings WHERE name = %s)",
            ["data_directory"],
        )
        size, folder = cursor.fetchone()
    is_ours = _has_database_here() and folder and Path(folder).parent.exists()
    return int(size), Path(folder).parent if is_ours else None


def _has_database_here() -> bool:
    """Whether a PostgreSQL on this machine holds the database."""
    settings_of = connections["default"].settings_dict
    host = str(settings_of["HOST"])
    return connections["default"].vendor == "postgresql" and (not host or host.startswith("/") or is_here(host))


def _memory_wanted() -> float:
    """Returns the MB that all processes on this machine take at work."""
    more: int = max(0, settings.WEB_PROCESSES - 1) + settings.WORKER_PROCESSES
    return SET_MB + more * MORE_MB + SYSTEM_MB + (POSTGRES_MB if _has_database_here() else 0)


def memory_limit() -> int:
    """Returns the bytes of memory that this process may use: the machine's, or what its container is limited to."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([whole, *_limits_of_container()])


def _limits_of_container() -> Iterator[int]:
    """Reads the limits of each control group above this process, in the files of either version."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _number, kinds, path = line.split(":", 2)
            below = CGROUPS / kinds if "memory" in kinds else CGROUPS
            for folder in (place := below / path.lstrip("/"), *place.parents):
                for name in ("memory.max", "memory.limit_in_bytes"):
                    with contextlib.suppress(OSError, ValueError):  # no such file; "max" is no limit
                        yield int((folder / name).read_text())


# System checks of email, and of notifications on devices.


@checks.register
def check_sender(**_: object) -> Iterator[checks.CheckMessage]:
    """E002: mail servers refuse an email without a sender."""
    if not _is_mail_address(settings.DEFAULT_FROM_EMAIL):
        yield checks.Error(
            f"DEFAULT_FROM_EMAIL holds no mail address: {settings.DEFAULT_FROM_EMAIL!r}.",
            hint='Such as "Caravanserai <games@example.org>"',
            id="config.E002",
        )


def _is_mail_address(text: str) -> bool:
    """Whether it is one mail address, with a display name or without."""
    from notifications.channels.mail.letter import ascii_address  # models are needed, which are loaded by now

    with contextlib.suppress(ValueError):
        [(_name, address)] = getaddresses([text])
        return bool(ascii_address(address))
    return False


@checks.register
def check_push(**_: object) -> Iterator[checks.CheckMessage]:
    """E018, E019: a key or a contact with which push services refuse every notification."""
    from notifications.channels.push import sending  # settings are needed, which are loaded by now

    try:
        sending.public_key()
    except ValueError:
        yield checks.Error(
            "VAPID_PRIVATE_KEY is no key of the curve P-256 as base64url.",
            hint="caravanserai make_vapid_key makes one; without one it is made from SECRET_KEY.",
            id="config.E018",
        )
    scheme, _colon, rest = settings.VAPID_CONTACT.partition(":")
    is_mail = scheme == "mailto" and _is_mail_address(rest)
    if settings.PUSH_ENABLED and not (is_mail or (scheme == "https" and urlsplit(settings.VAPID_CONTACT).hostname)):
        yield checks.Error(
            f"VAPID_CONTACT must be mailto: and an address, or an https:// page, not {settings.VAPID_CONTACT!r}.",
            id="config.E019",
        )


@checks.register
def check_mail_server(**_: object) -> Iterator[checks.CheckMessage]:
    """W004: emails, with sign-in links in them, handed over unencrypted."""
    parts = urlsplit(settings.EMAIL_URL)
    if settings.IS_PRODUCTION and parts.scheme == "smtp" and not is_here(parts.hostname):
        yield checks.Warning(
            "EMAIL_URL hands mails to another machine unencrypted, sign-in links in them.",
            hint="Set smtp+tls://... or smtp+ssl://...",
            id="config.W004",
        )


@checks.register
def check_mail_provider(**_: object) -> Iterator[checks.CheckMessage]:
    """E015: a mail provider that django-anymail does not know, or that needs more than it was given."""
    if not settings.MAIL_PROVIDER:
        return
    try:
        get_connection()
    except (ImportError, ImproperlyConfigured) as error:
        yield checks.Error(
            f"MAIL_PROVIDER is {settings.MAIL_PROVIDER!r}, and no mail can be sent with it: {error}",
            hint="It needs MAIL_PROVIDER_SETTINGS; https://anymail.dev/en/stable/esps/ has names and packages.",
            id="config.E015",
        )


@checks.register
def check_mailbox(**_: object) -> Iterator[checks.CheckMessage]:
    """W002: a mailbox page that others can reach; its sign-in links sign in as anybody."""
    is_open = settings.EMAIL_URL.startswith("mailbox:") and not settings.IS_PRODUCTION
    if is_open and not is_here(urlsplit(settings.SITE_URL).hostname):
        yield checks.Warning(
            "The mailbox page shows everybody's mails, sign-in links too, to all who can reach SITE_URL.",
            hint="Set EMAIL_URL, or PRODUCTION=on.",
            id="config.W002",
        )


LONGEST_REPLY_TOKEN, LONGEST_BOUNCE_TOKEN = 39, 47  # letters


@checks.register
def check_answers(**_: object) -> Iterator[checks.CheckMessage]:
    """E008, E023, E024, W003: what answers by mail need."""
    for name, longest in (("REPLY_ADDRESS", LONGEST_REPLY_TOKEN), ("BOUNCE_ADDRESS", LONGEST_BOUNCE_TOKEN)):
        address = getattr(settings, name)
        beside = 64 - longest  # RFC 5321, 4.5.3.1.1
        local = address.replace("{token}", "").split("@")[0]
        is_plain = name == "REPLY_ADDRESS" and bool(settings.REPLY_MAILBOX) and "{" not in address
        is_one = _is_mail_address(address.replace("{token}", "t")) and (address.count("{token}") == 1 or is_plain)
        if address and (not is_one or (len(local) > beside and not is_plain)):
            yield checks.Error(
                f"{name} must be an address with {{token}} in it, and at most {beside} letters more before its @.",
                hint=f"Such as {name.split('_')[0].lower()}+{{token}}@play.example.org",
                id="config.E008",
            )
    if settings.REPLY_MAILBOX:
        try:
            mailbox.parse(settings.REPLY_MAILBOX)
        except ValueError as error:
            yield checks.Error(
                str(error), hint="Letters such as @ in user or password are written %40.", id="config.E023"
            )
        if not settings.REPLY_ADDRESS:
            yield checks.Error(
                "REPLY_MAILBOX is set, and REPLY_ADDRESS isn't: nobody could write there.",
                hint="Set it to the mailbox's address, with +{token} before the @ if your provider delivers that.",
                id="config.E024",
            )
    if settings.REPLY_ADDRESS and settings.IS_PRODUCTION and not settings.MAIL_AUTHSERV_ID:
        yield checks.Warning(
            "Without MAIL_AUTHSERV_ID no answer by mail is believed: each must be confirmed by a link.",
            hint="Set it to the name our mail server writes into Authentication-Results.",
            id="config.W003",
        )
