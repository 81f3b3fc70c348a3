"""System checks of what is stored: the database, the broker beside it, how long rows are kept."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core import checks

from config.checks.hosts import is_elsewhere

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
