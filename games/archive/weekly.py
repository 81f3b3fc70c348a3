"""A person's week in figures, and the tick that sends the summary to those who want it.

All of it is what the person could see on the site at that moment: own games, own ratings, own clubs.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.archive.models import RatingChange
from games.clubs import invitations
from games.clubs.models import ClubInvitation
from games.people import friends
from games.people.models import Friendship, User
from games.play import lists
from games.play.lists import Finished, Listed
from games.tables.models import Game
from notifications.database.compiled_query import compiled_exists
from notifications.delivery.policy import next_weekly
from notifications.models import Recipient
from notifications.outbox import Notification, notify

logger = logging.getLogger(__name__)
WEEK = timedelta(days=7)
MOST = 12  # of a kind


@dataclass(frozen=True)
class Rise:
    """How a rating has changed in a week."""

    rules_name: str
    before: int | None  # None if it is the first
    after: int


@dataclass(frozen=True)
class Week:
    """A person's week.

    Arguments:
        waiting: games that wait for the person now, the most urgent first.
        finished: games that were over in the week, newest first.
        rises: ratings that changed in the week.
        requests, invitations: what waits for an answer about friends and clubs.
        tables: of the person's clubs, with a free seat.
    """

    waiting: Sequence[Listed]
    finished: Sequence[Finished]
    rises: Sequence[Rise]
    requests: Sequence[Friendship]
    invitations: Sequence[ClubInvitation]
    tables: Sequence[Game]

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to say."""
        return not any((self.waiting, self.finished, self.rises, self.requests, self.invitations, self.tables))


def week_of(user: User, now: datetime) -> Week:
    """The week of a person that ends now."""
    waiting = [
        listed
        for listed in lists.my_games(user)
        if listed.game.status == Game.Status.RUNNING and listed.is_my_turn and not listed.game.is_practice
    ]
    since = now - WEEK
    finished = lists.finished_games(user, user, since)
    return Week(
        waiting=waiting[:MOST],
        finished=finished[:MOST],
        rises=_rises(user, since),
        requests=friends.requests_received(user)[:MOST],
        invitations=invitations.received(user)[:MOST],
        tables=lists.tables_of_clubs(user)[:MOST],
    )


def _rises(user: User, since: datetime) -> list[Rise]:
    rows = RatingChange.objects.filter(user=user).order_by("rated_at", "pk")
    after = {row.rules_name: row.points for row in rows.filter(rated_at__gt=since)}
    before = {row.rules_name: row.points for row in rows.filter(rated_at__lte=since, rules_name__in=after)}
    return [Rise(name, before.get(name), points) for name, points in sorted(after.items())]


def write_one(now: datetime) -> bool:
    """Writes one weekly summary that is due, if there is something to say. Returns whether one was due."""
    if not _is_any_due(now):
        return False
    with transaction.atomic():
        recipient = _due(now).select_for_update(skip_locked=True).first()
        if recipient is None:
            return False
        user = User.objects.filter(recipient=recipient, is_active=True).select_related("recipient").first()
        if user is not None and _is_worth_telling(user, now):
            _notify(user, now)
        recipient.weekly_at = next_weekly(recipient, now) if user is not None else None
        recipient.save(update_fields=["weekly_at"])
        return True


def _is_worth_telling(user: User, now: datetime) -> bool:
    """Whether there is something to say. A week that cannot be put together is logged, and hinders nobody else's."""
    try:
        with transaction.atomic():
            return not week_of(user, now).is_empty
    except Exception:  # what broke it is in the log; the others are told theirs
        logger.exception("The week of account %s could not be summed up", user.ref)
        return False


def _due(now: datetime) -> QuerySet[Recipient]:
    return Recipient.objects.filter(weekly_at__lte=now).order_by("weekly_at")


_is_any_due = compiled_exists(_due)


def _notify(user: User, now: datetime) -> None:
    day = now.astimezone(user.recipient.zone_info).date()
    notify(
        Notification(
            recipient=user.recipient,
            kind="weekly",
            subject=f"user:{user.ref}",
            dedupe_key=f"weekly:{user.ref}:{day.isoformat()}",
        ),
        now,
    )
