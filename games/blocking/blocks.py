"""Blocking somebody, and taking it back. Whom it is about is told nothing."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.accounts.models import User
from games.blocking.models import Block
from games.clubs.models import ClubInvitation, Membership
from games.errors import Conflict, Forbidden, LimitReached, NotFound
from games.friends import friends
from games.tables.seats import Invitation, Seat
from notifications.models import Recipient

MOST = 1000  # people that one person may have blocked


@transaction.atomic
def block(*, by: Recipient, other: User, name: str = "", now: datetime) -> Block:
    """Blocks an account. Blocking it again changes nothing.

    It ends what is between the two: they are no friends, requests and invitations of either to the other are
    answered with no or taken back. Where both sit at a table already, both stay there.

    Arguments:
        by: who blocks, with or without an account.
        name: what they know the other by; "" for the account's name.
    Raises Conflict for oneself, Forbidden for bots and guests, LimitReached for too many.
    """
    user = User.objects.filter(recipient=by).first()
    if user is not None and (user.is_bot or user.is_guest):
        raise Forbidden(_("Only people can block somebody."))
    if user is not None and user.pk in (other.pk, other.owner_id):
        raise Conflict(_("You can't block yourself."))
    if user is not None:
        friends.lock(user, other)
    Recipient.objects.select_for_update(no_key=True).get(pk=by.pk)
    known = by.blocks.filter(blocked=other).first()
    if known is not None:
        return known
    if by.blocks.count() >= MOST:
        raise LimitReached(_("You've blocked very many people. Unblock someone first."))
    made = Block.objects.create(recipient=by, blocked=other, name=name or other.name, created_at=now)
    _part(by, user, other)
    return made


def _part(by: Recipient, user: User | None, other: User) -> None:
    """Ends what is open between who blocks and who is blocked."""
    for model in (Invitation, ClubInvitation):
        rows = model._default_manager.filter(status=model.Status.SENT)
        rows.filter(inviter=other, recipient=by).update(status=model.Status.DECLINED)
        if user is not None:
            rows.filter(inviter=user, recipient=other.recipient).update(status=model.Status.WITHDRAWN)
    if user is not None:
        friends.part(user, other)


@transaction.atomic
def unblock(*, by: Recipient, ref: str) -> Block:
    """Takes a block back; returns what it was. Raises NotFound if there is none."""
    row = by.blocks.select_for_update(of=("self",)).select_related("blocked").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("You haven't blocked this person, or you've unblocked them already."))
    Block.objects.filter(pk=row.pk).delete()
    return row


def find_person(user: User, ref: str) -> tuple[User, str]:
    """The account with this reference, and the name that this person knows it by.

    Whoever has a public profile, is a friend or is in a club with them has the name of today; of others with whom they
    share a table, they know the name there. Raises NotFound for everybody else.
    """
    people = User.objects.filter(ref=ref, is_active=True, is_guest=False).select_related("recipient")
    known = Q(has_profile=True) | Q(memberships__club__in=Membership.objects.filter(user=user).values("club"))
    found = people.filter(known | Q(pk__in=[friend.pk for friend in friends.friends_of(user)])).first()
    if found is not None:
        return found, found.name
    seats = Seat.objects.filter(user__in=people, game__in=Seat.objects.filter(user=user).values("game"))
    seat = seats.select_related("user__recipient").order_by("-pk").first()
    if seat is None or seat.user is None:
        raise NotFound(_("There's no such person, or you don't know them."))
    return seat.user, seat.name
