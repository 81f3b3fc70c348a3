"""The public archive: finished games of tables that everybody could watch, and what they tell about a rule set."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.core.cache import cache
from django.db.models import Avg, Count, F, Q, QuerySet, Subquery

from games import cursors
from games.tables.models import PRACTICE, Game

COUNTED = Q(status=Game.Status.FINISHED, is_listed=True, recorded_as="") & ~PRACTICE
"""Only tables that were listed: everybody could watch them while they were played. They count for ratings."""
ARCHIVED = COUNTED & Q(is_between_bots=False)

HOUR = 3600  # seconds
LISTED = "archive"  # the list that its cursors are of


@dataclass(frozen=True)
class ArchiveFilter:
    """A search of the archive; empty and None match everything.

    Arguments:
        version: of the rules, as their table option of that name has it.
        seats: how many played.
        since, until: when it was over, both days included (UTC).
    """

    rules: str = ""
    version: str = ""
    seats: int | None = None
    since: date | None = None
    until: date | None = None


def archived(filters: ArchiveFilter = ArchiveFilter()) -> QuerySet[Game]:
    """The games of the archive, the latest first, without their states."""
    facts = {
        "rules_name": filters.rules,
        "options__version": filters.version,
        "seat_count": filters.seats,
        "finished_at__date__gte": filters.since,
        "finished_at__date__lte": filters.until,
    }
    rows = Game.objects.filter(ARCHIVED, **{name: value for name, value in facts.items() if value})
    return rows.defer("state").prefetch_related("seats").order_by("-finished_at", "-pk")


def page_after(games: QuerySet[Game], cursor: str, most: int) -> tuple[list[Game], str]:
    """The games behind a cursor, and the cursor behind them; "" is the beginning, and the end.

    Games that are over meanwhile move nothing, nor does one that is removed. Raises NotACursor.
    """
    if cursor:
        ref, finished_at = cursors.unseal(cursor, LISTED)
        at, last = datetime.fromisoformat(finished_at), Game.objects.filter(ref=ref).values("pk")
        games = games.filter(Q(finished_at__lt=at) | Q(finished_at=at, pk__lt=Subquery(last)))
    page = list(games[: most + 1])
    return page[:most], _behind(page[most - 1]) if len(page) > most else ""


def _behind(game: Game) -> str:
    assert game.finished_at is not None
    return cursors.seal([game.ref, game.finished_at.isoformat()], LISTED)


@dataclass(frozen=True)
class Sum:
    """The public games of a rule set with so many players: how many, and how long they took on average."""

    seats: int
    games: int
    lasted: timedelta


def sums(rules_name: str) -> Sequence[Sum]:
    """Counts the archive of a rule set by number of players, once an hour: all its games are read."""
    return cache.get_or_set(f"sums:{rules_name}", lambda: _reckoned(rules_name), HOUR) or []


def _reckoned(rules_name: str) -> Sequence[Sum]:
    rows = Game.objects.filter(ARCHIVED, rules_name=rules_name, started_at__isnull=False).values("seat_count")
    rows = rows.annotate(count=Count("pk"), lasted=Avg(F("finished_at") - F("started_at"))).order_by("seat_count")
    return [Sum(row["seat_count"], row["count"], row["lasted"]) for row in rows]
