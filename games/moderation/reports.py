"""What players ask moderators to look at."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, Illegal, NotFound, TooMany
from games.models import Game, ModerationEntry, Report, User
from games.moderation.entries import MODERATE_GAME, check_moderator, has_played, record_entry
from notifications.outbox import Notification, notify_all

MOST_A_DAY = 5


@transaction.atomic
def file_report(*, game: Game, by: User, text: str, now: datetime, seat: int | None = None) -> Report:
    """A player tells the moderators what happened at his table.

    Arguments:
        seat: about whom; None for nobody in particular.
    Raises NotFound for who does not sit there or for a seat that is not there, Illegal for no text or too much,
    TooMany for the sixth in a day.
    """
    if not game.seats.filter(user=by).exists():
        raise NotFound(_("You do not sit at this table."))
    if seat is not None and not game.seats.filter(number=seat).exclude(user=by).exists():
        raise NotFound(_("There is nobody else on this seat."))
    text = text.strip()
    if not text:
        raise Illegal(_("Say what happened."))
    if len(text) > Report.TEXT_LENGTH:
        raise Illegal(_("At most %(count)s characters, please.") % {"count": Report.TEXT_LENGTH})
    by.one_at_a_time()
    if by.reports.filter(created_at__gt=now - timedelta(days=1)).count() >= MOST_A_DAY:
        raise TooMany(_("You have reported enough for today. What you wrote before is being looked at."))
    made = Report.objects.create(game=game, reporter=by, seat=seat, text=text, created_at=now)
    notifications = [
        Notification(
            recipient=moderator.recipient,
            kind="reported",
            subject=f"report:{made.ref}",
            dedupe_key=f"reported:{made.ref}:{moderator.pk}",
        )
        for moderator in moderators_of(game)
    ]
    notify_all(notifications, now)
    return made


@transaction.atomic
def settle_report(*, report: Report, by: User, reason: str, now: datetime) -> None:
    """A moderator has looked, and says what came of it. Raises Conflict if somebody has already."""
    check_moderator(by, report.game)
    report = Report.objects.select_for_update().get(pk=report.pk)
    if report.settled_at:
        raise Conflict(_("This report is settled already."))
    report.settled_at = now
    report.save(update_fields=["settled_at"])
    record_entry(ModerationEntry.Action.SETTLE, by=by, game=report.game, user=report.reporter, reason=reason, now=now)


def moderators_of(game: Game) -> Iterable[User]:
    """Everybody who may act on a report from this table."""
    staff = User.objects.filter(is_staff=True, is_active=True).exclude(seats__game=game).select_related("recipient")
    return [user for user in staff if user.has_perm(MODERATE_GAME) and not has_played(user, game)]
