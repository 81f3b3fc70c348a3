"""What the host of a tournament may do, and a moderator in his place; reports about it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, Illegal, NotFound
from games.moderation import entries, reports
from games.moderation.models import REASON_LENGTH, ModerationEntry, Report
from games.people.models import User
from games.tables.models import Game
from games.tournaments import notify, progress, rounds
from games.tournaments.entering import lock_alive, lock_open
from games.tournaments.models import LONGEST_REASON, Entrant, Tournament, TournamentTable
from games.tournaments.rounds import put_out


@transaction.atomic
def start_now(*, tournament_id: int, by: User, now: datetime) -> Tournament:
    """Closes the entries and draws the first round. Raises Conflict while there are too few entrants."""
    tournament = lock_open(tournament_id)
    _check_host(tournament, by)
    if not rounds.has_enough(tournament):
        raise Conflict(_("Too few people have entered: %(fewest)s are needed.") % {"fewest": tournament.fewest})
    rounds.start(tournament, now)
    return tournament


@transaction.atomic
def call_off(*, tournament_id: int, by: User, reason: str, now: datetime) -> None:
    """Calls a tournament off, and tells everybody who has entered. Games that have begun go on as ordinary games.

    Raises Conflict when it is over, and for a host who plays in it once it has started, Illegal without a reason,
    Forbidden for who is neither host nor moderator.
    """
    tournament = lock_alive(tournament_id)
    is_host = _is_host(tournament, by)
    if is_host and not tournament.is_open:
        _check_impartial(tournament, by)
    reason = _reason(reason)
    if not is_host:
        _record(ModerationEntry.Action.CALL_OFF, tournament, by, reason, now)
    why = Tournament.Why.HOST if is_host else Tournament.Why.MODERATOR
    rounds.call_off(tournament, why, now, reason)


@transaction.atomic
def remove(*, tournament_id: int, by: User, entrant: str, reason: str, now: datetime) -> None:
    """Removes an entrant, who is told why and cannot enter again. A game that has begun goes on.

    Arguments:
        entrant: his reference.
    Raises NotFound for somebody who is not in the tournament, Conflict for a host who plays in it, and what `call_off`
    raises.
    """
    tournament = lock_alive(tournament_id)
    is_host = _is_host(tournament, by)
    if is_host:
        _check_impartial(tournament, by)
    row = tournament.entrants.filter(ref=entrant).select_related("user__recipient").first()
    if row is None:
        raise NotFound(_("This person hasn't entered the tournament."))
    if row.status == Entrant.Status.REMOVED:
        return
    reason = _reason(reason)
    if not is_host:
        _record(ModerationEntry.Action.TAKE_OUT, tournament, by, reason, now, row.user)
    put_out(row, Entrant.Status.REMOVED, now, reason)
    notify.removed(row, now)


@transaction.atomic
def end_round(*, tournament_id: int, by: User, number: int, now: datetime) -> None:
    """Ends a round before its time: tables that still play are left without a result. Harmless when repeated.

    Raises Conflict for a tournament that is over or has not started, and for a host who plays in it, Forbidden for who
    is not the host.
    """
    tournament = lock_alive(tournament_id)
    _check_host(tournament, by)
    _check_impartial(tournament, by)
    current = rounds.current(tournament)
    if current is None:
        raise Conflict(_("This tournament hasn't started yet."))
    if current.number == number:
        rounds.finish(current, now)


@transaction.atomic
def file_report(*, tournament: Tournament, by: User, text: str, now: datetime) -> Report:
    """Stores a report about a tournament, and notifies the moderators. Anybody with an account sees one and may.

    Raises Forbidden for bots and guests, Conflict for its host, Illegal for no text or too much, TooMany for the sixth
    report in a day.
    """
    if by.is_bot or by.is_guest:
        raise Forbidden(_("Only people with an account can report something."))
    if tournament.host_id == by.pk:
        raise Conflict(_("This is your own tournament."))
    made = Report.objects.create(
        tournament=tournament, reporter=by, text=reports.checked_report(by, text, now), created_at=now
    )
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("recipient")
    able = [moderator for moderator in staff if entries.may_moderate_tournament(moderator, tournament)]
    reports.notify_reported(made, able, now)
    return made


@transaction.atomic
def set_hidden(*, tournament_id: int, by: User, reason: str, now: datetime, is_hidden: bool) -> None:
    """Hides title and description of a tournament, and the title at its tables, or shows them again.

    The host is told why. Raises Forbidden for who is no moderator, and for one who has entered it, Conflict for its
    host and where it is so already, Illegal without a reason.
    """
    tournament = Tournament.objects.select_for_update().select_related("host__recipient").get(pk=tournament_id)
    if tournament.host_id == by.pk:
        raise Conflict(_("This is your own tournament."))
    if not entries.may_moderate_tournament(by, tournament):
        raise Forbidden(why_barred(by, tournament) or _("Only a moderator can do that."))
    if (tournament.hidden_at is not None) == is_hidden:
        raise Conflict(_("That has been done already."))
    tournament.hidden_at = now if is_hidden else None
    tournament.save(update_fields=["hidden_at"])
    for table in TournamentTable.objects.filter(round__tournament=tournament, game__isnull=False):
        Game.objects.filter(tournament_table=table).update(title=progress.title_of(tournament, table))
    action = ModerationEntry.Action.HIDE_CUP if is_hidden else ModerationEntry.Action.SHOW_CUP
    entries.notify_moderated(_record(action, tournament, by, _reason(reason), now, tournament.host), now)


def why_barred(by: User, tournament: Tournament) -> str:
    """Why this moderator may not act on this tournament, or ""."""
    if tournament.is_played_by(by):
        return _("You've entered this tournament, so another moderator must do this.")
    return ""


def _check_host(tournament: Tournament, by: User) -> None:
    """Raises Forbidden for anybody but the host."""
    if tournament.host_id != by.pk:
        raise Forbidden(_("Only the host of a tournament can do that."))


def _check_impartial(tournament: Tournament, by: User) -> None:
    """Raises Conflict for a host who has entered, or whose bot has: he would change a result of his own."""
    if tournament.is_played_by(by):
        raise Conflict(_("You play in this tournament, so you can't do this as its host. A moderator can help."))


def _is_host(tournament: Tournament, by: User) -> bool:
    """Whether this is the host; a moderator is not. Raises Forbidden for others, Conflict for one who plays there."""
    if not (by.is_active and by.has_perm(entries.MODERATE_GAME)):
        _check_host(tournament, by)
    if tournament.host_id == by.pk:
        return True
    if barred := why_barred(by, tournament):
        raise Conflict(barred)
    return False


def _reason(text: str) -> str:
    reason = " ".join(text.split())
    if not reason:
        raise Illegal(_("Give a reason. The people affected will see it."))
    if len(reason) > LONGEST_REASON:
        raise Illegal(_("The reason is too long. The limit is %(count)s characters.") % {"count": LONGEST_REASON})
    return reason


def _record(
    action: ModerationEntry.Action,
    tournament: Tournament,
    by: User,
    reason: str,
    now: datetime,
    user: User | None = None,
) -> ModerationEntry:
    about = f"{tournament.title}: {reason}"[:REASON_LENGTH]
    return entries.record_entry(action, by=by, reason=about, now=now, user=user)
