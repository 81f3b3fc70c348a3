"""Sentences on what acts change: what is true of a row now, and what would be once an act was done.

They say what everybody may know: of a sealed question all who were asked, answered or not.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.moderation.models import Report
from games.moderation.repair import Disclosure
from games.people.models import User
from games.play import queries
from games.play.history import Step
from games.play.models import Decision
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.admin.base import moment_in_words as moment

if TYPE_CHECKING:
    from games.moderation.acts import Act


def truth(row: Model, now: datetime) -> list[str]:
    """Returns what is true of a row now, in sentences; nothing for rows of which acts change one thing."""
    if isinstance(row, Game):
        return _of_game(row, now)
    if isinstance(row, User):
        return _of_person(row, now)
    if isinstance(row, Report):
        return _of_report(row)
    return []


def truth_after(act: "Act", row: Model, by: User, facts: Mapping[str, Any], now: datetime) -> list[str]:
    """Returns what would be true once an act was done: it is tried and taken back. Raises ServiceError as it would.

    For acts alone after which everybody would see the same, whoever has answered in secret.
    """
    assert act.is_tried
    with transaction.atomic():
        act.perform(row, by, facts, now)
        lines = truth(type(row)._default_manager.get(pk=row.pk), now)
        transaction.set_rollback(True)
    return lines


def _of_game(game: Game, now: datetime) -> list[str]:
    if game.status != Game.Status.RUNNING:
        return [_("The table is open: its game hasn't begun.") if not game.is_over else _("The game is over.")]
    lines = []
    if game.quarantined_at:
        lines.append(_("In quarantine since %(since)s: nothing goes on.") % {"since": moment(game.quarantined_at)})
    if game.paused_at and game.pause_ends_at:
        lines.append(_("Paused until %(until)s: all clocks stand still.") % {"until": moment(game.pause_ends_at)})
    elif game.paused_at:
        lines.append(_("Paused until somebody resumes it: all clocks stand still."))
    lines += [_deadline(row, now) for row in queries.asked_rows(game).select_related("seat__user__recipient")]
    absent = [seat.spoken_name for seat in game.seated() if seat.status == Seat.Status.ABSENT]
    if absent:
        lines.append(_("Absent: %(names)s.") % {"names": ", ".join(absent)})
    return [line for line in lines if line] or [_("Nobody is asked anything right now.")]


def _deadline(row: Decision, now: datetime) -> str:
    """Until when a seat is asked, in its player's own time; "" for a bot."""
    seat, due = row.seat, queries.public_due_at(row)
    if seat.user is None or seat.is_bot:
        return ""
    if due is None:
        return _("%(name)s is asked; no clock runs.") % {"name": seat.spoken_name}
    with timezone.override(seat.user.recipient.zone_info):
        until = moment(due)
    if due <= now:
        return _("%(name)s had until %(until)s by their clock.") % {"name": seat.spoken_name, "until": until}
    return _("%(name)s has until %(until)s by their clock.") % {"name": seat.spoken_name, "until": until}


def of_roll_back(step: Step, learned: Disclosure) -> list[str]:
    """Returns what going back to a step undoes, who has seen what can't be unseen, and who is told."""
    place = {"number": step.number, "count": step.count, "at": moment(step.at)}
    shown = len(learned.lines)
    seen = ngettext("Everyone has seen %(n)d event since then.", "Everyone has seen %(n)d events since then.", shown)
    lines = [_("Back to step %(number)s of %(count)s, %(at)s.") % place, seen % {"n": shown}]
    if learned.by_seat:
        names = ", ".join(f"{holder.display_name} ({len(more)})" for holder, more in learned.by_seat)
        lines.append(_("Who saw more of these than the others: %(names)s.") % {"names": names})
    if learned.told:
        names = ", ".join(seat.display_name for seat in learned.told)
        lines.append(_("All of them are told: %(names)s.") % {"names": names})
    return lines


def _of_person(user: User, now: datetime) -> list[str]:
    if user.erased_at:
        return [_("This account was deleted.")]
    if not user.is_active and user.closed_until:
        lines = [_("The account is closed until %(until)s.") % {"until": moment(user.closed_until)}]
    else:
        lines = [_("The account is open.") if user.is_active else _("The account is closed until it's reopened.")]
    if user.silent_until and user.silent_until > now:
        lines.append(_("Muted at all tables until %(until)s.") % {"until": moment(user.silent_until)})
    return lines


def _of_report(report: Report) -> list[str]:
    if report.settled_at is None:
        return [_("Open since %(since)s.") % {"since": moment(report.created_at)}]
    facts = {"at": moment(report.settled_at), "outcome": report.get_outcome_display()}
    return [_("Resolved %(at)s: %(outcome)s.") % facts]
