"""What the host of a tournament may do, and a moderator in his place."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, Illegal, NotFound
from games.models import Entrant, ModerationEntry, Tournament, User
from games.moderation import entries
from games.moderation.models import REASON_LENGTH
from games.tournaments import notify, rounds
from games.tournaments.entering import lock_alive, lock_open, put_out
from games.tournaments.models import LONGEST_REASON


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

    Raises Conflict when it is over, Illegal without a reason, Forbidden for who is neither host nor moderator.
    """
    tournament = lock_alive(tournament_id)
    is_host = _is_host(tournament, by)
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
    Raises NotFound for somebody who is not in the tournament, and what `call_off` raises.
    """
    tournament = lock_alive(tournament_id)
    is_host = _is_host(tournament, by)
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

    Raises Conflict for a tournament that is over or has not started, Forbidden for who is not the host.
    """
    tournament = lock_alive(tournament_id)
    _check_host(tournament, by)
    current = rounds.current(tournament)
    if current is None:
        raise Conflict(_("This tournament hasn't started yet."))
    if current.number == number:
        rounds.finish(current, now)


def why_barred(by: User, tournament: Tournament) -> str:
    """Why this moderator may not act on this tournament, or ""."""
    if tournament.entrants.filter(user=by).exists():
        return _("You've entered this tournament, so another moderator must do this.")
    return ""


def _check_host(tournament: Tournament, by: User) -> None:
    """Raises Forbidden for anybody but the host."""
    if tournament.host_id != by.pk:
        raise Forbidden(_("Only the host of a tournament can do that."))


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
) -> None:
    about = f"{tournament.title}: {reason}"[:REASON_LENGTH]
    entries.record_entry(action, by=by, reason=about, now=now, user=user)
