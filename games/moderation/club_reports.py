"""Reports about clubs, and hiding a club's name and description."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.clubs.clubs import is_member
from games.clubs.models import Club
from games.errors import Conflict, Forbidden, NotFound
from games.moderation.entries import may_moderate_club, notify_moderated, record_entry
from games.moderation.models import ModerationEntry, Report
from games.moderation.reports import checked_report, notify_reported
from games.people.models import User

Action = ModerationEntry.Action


@transaction.atomic
def file_report(*, club: Club, by: User, text: str, now: datetime) -> Report:
    """Stores a member's report about a club, and notifies the moderators.

    Raises NotFound for who is no member, Illegal for no text or too much, TooMany for the sixth report in a day.
    """
    if not is_member(club.pk, by):
        raise NotFound(_("There's no such club, or you're not a member."))
    made = Report.objects.create(club=club, reporter=by, text=checked_report(by, text, now), created_at=now)
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("recipient")
    notify_reported(made, [moderator for moderator in staff if may_moderate_club(moderator, club)], now)
    return made


@transaction.atomic
def hide(*, club: Club, by: User, reason: str, now: datetime) -> None:
    """Hides name and description from everybody. The owner is told why. Raises Forbidden, Illegal, Conflict."""
    _set_hidden(club, by, reason, now, at=now)


@transaction.atomic
def show(*, club: Club, by: User, reason: str, now: datetime) -> None:
    """Shows both again; the owner is told. Raises as `hide`."""
    _set_hidden(club, by, reason, now, at=None)


def _set_hidden(club: Club, by: User, reason: str, now: datetime, at: datetime | None) -> None:
    if not may_moderate_club(by, club):
        raise Forbidden(_("Only a moderator can do that."))
    club = Club.objects.select_for_update().select_related("owner__recipient").get(pk=club.pk)
    if (club.hidden_at is not None) == (at is not None):
        raise Conflict(_("That has been done already."))
    club.hidden_at = at
    club.save(update_fields=["hidden_at"])
    action = Action.HIDE_CLUB if at else Action.SHOW_CLUB
    reason = f"{club.name}: {reason.strip()}" if reason.strip() else ""
    entry = record_entry(action, by=by, user=club.owner, reason=reason, now=now)
    notify_moderated(entry, now)
