"""Offers an absent player's seat to somebody else, by invitation."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.clubs import clubs
from games.errors import Conflict, NotFound
from games.lobby import invitations
from games.moderation.entries import check_host_is_impartial, is_host, record_entry
from games.moderation.games.tables import of_a_person
from games.moderation.models import ModerationEntry
from games.people import blocks
from games.people.models import User
from games.play import absences
from games.tables.seats import Invitation, Seat

Action = ModerationEntry.Action


@transaction.atomic
def offer(*, seat: Seat, address: str, by: User, reason: str, now: datetime) -> Invitation:
    """Invites an address to the seat. Does not reveal whether the address has an account.

    Raises NotFound for who is not the host, Conflict for a seat that somebody is waited for at, and for a host who
    plays in the tournament of this table, and what `invitations.send` raises.
    """
    if not is_host(by, seat.game):
        raise NotFound(_("Only the host of a table can do that."))
    check_host_is_impartial(by, seat.game)
    seat = of_a_person(seat)
    if seat.status != Seat.Status.ABSENT:
        raise Conflict(_("Hosts can only give away the seats of absent players."))
    invitation = invitations.send(seat.game, seat, host=by, address=address, now=now)
    if invitation.created_at == now:
        record_entry(Action.OFFER, by=by, game=seat.game, seat=seat.number, reason=reason, now=now)
    return invitation


@transaction.atomic
def accept(*, invitation: Invitation, name: str, now: datetime, zone: str = "") -> Seat:
    """Whoever was invited sits down; the former player is told, and his links are void.

    Raises Conflict if the player is back or the seat is another's, SameOwner as `absences.hand_over`.
    """
    assert invitation.seat_id is not None
    seat = absences.locked_seat(invitation.seat_id)
    invitation = invitations.locked(invitation)
    if not invitation.is_open or not invitations.is_acceptable(invitation):
        raise Conflict(_("This invitation is no longer open."))
    user, former = invitations.person_of(invitation, name, zone), seat.user
    if seat.game.seats.filter(user=user).exists():
        raise Conflict(_("You're already at this table."))
    clubs.check_club_seat(seat.game, user)
    blocks.check_host(seat.game.host, user)
    offered = seat.game.moderation.filter(action=Action.OFFER, seat=seat.number).last()
    absences.hand_over(seat, user, now)
    Invitation.objects.filter(pk=invitation.pk).update(status=Invitation.Status.JOINED)
    reason = offered.reason if offered else ""
    record_entry(
        Action.REPLACE, by=invitation.inviter, game=seat.game, seat=seat.number, user=former, reason=reason, now=now
    )
    return seat
