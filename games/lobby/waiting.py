"""Players that a game waits for, since when, and how long each usually takes: from public facts alone.

Of a sealed question everybody is shown who was asked, answered or not; how long somebody took for one is never counted.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.play import queries
from games.play.models import Decision
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Seat

logger = logging.getLogger(__name__)
GATHERED = {
    "sheet": _("The orders for a round"),
    "plan": _("The plan for a tally"),
}  # of all seats at once, by any rules
FEWEST = 3  # answers from which anything usual can be told
LATEST = 30  # answers that count


@dataclass(frozen=True)
class Waiting:
    """A question to a seat.

    Arguments:
        question: what is asked, as the rules call its kind.
        usual: how long its player took in the middle of his last open answers at this table; None for too few.
        reminded_at: when host or moderator last reminded everybody of it; None for not yet.
    """

    seat: Seat
    question: str
    since: datetime
    due_at: datetime | None
    usual: timedelta | None
    reminded_at: datetime | None


def waiting(game: Game, reader: Seat | None = None) -> list[Waiting]:
    """Returns what a running game waits for, the longest wait first; nothing while all its people are absent.

    Arguments:
        reader: the seat of whoever is told, who knows which sealed questions he has answered.
    """
    if game.status != Game.Status.RUNNING or queries.is_asleep(game):
        return []
    seats = {seat.pk: seat for seat in game.seated()}
    decisions = [row for row in queries.asked_rows(game) if seats[row.seat_id].is_person]
    rows = [row for row in decisions if reader is None or row.seat_id != reader.pk or row.is_open]
    words, reminded = kinds_in_words(game) if rows else str, last_reminder(game)
    entries = [
        Waiting(
            seat=seats[row.seat_id],
            question=words(row.kind),
            since=row.opened_at,
            due_at=queries.public_due_at(row),
            usual=_usual(seats[row.seat_id]),
            reminded_at=reminded if reminded and reminded >= row.opened_at else None,
        )
        for row in rows
    ]
    return sorted(entries, key=lambda entry: (entry.since, entry.seat.number))


def last_reminder(game: Game) -> datetime | None:
    """Returns when host or moderator last reminded everybody; None for never."""
    entry = game.moderation.filter(action=ModerationEntry.Action.NUDGE).last()
    return entry.created_at if entry else None


def _usual(seat: Seat) -> timedelta | None:
    """The median time of a seat's answers to open questions. Sealed ones do not count: their times stay secret."""
    rows = seat.decisions.filter(status=Decision.Status.ANSWERED, is_sealed=False, is_automatic=False)
    times = rows.filter(closed_at__isnull=False).order_by("-closed_at").values_list("opened_at", "closed_at")[:LATEST]
    lengths = [(closed - opened).total_seconds() for opened, closed in times if closed is not None]
    return timedelta(seconds=median(lengths)) if len(lengths) >= FEWEST else None


def kinds_in_words(game: Game) -> Callable[[str], str]:
    """Gives what is asked, as the rules of a game call the kind; the kind itself where its state cannot be read.

    Which kind is asked everybody knows, and the rules have the same names for all seats; what stands in the question is
    not told.
    """
    try:
        kinds = game.rules.vocabulary.kinds(game.rules.view(game.load_state(), 0))
    except Exception:  # a state the rules cannot read must not keep anybody from looking at its game
        logger.exception("What game %s asks cannot be put into words", game.ref)
        return lambda kind: str(GATHERED.get(kind, kind))
    words = {kind.name: queries.say(game, kind.label) for kind in kinds} | GATHERED
    return lambda kind: str(words.get(kind) or gettext("A one-time question"))
